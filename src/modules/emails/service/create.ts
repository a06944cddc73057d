// Puts messages into the ledger together with the jobs that deliver them, in the caller's transaction.
import type { Context } from '../../../platform/context'
import { enqueueMany } from '../../../platform/jobs/enqueue'
import { insertEmails, type NewEmail } from '../queries'

/** Rows that are FAILED from the start (suppressed addresses) are kept for the record and get no job. */
export async function createEmails(tx: Context, rows: NewEmail[]): Promise<void> {
  if (rows.length === 0) return
  await insertEmails(tx, rows)
  const due = rows.filter(row => row.status === 'PENDING')
  await enqueueMany(
    tx,
    'email.deliver',
    due.map(row => ({ args: { emailId: row.id, projectId: row.projectId }, projectId: row.projectId })),
  )
}

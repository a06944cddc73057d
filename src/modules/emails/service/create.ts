// Puts messages into the ledger together with the jobs that deliver them, in the caller's transaction.

import type { Context } from '../../../platform/context'
import { enqueueMany } from '../../../platform/jobs/enqueue'
import { recordProjectEvents } from '../../events'
import { failedEvent } from '../events'
import { emailKinds } from '../kinds'
import { insertEmails, type NewEmail } from '../queries'

/** Rows that are FAILED from the start (suppressed addresses) are kept for the record and get no job. */
export async function createEmails(tx: Context, rows: NewEmail[]): Promise<void> {
  if (rows.length === 0) return
  const due = rows.filter(row => row.status === 'PENDING')
  const now = tx.clock.now()
  const failed = rows
    .filter(row => row.status === 'FAILED')
    .map(row => failedEvent(row, { reason: row.withheldFor ?? 'error', words: row.error }, now))
  // All are sent before the first is answered: one round trip instead of three.
  await Promise.all([
    insertEmails(tx, rows),
    enqueueMany(tx, emailKinds.deliver, jobsOf(due.filter(row => row.sourceType !== 'WORKFLOW'))),
    enqueueMany(tx, emailKinds.follow, jobsOf(due.filter(row => row.sourceType === 'WORKFLOW'))),
    recordProjectEvents(tx, failed),
  ])
}

function jobsOf(rows: NewEmail[]) {
  return rows.map(({ id, projectId, scheduledFor: runAt }) => ({
    args: { emailId: id, projectId },
    projectId,
    ...(runAt ? { runAt } : {}),
  }))
}

// Puts messages into the email log together with the jobs that deliver them, in the caller's transaction.

import { textToSend } from '../../../../mail/mime/message'
import type { Context } from '../../../../platform/context'
import { enqueueMany } from '../../../../platform/jobs/enqueue'
import { recordProjectEvents } from '../../../audience/events'
import { failedEvent } from '../events'
import { emailKinds } from '../kinds'
import { insertEmails, type NewEmail } from '../queries'

/** Rows that are FAILED from the start (suppressed addresses) are kept for the record and get no job. */
export async function createEmails(tx: Context, given: NewEmail[]): Promise<void> {
  if (given.length === 0) return
  const rows = given.map(withText)
  const due = rows.filter(row => row.status === 'PENDING')
  const now = tx.clock.now()
  const failed = rows.filter(row => row.status === 'FAILED').map(row => failedEvent(row, row, now))
  // All are sent before the first is answered: one round trip instead of three.
  await Promise.all([
    insertEmails(tx, rows),
    enqueueMany(tx, emailKinds.deliver, jobsOf(due.filter(row => row.sourceType !== 'WORKFLOW'))),
    enqueueMany(tx, emailKinds.deliverWorkflow, jobsOf(due.filter(row => row.sourceType === 'WORKFLOW'))),
    recordProjectEvents(tx, failed),
  ])
}

/** What is stored is what is sent. Of what was submitted the bytes are. */
function withText(row: NewEmail): NewEmail {
  return row.submittedSet ? row : { ...row, text: textToSend({ ...row, from: row.fromEmail }) }
}

function jobsOf(rows: NewEmail[]) {
  return rows.map(({ id, projectId, scheduledFor: runAt }) => ({
    args: { emailId: id, projectId },
    projectId,
    ...(runAt ? { runAt } : {}),
  }))
}

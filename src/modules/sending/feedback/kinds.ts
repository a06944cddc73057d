// The kinds of background work of feedback. A job carries ids, never data: what it needs it reads when it runs.
import { chore, idArgument, job } from '../../../platform/jobs/kind'

export const feedbackKinds = {
  /** Reports the complaint of a simulated recipient. */
  complain: job('feedback.complain', 'system', { emailId: idArgument, projectId: idArgument }),
  /** Deletes old receipts of notifications. */
  clean: job('feedback.clean', 'system', {}, chore),
  /** Sees to it that the mailbox is read, by one job at a time. */
  lookIntoMailbox: job('mailbox.look', 'system', {}, chore),
  readMailbox: job('mailbox.read', 'system', {}, { ...chore, maxAttempts: 1 }),
  /** Classifies the hits on tracked messages that have been quiet for a moment. */
  judge: job('tracking.judge', 'system', {}, chore),
}

// The kinds of background work of feedback. A job carries ids, never data: what it needs it reads when it runs.
import { chore, idArgument, job } from '../../../platform/jobs/kind'

export const feedbackKinds = {
  /** Reports the complaint of a simulated recipient. */
  simulateComplaint: job(
    'feedback.simulateComplaint',
    'system',
    { emailId: idArgument, projectId: idArgument },
    { formerly: 'feedback.complain' },
  ),
  /** Deletes old receipts of notifications. */
  clean: job('feedback.clean', 'system', {}, chore),
  /** Sees to it that the mailbox is read, by one job at a time. */
  checkMailbox: job('mailbox.check', 'system', {}, { ...chore, formerly: 'mailbox.look' }),
  readMailbox: job('mailbox.read', 'system', {}, { ...chore, maxAttempts: 1 }),
  /** Classifies the hits on tracked messages that have been quiet for a moment. */
  classify: job('tracking.classify', 'system', {}, { ...chore, formerly: 'tracking.judge' }),
}

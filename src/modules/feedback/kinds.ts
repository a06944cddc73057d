// The kinds of background work of feedback. A job carries ids, never data: what it needs it reads when it runs.
import { chore, job } from '../../platform/jobs/kind'

export const feedbackKinds = {
  /** Deletes receipts of notifications whose time is over. */
  clean: job('feedback.clean', 'system', {}, chore),
  /** Judges the hits on tracked messages that have been quiet for a moment. */
  judge: job('tracking.judge', 'system', {}, chore),
}

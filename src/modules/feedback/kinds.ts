// The kinds of background work of feedback. A job carries ids, never data: what it needs it reads when it runs.
import { chore, job } from '../../platform/jobs/kind'

export const feedbackKinds = {
  /** Deletes old receipts of notifications. */
  clean: job('feedback.clean', 'system', {}, chore),
  /** Classifies the hits on tracked messages that have been quiet for a moment. */
  judge: job('tracking.judge', 'system', {}, chore),
}

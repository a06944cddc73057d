// The kinds of background work of the queue itself. A job carries ids, never data: what it needs it reads when it runs.
import { chore, job } from './kind'

export const queueKinds = {
  /** Deletes finished jobs that were kept for a while. */
  clean: job('jobs.clean', 'system', {}, chore),
}

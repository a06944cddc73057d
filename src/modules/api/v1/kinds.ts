// The kinds of background work of v1. A job carries ids, never data: what it needs it reads when it runs.
import { chore, job } from '../../../platform/jobs/kind'

export const v1Kinds = {
  /** Deletes idempotency keys that have expired. */
  cleanKeys: job('idempotency.clean', 'system', {}, chore),
}

// The kind of job that works on backfills.
import { chore, job } from '../../jobs/kind'

export const backfillKinds = {
  /** Fills pages of whatever backfills are unfinished. */
  fill: job('backfill.fill', 'system', {}, chore),
}

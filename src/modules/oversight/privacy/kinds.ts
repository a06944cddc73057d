// The kinds of background work of retention.
import { minute } from '../../../lib/time'
import { chore, job, projectJob } from '../../../platform/jobs/kind'

export const retentionKinds = {
  /** Drops months that nobody keeps, and begins the daily runs that are due. */
  startDue: job(
    'retention.startDue',
    'system',
    {},
    { ...chore, timeLimitMs: 30 * minute, formerly: 'retention.sweep' },
  ),
  /** Deletes what a project keeps no longer. May be run twice. */
  apply: projectJob('retention.apply', 'system', {}, { timeLimitMs: 30 * minute }),
}

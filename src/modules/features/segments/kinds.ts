// The kinds of background work of segments. A job carries ids, never data: what it needs it reads when it runs.
import { Type } from '@sinclair/typebox'
import { chore, idArgument, job, projectJob } from '../../../platform/jobs/kind'

export const segmentKinds = {
  /** Computes a tracked segment, or counts another. */
  compute: projectJob('segment.compute', 'system', { segmentId: idArgument }, chore),
  /** Deletes the members of a segment that is gone. */
  purge: projectJob('segment.purge', 'system', { segmentId: idArgument }),
  /** Enqueues the work of a page of segments, and itself for the next page. */
  refreshAll: job(
    'segment.refreshAll',
    'system',
    { after: Type.Optional(idArgument) },
    { ...chore, formerly: 'segment.sweep' },
  ),
}

// Background work of segments: tracked ones are computed every five minutes, counts are kept from growing old, and the members of
// deleted ones are cleared.

import { minute } from '../../../lib/time'
import { enqueue } from '../../../platform/jobs/enqueue'
import { handle } from '../../../platform/jobs/kind'
import { schedule } from '../../../platform/jobs/schedule'
import { segmentKinds } from './kinds'
import { bringUpToDate, deleteSegmentMembers, enqueueRefreshes } from './service'

export const segmentJobs = [
  handle(segmentKinds.compute, (ctx, { segmentId }, run) =>
    bringUpToDate(ctx, run.projectId, segmentId, run.signal),
  ),
  handle(segmentKinds.purge, (ctx, { segmentId }, run) =>
    deleteSegmentMembers(ctx, run.projectId, segmentId, run.signal),
  ),
  handle(segmentKinds.refreshAll, async (ctx, { after }) => {
    const next = await enqueueRefreshes(ctx, after)
    if (next !== undefined)
      await enqueue(
        ctx,
        segmentKinds.refreshAll,
        { after: next },
        { uniqueKey: `segment.refreshAll:${next}` },
      )
  }),
]

export const segmentSchedules = [schedule(segmentKinds.refreshAll, 5 * minute)]

// Background work of segments: tracked ones are computed every five minutes, counts are kept from growing old, and the members of
// deleted ones are cleared.
import { minute } from '../../lib/time'
import { enqueue } from '../../platform/jobs/enqueue'
import type { JobHandlers } from '../../platform/jobs/handlers'
import { schedule } from '../../platform/jobs/schedule'
import { bringUpToDate, purgeSegmentMembers, sweepSegments } from './service'

export const segmentJobs = {
  'segment.compute': (ctx, { segmentId }, run) => bringUpToDate(ctx, run.projectId!, segmentId, run.signal),
  'segment.purge': async (ctx, { segmentId }, run) => ({
    members: await purgeSegmentMembers(ctx, run.projectId!, segmentId, run.signal),
  }),
  'segment.sweep': async (ctx, { after }) => {
    const next = await sweepSegments(ctx, after)
    if (next !== undefined)
      await enqueue(ctx, 'segment.sweep', { after: next }, { uniqueKey: `segment.sweep:${next}` })
  },
} satisfies JobHandlers

export const segmentSchedules = [schedule('segment.sweep', { everyMs: 5 * minute }, {})]

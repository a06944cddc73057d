// Background work of tracking: hits wait in their table until their message is quiet, and the table is the only timer.
import { second } from '../../../lib/time'
import type { JobHandlers } from '../../../platform/jobs/handlers'
import { type Schedule, schedule } from '../../../platform/jobs/schedule'
import { judgeRipeHits } from '../service/judge-hits'

export const trackingJobs = {
  'tracking.judge': (ctx, _, run) => judgeRipeHits(ctx, run.signal),
} satisfies JobHandlers

export const trackingSchedules: Schedule[] = [schedule('tracking.judge', { everyMs: 3 * second }, {})]

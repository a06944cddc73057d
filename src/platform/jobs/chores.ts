// The queue's own chores.
import { after, day, hour } from '../../lib/time'
import type { JobHandlers } from './handlers'
import { deleteFinished } from './queries'
import { type Schedule, schedule } from './schedule'

/** How long jobs that failed, and those whose result is kept, can be looked at. */
const retentionMs = 7 * day
const batch = 1_000

export const queueJobs = {
  'jobs.clean': async (ctx, _args, run) => {
    const before = after(ctx.clock.now(), -retentionMs)
    while (!run.signal.aborted && (await deleteFinished(ctx, before, batch)) === batch);
  },
} satisfies JobHandlers

export function queueSchedules(): Schedule[] {
  return [schedule('jobs.clean', { everyMs: hour }, {})]
}

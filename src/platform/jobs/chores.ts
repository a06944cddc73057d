// The queue's own chore: deletes finished jobs that were kept for a while.
import { after, day, hour } from '../../lib/time'
import { handle } from './handlers'
import { chore, job } from './kind'
import { deleteFinished } from './queries'
import { type Schedule, schedule } from './schedule'

export const queueKinds = { clean: job('jobs.clean', 'system', {}, chore) }

/** How long jobs that failed can be looked at. */
const retentionMs = 7 * day
const batch = 1_000

export const queueJobs = [
  handle(queueKinds.clean, async (ctx, _args, run) => {
    const before = after(ctx.clock.now(), -retentionMs)
    while (!run.signal.aborted && (await deleteFinished(ctx, before, batch)) === batch);
  }),
]

export function queueSchedules(): Schedule[] {
  return [schedule(queueKinds.clean, { everyMs: hour }, {})]
}

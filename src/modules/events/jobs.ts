// Background work of events: the totals take in what requests appended, long deletions go on, and what was kept for a while goes.
import { hour, second } from '../../lib/time'
import type { JobHandlers } from '../../platform/jobs/handlers'
import { schedule } from '../../platform/jobs/schedule'
import { continueDeletion, foldEventTotals, forgetTransients } from './service'

export const eventJobs = {
  'event.delete': async (ctx, { name, from, until }, run) => {
    const span = { name, from: new Date(from), until: new Date(until) }
    return { deleted: await continueDeletion(ctx, run.projectId!, span, run.signal) }
  },
  'event.fold': async (ctx, _, run) => ({ folded: await foldEventTotals(ctx, run.signal) }),
  'event.forget': async (ctx, _, run) => ({ forgotten: await forgetTransients(ctx, run.signal) }),
} satisfies JobHandlers

export const eventSchedules = [
  schedule('event.fold', { everyMs: 10 * second }, {}),
  schedule('event.forget', { everyMs: hour }, {}),
]

// Background work of events: the totals take in what requests appended.
import { second } from '../../lib/time'
import type { JobHandlers } from '../../platform/jobs/handlers'
import { schedule } from '../../platform/jobs/schedule'
import { foldEventTotals } from './service'

export const eventJobs = {
  'event.fold': async (ctx, _, run) => ({ folded: await foldEventTotals(ctx, run.signal) }),
} satisfies JobHandlers

export const eventSchedules = [schedule('event.fold', { everyMs: 10 * second }, {})]

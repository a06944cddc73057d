// Background work of contacts: counts are folded, and what belonged to deleted contacts is cleared away.
import { second } from '../../lib/time'
import type { JobHandlers } from '../../platform/jobs/handlers'
import { schedule } from '../../platform/jobs/schedule'
import { purgeContactEvents } from '../events/service'
import { foldContactTotals } from './service'

export const contactJobs = {
  'contact.fold': async (ctx, _, run) => ({ folded: await foldContactTotals(ctx, run.signal) }),
  'contact.purge': async (ctx, { contactIds }, run) => ({
    events: await purgeContactEvents(ctx, run.projectId!, contactIds, run.signal),
  }),
} satisfies JobHandlers

export const contactSchedules = [schedule('contact.fold', { everyMs: 10 * second }, {})]

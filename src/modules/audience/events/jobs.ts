// Background work of events: rolling up the counts, continuing long deletions, and deleting what was kept for a while.

import { hour, second } from '../../../lib/time'
import { handle } from '../../../platform/jobs/kind'
import { schedule } from '../../../platform/jobs/schedule'
import { eventKinds } from './kinds'
import { hasEventDeltas } from './queries'
import { continueDeletion, pruneTransientValues, rollUpEventTotals } from './service'

export const eventJobs = [
  handle(eventKinds.remove, async (ctx, { name, from, until }, run) => {
    const span = { name, from: new Date(from), until: new Date(until) }
    return { deleted: await continueDeletion(ctx, run.projectId, span, run.signal) }
  }),
  handle(eventKinds.rollUp, (ctx, _, run) => rollUpEventTotals(ctx, run.signal)),
  handle(eventKinds.clearTransient, (ctx, _, run) => pruneTransientValues(ctx, run.signal)),
]

export const eventSchedules = [
  schedule(eventKinds.rollUp, 10 * second, hasEventDeltas),
  schedule(eventKinds.clearTransient, hour),
]

// The counts of messages for whoever judges or shows a project: by day, by source, and its reputation.
import { after, day } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { deleteEmailHours, foldEmailDeltas, type Reputation, selectReputation } from '../queries'

export interface Reputations {
  twentyFourHour: Reputation
  sevenDay: Reputation
  allTime: Reputation
}

/**
 * Messages, hard bounces and complaints of a project, by when the messages were made, without those to a mailbox simulator. The
 * spans begin with a whole hour, so they are up to an hour longer than their names say. Exact at any moment.
 */
export async function measureReputation(ctx: Context, projectId: string): Promise<Reputations> {
  const since = (ms: number) => startOfHour(after(ctx.clock.now(), -ms))
  const [twentyFourHour, sevenDay, allTime] = await Promise.all([
    selectReputation(ctx, projectId, since(day)),
    selectReputation(ctx, projectId, since(7 * day)),
    selectReputation(ctx, projectId, null),
  ])
  return { twentyFourHour, sevenDay, allTime }
}

function startOfHour(at: Date): Date {
  const start = new Date(at)
  start.setUTCMinutes(0, 0, 0)
  return start
}

/** A day more than the longest span that is asked for. */
const hoursKeptMs = 8 * day
const batchSize = 5_000

/** Adds the appended deltas to the totals until none is left, and forgets hours of long ago; answers how many were added. */
export async function foldEmailCounts(ctx: Context, signal?: AbortSignal): Promise<number> {
  const keptSince = startOfHour(after(ctx.clock.now(), -hoursKeptMs))
  let total = 0
  while (!signal?.aborted) {
    const folded = await foldEmailDeltas(ctx, batchSize, keptSince)
    total += folded
    if (folded < batchSize) break
  }
  await deleteEmailHours(ctx, keptSince, batchSize)
  return total
}

// Folding the counts of messages.
import { after, day } from '../../../lib/time'
import { type Context, inTransaction } from '../../../platform/context'
import { callHook } from '../../../platform/hooks'
import { usageFolded } from '../hooks'
import { deleteEmailHours, foldEmailDeltas } from '../queries'

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
    const folded = await inTransaction(ctx, tx => foldBatch(tx, keptSince))
    total += folded
    if (folded < batchSize) break
  }
  await deleteEmailHours(ctx, keptSince, batchSize)
  return total
}

async function foldBatch(tx: Context, keptSince: Date): Promise<number> {
  const { folded, usage } = await foldEmailDeltas(tx, batchSize, keptSince)
  if (usage.length > 0) await callHook(tx, usageFolded, usage)
  return folded
}

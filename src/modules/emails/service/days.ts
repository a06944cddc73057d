// Rolling up the counts of messages.
import { after, day } from '../../../lib/time'
import { type Context, inTransaction } from '../../../platform/context'
import { callHook } from '../../../platform/hooks'
import { usageRolledUp } from '../hooks'
import { deleteEmailHours, rollUpEmailDeltas } from '../queries'

function startOfHour(at: Date): Date {
  const start = new Date(at)
  start.setUTCMinutes(0, 0, 0)
  return start
}

/** A day more than the longest span that is asked for. */
const hoursKeptMs = 8 * day
const batchSize = 5_000

/** Adds the appended deltas to the totals until none is left, and deletes hours of long ago; returns how many were added. */
export async function rollUpEmailCounts(ctx: Context, signal?: AbortSignal): Promise<number> {
  const keptSince = startOfHour(after(ctx.clock.now(), -hoursKeptMs))
  let total = 0
  while (!signal?.aborted) {
    const rolledUp = await inTransaction(ctx, tx => rollUpBatch(tx, keptSince))
    total += rolledUp
    if (rolledUp < batchSize) break
  }
  await deleteEmailHours(ctx, keptSince, batchSize)
  return total
}

async function rollUpBatch(tx: Context, keptSince: Date): Promise<number> {
  const { rolledUp, usage } = await rollUpEmailDeltas(tx, batchSize, keptSince)
  if (usage.length > 0) await callHook(tx, usageRolledUp, usage)
  return rolledUp
}

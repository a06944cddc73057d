// Rolling up the counts of messages.
import { after, day } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { usageRolledUp } from '../hooks'
import { deleteEmailHours, hasEmailDeltas, rollUpEmailDeltas } from '../queries'

function startOfHour(at: Date): Date {
  const start = new Date(at)
  start.setUTCMinutes(0, 0, 0)
  return start
}

/** A day more than the longest span that is read. */
const hoursKeptMs = 8 * day
const batchSize = 5_000

/** Whether there is something to roll up or to delete. */
export async function hasUncountedEmails(ctx: Context): Promise<boolean> {
  return await hasEmailDeltas(ctx, keptSince(ctx))
}

function keptSince({ clock }: Context): Date {
  return startOfHour(after(clock.now(), -hoursKeptMs))
}

/** Adds the appended deltas to the totals until none is left, and deletes old hours; returns how many deltas were added. */
export async function rollUpEmailCounts(ctx: Context, signal?: AbortSignal): Promise<number> {
  const since = keptSince(ctx)
  let total = 0
  while (!signal?.aborted) {
    const rolledUp = await inTransaction(ctx, tx => rollUpBatch(tx, since))
    total += rolledUp
    if (rolledUp < batchSize) break
  }
  await deleteEmailHours(ctx, since, batchSize)
  return total
}

async function rollUpBatch(tx: Context, since: Date): Promise<number> {
  const { rolledUp, usage } = await rollUpEmailDeltas(tx, batchSize, since)
  if (usage.length > 0) await callHook(tx, usageRolledUp, usage)
  return rolledUp
}

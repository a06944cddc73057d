// Keeping the counts of contacts short: appended changes are added to the totals, a batch at a time.
import type { Context } from '../../../../platform/context'
import { rollUpContactDeltas } from '../queries'

const batchSize = 5_000

/** Rolls up until nothing is left; returns how many changes there were. */
export async function rollUpContactTotals(ctx: Context, signal?: AbortSignal): Promise<number> {
  let total = 0
  while (!signal?.aborted) {
    const rolledUp = await rollUpContactDeltas(ctx, batchSize)
    total += rolledUp
    if (rolledUp < batchSize) break
  }
  return total
}

// Keeping the counts of contacts short: appended changes are added to the totals, a batch at a time.
import type { Context } from '../../../platform/context'
import { rollUpContactDeltas } from '../queries'

const batchSize = 5_000

/** Folds until nothing is left; answers how many changes there were. */
export async function foldContactTotals(ctx: Context, signal?: AbortSignal): Promise<number> {
  let total = 0
  while (!signal?.aborted) {
    const folded = await rollUpContactDeltas(ctx, batchSize)
    total += folded
    if (folded < batchSize) break
  }
  return total
}

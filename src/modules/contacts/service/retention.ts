// Forgetting what came of imports and bulk jobs once nobody will ask any more.
import { after, day } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { deleteOldRecords } from '../queries'

const retentionMs = 30 * day
const batchSize = 1_000

/** Deletes records that are older than thirty days; answers how many. */
export async function cleanContactRecords(ctx: Context, signal?: AbortSignal): Promise<number> {
  const before = after(ctx.clock.now(), -retentionMs)
  let total = 0
  while (!signal?.aborted) {
    const deleted = await deleteOldRecords(ctx, before, batchSize)
    total += deleted
    if (deleted === 0) break
  }
  return total
}

// Clearing up after imports and bulk jobs: those that were given up are ended, and the records of the others are deleted after a while.
import { after, day, hour } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { throttleLongWork } from '../../../../platform/requests'
import { givenUp } from '../job-state'
import {
  deleteOldImportChanges,
  deleteOldRecords,
  deleteStrayParts,
  failAbandonedRecords,
  keepImportChangesForMs,
} from '../queries'

const retentionMs = 30 * day
/** Nobody takes longer to store a file. */
const strayMs = hour
const batchSize = 1_000
const changesAtATime = 5_000

/** Ends what was given up, which frees its file, and deletes records that are older than thirty days; returns how many. */
export async function pruneContactJobs(ctx: Context, signal?: AbortSignal): Promise<number> {
  const now = ctx.clock.now()
  const failed = await failAbandonedRecords(ctx, givenUp, now)
  await deleteStrayParts(ctx, after(now, -strayMs))
  const undoable = after(now, -keepImportChangesForMs)
  await deleteInBatches(ctx, signal, () => deleteOldImportChanges(ctx, undoable, changesAtATime))
  const old = after(now, -retentionMs)
  return failed + (await deleteInBatches(ctx, signal, () => deleteOldRecords(ctx, old, batchSize)))
}

/** Until a batch deletes nothing; returns how many rows there were. */
async function deleteInBatches(
  ctx: Context,
  signal: AbortSignal | undefined,
  deleteBatch: () => Promise<number>,
): Promise<number> {
  let total = 0
  for (let deleted = 1; deleted > 0 && !signal?.aborted; total += deleted)
    await throttleLongWork(ctx.requests, async () => {
      deleted = await deleteBatch()
    })
  return total
}

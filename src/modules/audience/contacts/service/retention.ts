// Clearing up after imports and bulk jobs: those that were given up are ended, and the records of the others are deleted after a while.
import { after, day, hour } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
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
  const before = after(now, -retentionMs)
  let total = await failAbandonedRecords(ctx, givenUp, now)
  while (!signal?.aborted) {
    const deleted = await deleteOldRecords(ctx, before, batchSize)
    total += deleted
    if (deleted === 0) break
  }
  await deleteStrayParts(ctx, after(now, -strayMs))
  const undoable = after(now, -keepImportChangesForMs)
  while (!signal?.aborted && (await deleteOldImportChanges(ctx, undoable, changesAtATime)) > 0);
  return total
}

// The regular look at all dynamic segments: a job for each tracked one, and for each whose count has grown old.

import { AppError } from '../../../../lib/errors'
import { nilUuid } from '../../../../lib/ids'
import { after, hour } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { enqueueMany } from '../../../../platform/jobs/enqueue'
import { segmentKinds } from '../kinds'
import { selectDueSegments } from '../queries'
import { computeSegment, refreshSegment } from './compute'
import { getSegment } from './read'
import { inJobTurn } from './turns'

const pageSize = 500
const countsKeepMs = hour
/** Enqueues the work of one page of segments; returns where the next page begins, undefined at the end. */
export async function enqueueRefreshes(ctx: Context, from = nilUuid): Promise<string | undefined> {
  const { due, last } = await selectDueSegments(ctx, from, after(ctx.clock.now(), -countsKeepMs), pageSize)
  await inTransaction(ctx, tx =>
    enqueueMany(
      tx,
      segmentKinds.compute,
      due.map(({ id, projectId }) => ({
        args: { segmentId: id },
        projectId,
        // One at a time: a compute that takes longer than the interval is not joined by a second one.
        uniqueKey: `segment.compute:${id}`,
      })),
    ),
  )
  return last
}

/** Computes a tracked segment, and counts another; nothing where it is gone by now. */
export async function bringUpToDate(
  ctx: Context,
  projectId: string,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  try {
    const { trackMembership } = await getSegment(ctx, projectId, id)
    await inJobTurn(ctx, projectId, async () => {
      if (trackMembership) await computeSegment(ctx, projectId, id, signal)
      else await refreshSegment(ctx, projectId, id)
    })
  } catch (error) {
    // Deleted, or no longer tracked, since it was looked at: nothing is left to do.
    if (error instanceof AppError && (error.status === 404 || error.status === 400)) return
    throw error
  }
}

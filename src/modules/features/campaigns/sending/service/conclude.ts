// The end of a run of a slice: what is left of the slice and of its campaign, and what becomes of that.
import { second } from '../../../../../lib/time'
import { type Context, inTransaction } from '../../../../../platform/context'
import { Snooze } from '../../../../../platform/jobs/outcome'
import { failOpenRecipients } from '../../../../sending/emails'
import { markSliceTested, startTestClock } from '../../authoring/queries/ab-tests'
import { finishCampaign } from '../../queries'
import { appendCounts } from '../../results/queries/counts'
import {
  lockSlice,
  markSliceDone,
  type Slice,
  type SliceFacts,
  type SliceRest,
  selectRest,
  selectSlice,
  selectSliceOwner,
} from '../queries/slices'

/** Looks at what is left of the slice, and of the campaign; what is left has to wait until `notBefore`. */
export async function conclude(ctx: Context, sliceId: string, notBefore?: Date): Promise<void> {
  const slice = await selectSlice(ctx, sliceId)
  if (!slice) return await finishAfterDeath(ctx, sliceId)
  if (slice.status === 'CANCELLED') return failRestOfSlice(ctx, slice, ['PENDING', 'SENDING'])
  const seen = await selectRest(ctx, slice)
  if (seen.untried === 0) await noteTested(ctx, slice)
  const { open, waiting, nextAttemptAt } = seen.open > 0 ? seen : await markDoneIfEnded(ctx, slice)
  if (open > 0) {
    // A paused one is queued again when it is resumed, and those who wait for the winner of an A/B test when there is one.
    if (slice.isPaused || open === waiting) return
    throw new Snooze(notBefore ?? nextAttemptAt ?? second)
  }
  await finishCampaign(ctx, slice.projectId, slice.campaignId)
}

/** What is left of the slice; where that is nothing, it is done. */
async function markDoneIfEnded(
  ctx: Context,
  slice: Slice & Partial<Pick<SliceFacts, 'abTest'>>,
): Promise<SliceRest> {
  return await inTransaction(ctx, async tx => {
    await lockSlice(tx, slice.id)
    const remaining = await selectRest(tx, slice)
    if (remaining.open === 0) await markSliceDone(tx, slice.id)
    return remaining
  })
}

/**
 * A process may have died, or lost its lease, after marking the slice as done and before looking at the campaign. The two are not one
 * transaction: of two slices that end at the same moment, neither would see that the other one has.
 */
export async function finishAfterDeath(ctx: Context, sliceId: string): Promise<void> {
  const owner = await selectSliceOwner(ctx, sliceId)
  if (owner) await finishCampaign(ctx, owner.projectId, owner.campaignId)
}

/** The hours of an A/B test begin when the last slice has nobody left to try a variant on. */
async function noteTested(ctx: Context, slice: SliceFacts): Promise<void> {
  if (slice.abTest?.winner !== null) return
  if (!slice.isTested) await markSliceTested(ctx, slice.id)
  await startTestClock(ctx, slice)
}

/** What is still open will not be sent. Rows that are on their way are left to the job that sends them, unless `left` has them. */
export async function failRestOfSlice(
  ctx: Context,
  slice: Slice,
  left: ReadonlyArray<'PENDING' | 'SENDING'>,
  reason: 'campaignCancelled' | 'projectDisabled' = 'campaignCancelled',
): Promise<void> {
  await inTransaction(ctx, async tx => {
    const { closed, held } = await failOpenRecipients(tx, slice, left, reason)
    const { projectId, campaignId } = slice
    await appendCounts(tx, [{ projectId, campaignId, failed: closed, settled: closed, held: -held }])
    await markDoneIfEnded(tx, slice)
  })
}

// Closes what a cancelled campaign leaves open, slice by slice.
import type { Context } from '../../../../platform/context'
import { fixTotal, selectCampaign, selectOpenSlices } from '../queries'
import { enqueueSlices } from './control'
import { failRestOfSlice } from './slice'

/** Recipients that are on their way at this moment are settled by the jobs that send them. */
export async function failRestOfCampaign(
  ctx: Context,
  { projectId, campaignId }: { projectId: string; campaignId: string },
  signal: AbortSignal,
): Promise<void> {
  const campaign = await selectCampaign(ctx, projectId, campaignId)
  if (campaign?.status !== 'CANCELLED') return
  for (const slice of await selectOpenSlices(ctx, projectId, campaignId)) {
    signal.throwIfAborted()
    await failRestOfSlice(ctx, slice, ['PENDING'])
  }
  // The jobs of a campaign that was paused have ended, and nobody looks after what a dead process left half sent.
  await enqueueSlices(ctx, await selectOpenSlices(ctx, projectId, campaignId))
  await fixTotal(ctx, projectId, campaignId)
}

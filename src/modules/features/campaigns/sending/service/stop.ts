// Brings campaigns to their end whose recipients get nothing more: those of a suspended project become SENT with the recipients that they have
// by then, and what a canceled campaign leaves open is closed. Whoever is still open becomes FAILED.
import { type Context, inTransaction } from '../../../../../platform/context'
import { finishCampaign, lockCampaign, selectCampaign } from '../../queries'
import { fixTotal } from '../queries/expansion'
import { cutShort, selectOpenSlices, selectSendingCampaigns } from '../queries/slices'
import { failRestOfSlice } from './conclude'
import { enqueueSlices } from './control'

/** Messages that are on their way at this moment are settled by the jobs that send them. Safe to repeat. */
export async function stopCampaigns(
  ctx: Context,
  { projectId, signal }: { projectId: string; signal: AbortSignal },
): Promise<void> {
  for (const id of await selectSendingCampaigns(ctx, projectId)) {
    await inTransaction(ctx, async tx => {
      if (await lockCampaign(tx, projectId, id)) await cutShort(tx, projectId, id)
    })
    for (const slice of await selectOpenSlices(ctx, projectId, id)) {
      signal.throwIfAborted()
      await failRestOfSlice(ctx, slice, ['PENDING'], 'projectDisabled')
    }
    // Nobody else would end what a dead process left half sent.
    await enqueueSlices(ctx, await selectOpenSlices(ctx, projectId, id))
    await finishCampaign(ctx, projectId, id)
  }
}

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

// Brings the running campaigns of a suspended project to their end: whoever is still open becomes FAILED, and the campaign SENT with the
// recipients that it has by then.
import { type Context, inTransaction } from '../../../../platform/context'
import { cutShort, finishCampaign, lockCampaign, selectOpenSlices, selectSendingCampaigns } from '../queries'
import { enqueueSlices } from './control'
import { failRestOfSlice } from './slice'

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

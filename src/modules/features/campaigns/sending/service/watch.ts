// Notices while a slice is sent that its campaign was paused or canceled.
import type { Context } from '../../../../../platform/context'
import { isCampaignSending } from '../../queries'
import type { SliceFacts } from '../queries/slices'

/** Emails between two checks of the campaign: a batch that was taken may wait long for a slow relay. */
const watchEvery = 20

/** Returns whether the campaign is still sending, as of at most that many emails ago. */
export function makeWatch(ctx: Context, { projectId, campaignId }: SliceFacts): () => Promise<boolean> {
  let asked = 0
  let latest = Promise.resolve(true)
  return () => {
    if (++asked % watchEvery === 0) latest = isCampaignSending(ctx, projectId, campaignId)
    return latest
  }
}

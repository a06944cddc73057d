// Opt-outs caused by campaigns: one per message at most.

import type { Context } from '../../../../platform/context'
import type { OptOut } from '../../../sending/preferences'
import { appendCounts, selectOptedOutCampaign } from '../queries'
import { withVariants } from './variant-counts'

/** Counts an opt-out against the campaign of its message, in the transaction that changes the contact. */
export async function countOptOut(
  tx: Context,
  { projectId, contactId, emailId, topicId }: OptOut,
): Promise<void> {
  const by = { projectId, contactId, emailId, isOfTopic: topicId !== undefined }
  const campaignId = await selectOptedOutCampaign(tx, by)
  if (campaignId !== undefined) {
    const change = { projectId, campaignId, contactId, unsubscribed: 1 }
    await appendCounts(tx, await withVariants(tx, [change]))
  }
}

// Opt-outs caused by campaigns: one per message at most.

import type { Context } from '../../../platform/context'
import type { OptOut } from '../../preferences'
import { appendCounts, selectOptedOutCampaign } from '../queries'

/** Counts an opt-out against the campaign of its message, in the transaction that changes the contact. */
export async function countOptOut(
  tx: Context,
  { projectId, contactId, emailId, topicId }: OptOut,
): Promise<void> {
  const by = { projectId, contactId, emailId, isOfTopic: topicId !== undefined }
  const campaignId = await selectOptedOutCampaign(tx, by)
  if (campaignId !== undefined) await appendCounts(tx, [{ projectId, campaignId, unsubscribed: 1 }])
}

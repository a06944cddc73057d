// Opt-outs caused by campaigns: one per message at most.

import type { Context } from '../../../platform/context'
import type { OptOut } from '../../preferences'
import { appendCounts, selectLeftCampaign, selectOptedOutCampaign } from '../queries'

/** Counts an opt-out against the campaign of its message, in the transaction that changes the contact. */
export async function countOptOut(
  tx: Context,
  { projectId, contactId, emailId, topicId }: OptOut,
): Promise<void> {
  const campaignId =
    topicId === undefined
      ? await selectOptedOutCampaign(tx, projectId, contactId, emailId)
      : await selectLeftCampaign(tx, projectId, contactId, emailId)
  if (campaignId !== undefined) await appendCounts(tx, [{ projectId, campaignId, unsubscribed: 1 }])
}

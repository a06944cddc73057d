// The body of one recipient's message. Rows of a campaign carry none: it is rendered again, from the campaign as it was sent and the
// data that was used.

import { createTemplateCache } from '../../../liquid/cache'
import type { Context } from '../../../platform/context'
import { perContext } from '../../../platform/per-context'
import type { EmailRow } from '../../emails'
import { renderPatiently } from '../../templates'
import { composeForRecipient, ordinaryRenderer } from '../compose'
import { findSentCampaign } from '../queries'

/** Few look at such a message, and each at another one. */
const renderCache = perContext(() => createTemplateCache(4 * 1024 * 1024))

/** Undefined for what no campaign sent, and where the data is forgotten. */
export async function campaignBody(
  ctx: Context,
  email: EmailRow,
): Promise<{ html: string; text: string } | undefined> {
  if (email.campaignId === null || email.variables === null) return undefined
  const campaign = await findSentCampaign(ctx, email.projectId, email.campaignId)
  if (!campaign) return undefined
  const render = ordinaryRenderer(renderCache(ctx), campaign)
  const tools = { render, vault: ctx.vault, baseUrl: ctx.config.baseUrl }
  const recipient = {
    contactId: email.contactId,
    email: email.toEmail,
    subscribed: true,
    data: email.variables,
  }
  const { html, text } = await renderPatiently(ctx, email.projectId, () =>
    composeForRecipient(tools, campaign, campaign.project, recipient, email.id),
  )
  return { html, text }
}

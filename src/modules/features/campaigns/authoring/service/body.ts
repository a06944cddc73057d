// The body of one recipient's message. Rows of a campaign carry none: it is rendered again, from the campaign as it was sent and the
// data that was used.
import { createTemplateCache } from '../../../../../liquid/cache'
import type { Context } from '../../../../../platform/context'
import { perContext } from '../../../../../platform/per-context'
import { type TrackedTemplate, trackTemplate } from '../../../../../tracking/template'
import {
  asDocument,
  type BulkRenderer,
  type EmailRow,
  type LeavingMail,
  makeBulkRenderer,
} from '../../../../sending/emails'
import { renderPatiently } from '../../../../sending/templates'
import { findSentCampaign, type SentCampaign } from '../../queries'
import { composeForRecipient, ordinaryRenderer, standingIn } from '../compose'

/** Few look at such a message, and each at another one. */
const renderCache = perContext(() => createTemplateCache(4 * 1024 * 1024))

interface Body {
  html: string
  text: string
  /** Its row does not name it. */
  topicId: string | null
}

/** Undefined for what no campaign sent, and where the data has been emptied. */
export async function campaignBody(ctx: Context, email: EmailRow): Promise<Body | undefined> {
  return await bodyOf(ctx, email, campaign => ordinaryRenderer(renderCache(ctx), campaign))
}

/** The same as it left. */
export async function leavingCampaignBody(
  ctx: Context,
  { email, tracked }: LeavingMail,
): Promise<Body | undefined> {
  return await bodyOf(ctx, email, campaign => {
    const facts = { ...campaign, campaignId: email.campaignId! }
    return makeBulkRenderer(renderCache(ctx), campaign, tracked ? trackingOf(ctx, facts) : undefined)
  })
}

async function bodyOf(
  ctx: Context,
  email: EmailRow,
  rendererOf: (campaign: SentCampaign) => BulkRenderer,
): Promise<Body | undefined> {
  if (email.campaignId === null || email.variables === null) return undefined
  const campaign = await findSentCampaign(ctx, email.projectId, email.campaignId, email.contactId)
  if (!campaign) return undefined
  const render = rendererOf(campaign)
  const tools = { render, vault: ctx.vault, baseUrl: ctx.config.baseUrl }
  const recipient = {
    contactId: email.contactId,
    email: email.toEmail,
    subscribed: standingIn(email.variables),
    data: email.variables,
  }
  const { html, text } = await renderPatiently(ctx, email.projectId, () =>
    composeForRecipient(tools, campaign, campaign.project, recipient, email.id),
  )
  return { html, text, topicId: campaign.topicId }
}

/** Undefined for a template that can't be tracked without changing what it renders. */
export function trackingOf(
  { vault, config }: Context,
  {
    projectId,
    campaignId,
    ...content
  }: { projectId: string; campaignId: string; subject: string; body: string },
): TrackedTemplate | undefined {
  const group = { projectId, groupId: campaignId }
  return trackTemplate({ vault, baseUrl: config.baseUrl }, group, asDocument(content.body, content.subject))
}

// Reading the ledger: what was sent, what the other side said, and the message itself.
import { cursorDate, decodeCursor } from '../../../lib/cursor'
import { notFound } from '../../../lib/errors'
import { isUuid } from '../../../lib/ids'
import { createTemplateCache } from '../../../liquid/cache'
import type { Context } from '../../../platform/context'
import { perContext } from '../../../platform/per-context'
import { composeForRecipient, ordinaryRenderer } from '../../campaigns/compose'
import { findSentCampaign } from '../../campaigns/queries'
import {
  type AttemptRow,
  countEmails,
  type EmailRow,
  type EmailSummaryRow,
  findEmail,
  listAttempts,
  pageOfEmails,
} from '../queries'

export interface EmailPage {
  /** One row more than `limit` when there are more. */
  rows: EmailSummaryRow[]
  total: number
}

/** Newest first. `total` is counted on the first page only. */
export async function listEmails(
  ctx: Context,
  projectId: string,
  query: { limit: number; cursor?: string; contactId?: string },
): Promise<EmailPage> {
  const filter = { contactId: query.contactId && isUuid(query.contactId) ? query.contactId : undefined }
  if (query.contactId && !filter.contactId) return { rows: [], total: 0 }
  const position = query.cursor ? decodeCursor(query.cursor) : undefined
  const after = position ? { createdAt: cursorDate(position), id: position.id } : undefined
  const rows = await pageOfEmails(ctx, projectId, filter, after, query.limit + 1)
  return { rows, total: after ? 0 : await countEmails(ctx, projectId, filter) }
}

/** 404 for an id of another project, too. */
export async function getEmail(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<{ email: EmailRow; attempts: AttemptRow[] }> {
  const email = await findEmail(ctx, projectId, id)
  if (!email) throw notFound('E-mail', id)
  const [body, attempts] = await Promise.all([campaignBody(ctx, email), listAttempts(ctx, projectId, id)])
  return { email: { ...email, ...body }, attempts }
}

/** Few look at such a message, and each at another one. */
const renderCache = perContext(() => createTemplateCache(4 * 1024 * 1024))

/** Rows of a campaign carry no body: it is rendered again, from the campaign as it was sent and the data that was used. */
async function campaignBody(
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
  const { html, text } = composeForRecipient(tools, campaign, campaign.project, recipient, email.id)
  return { html, text }
}

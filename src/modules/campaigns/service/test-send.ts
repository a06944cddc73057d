// A campaign as a single test message: sent at once to any address, recorded nowhere and counted nowhere.

import { addressFault, normaliseEmail } from '../../../lib/address'
import { AppError, badRequest, invalid } from '../../../lib/errors'
import { createTemplateCache } from '../../../liquid/cache'
import { messageIdOf } from '../../../mime/message-id'
import { type Context, newId } from '../../../platform/context'
import { handOver } from '../../../platform/mail/hand-over'
import { perContext } from '../../../platform/per-context'
import { requireVerifiedSender } from '../../domains'
import { type DueEmail, factsOf, listLinks, makeKeyRing, outgoingMessage, renderContent } from '../../emails'
import { buildScope, refuseBrokenSyntax, renderOnRequest } from '../../templates'
import type { VariantName } from '../ab-test'
import { classOf } from '../compose'
import { type CampaignRow, findTestContact } from '../queries'
import { joinedBody } from './layouts'
import { requireCampaign } from './read'
import { spendTest } from './test-limit'
import { asVariant } from './variants'

const toolsOf = perContext(ctx => ({ cache: createTemplateCache(4 * 1024 * 1024), keys: makeKeyRing(ctx) }))

const nobody = '00000000-0000-7000-8000-000000000000'

/** 422 for anything that is not an address, 403 for the sender, 429 where there were too many, 400 where the message was refused and 503 where it could not be sent now. */
export async function sendTest(
  ctx: Context,
  project: { id: string; name: string },
  id: string,
  { email: address, variant }: { email: string; variant?: VariantName },
): Promise<string> {
  const to = normaliseEmail(address)
  const message = addressFault(address)
  if (message !== undefined) throw invalid([{ field: 'email', message, code: 'invalid_string' }])
  const campaign = await asVariant(ctx, await requireCampaign(ctx, project.id, id), variant)
  await refuseBrokenSyntax(project.id, { subject: campaign.subject, body: campaign.body })
  const body = await joinedBody(ctx, campaign)
  await requireVerifiedSender(ctx, project.id, campaign.fromEmail)
  const contact = await findTestContact(ctx, project.id, to)
  if (contact.suppressed)
    throw badRequest(`The address is suppressed (${contact.suppressed}), so nothing is sent to it`)
  spendTest(ctx, project.id)
  const emailId = newId(ctx)
  const email = await renderOnRequest(ctx, project.id, () =>
    testMessage(ctx, project, { ...campaign, body }, to, contact, emailId),
  )
  const { tries } = await handOver(ctx, factsOf(email), () => outgoingMessage(ctx, toolsOf(ctx).keys, email))
  const { result } = tries.at(-1)!
  if (result.outcome === 'accepted') return to
  throw refused(result.outcome, result.response)
}

function refused(outcome: 'deferred' | 'refused', response: string): AppError {
  return outcome === 'refused'
    ? badRequest(`The test e-mail was refused: ${response}`)
    : new AppError(503, 'SERVICE_UNAVAILABLE', 'The test e-mail could not be sent at the moment', {
        suggestion: 'Try again in a moment; the log of the server says what went wrong.',
      })
}

interface TestContact {
  id: string | null
  subscribed: boolean
  data: Record<string, unknown>
}

/** Rendered with the contact's data where the address belongs to one. No footer: whoever tests should not opt out by trying its link. */
function testMessage(
  ctx: Context,
  project: { id: string; name: string },
  campaign: CampaignRow,
  to: string,
  { id: contactId, subscribed, data }: TestContact,
  id: string,
): DueEmail {
  const contact = { id: contactId ?? nobody, email: to, subscribed, data }
  const links = listLinks(ctx.vault, ctx.config.baseUrl, { projectId: project.id, contactId: contact.id }, id)
  const { subject, html, text } = renderContent(toolsOf(ctx).cache, campaign, buildScope({ contact, links }))
  return {
    id,
    projectId: project.id,
    contactId: contact.id,
    ...classOf(campaign.type),
    templateId: null,
    campaignId: campaign.id,
    toEmail: to,
    toName: null,
    fromEmail: campaign.fromEmail,
    fromName: campaign.fromName || project.name,
    replyTo: campaign.replyTo,
    subject: `[TEST] ${subject}`,
    html,
    text,
    headers: { 'X-Waxwing-Test': 'true' },
    attachmentSet: null,
    messageId: messageIdOf(id, campaign.fromEmail),
    attempts: 1,
    createdAt: ctx.clock.now(),
    tracked: false,
  }
}

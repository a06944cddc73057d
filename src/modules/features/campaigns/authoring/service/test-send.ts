// A campaign as a single test message: sent at once to any address, as a recipient would get it, with links that do nothing. It is in no
// ledger and counted nowhere; where mail stays in the outbox, it can be seen there.
import { addressFault, normaliseEmail } from '../../../../../lib/address'
import { AppError, badRequest, invalid, tooMany } from '../../../../../lib/errors'
import { after, hour, second } from '../../../../../lib/time'
import { createTemplateCache } from '../../../../../liquid/cache'
import { messageIdOf } from '../../../../../mail/mime/message-id'
import { type Context, newId } from '../../../../../platform/context'
import { perContext } from '../../../../../platform/per-context'
import { handOver } from '../../../../../platform/transports/hand-over'
import { keepInOutbox } from '../../../../accounts/system-emails'
import { factsOf } from '../../../../sending/delivery'
import { requireVerifiedSender } from '../../../../sending/domains'
import { type DueEmail, makeKeyRing, outgoingMessage, testRecipient } from '../../../../sending/emails'
import { refuseBrokenSyntax, renderOnRequest } from '../../../../sending/templates'
import type { CampaignRow } from '../../queries'
import { requireCampaign } from '../../service'
import type { VariantName } from '../ab-test'
import { type CampaignProject, classOf, composeForRecipient, ordinaryRenderer } from '../compose'
import { findTestContact } from '../queries/audience'
import { asVariant, joinedBody } from './variants'

const toolsOf = perContext(ctx => ({ cache: createTemplateCache(4 * 1024 * 1024), keys: makeKeyRing(ctx) }))

/** 422 for anything that is not an address, 403 for the sender, 429 where there were too many, 400 where the message was refused and 503 where it could not be sent now. */
export async function sendTest(
  ctx: Context,
  project: TestedProject,
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
  if (result.outcome !== 'accepted') throw refused(result.outcome, result.response)
  await keepTest(ctx, email)
  return to
}

async function keepTest(ctx: Context, email: DueEmail): Promise<void> {
  const { id, projectId, toEmail: to, fromEmail: from, fromName, subject, text, html } = email
  const seenBy = { projectId, audience: 'members', kind: 'TEST' } as const
  await keepInOutbox(ctx, { id, to, from, fromName, subject, text, html, seenBy })
}

function refused(outcome: 'deferred' | 'refused', response: string): AppError {
  return outcome === 'refused'
    ? badRequest(`The test e-mail was refused: ${response}`)
    : new AppError(503, 'SERVICE_UNAVAILABLE', 'The test e-mail could not be sent at the moment', {
        suggestion: 'Try again in a moment; the log of the server says what went wrong.',
      })
}

interface TestContact {
  subscribed: boolean
  data: Record<string, unknown>
}

interface TestedProject extends CampaignProject {
  id: string
}

/** Rendered with the contact's data where the address belongs to one; the links are nobody's, so that nobody opts out by trying them. */
function testMessage(
  ctx: Context,
  project: TestedProject,
  campaign: CampaignRow,
  to: string,
  { subscribed, data }: TestContact,
  id: string,
): DueEmail {
  const { vault, config } = ctx
  const render = ordinaryRenderer(toolsOf(ctx).cache, campaign)
  const recipient = { contactId: testRecipient, email: to, subscribed, data }
  const tools = { render, vault, baseUrl: config.baseUrl }
  const { subject, html, text } = composeForRecipient(tools, campaign, project, recipient, id)
  return {
    id,
    projectId: project.id,
    contactId: testRecipient,
    ...classOf(campaign.type),
    templateId: null,
    campaignId: campaign.id,
    topicId: campaign.topicId,
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

/**
 * Of one project, by one process, within an hour: a team that tries a message many times stays below it. Tests are counted nowhere else, so
 * without a limit they would be a way past a plan's limit, and past the figures by which a project is suspended.
 */
export const testsPerHour = 100

interface Window {
  closesAt: Date
  sent: number
}

const windowsOf = perContext(() => new Map<string, Window>())

/** Counts one; 429 where there were too many. */
export function spendTest(ctx: Context, projectId: string): void {
  const windows = windowsOf(ctx)
  const now = ctx.clock.now()
  for (const [id, { closesAt }] of windows) if (closesAt <= now) windows.delete(id)
  const window = windows.get(projectId) ?? { closesAt: after(now, hour), sent: 0 }
  windows.set(projectId, window)
  if (++window.sent <= testsPerHour) return
  const seconds = Math.ceil((window.closesAt.getTime() - now.getTime()) / second)
  throw tooMany(`This project may send ${testsPerHour} test messages an hour`, Math.max(1, seconds))
}

// A campaign as test messages: sent at once to any address, as a recipient would get it, with links that do nothing but show it in a browser. They
// are in no ledger and counted nowhere; where mail stays in the outbox, they can be seen there.
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
import {
  type DueEmail,
  makeKeyRing,
  outgoingMessage,
  testRecipient,
  testViewUrl,
} from '../../../../sending/emails'
import { refuseBrokenSyntax, renderOnRequest } from '../../../../sending/templates'
import type { CampaignRow } from '../../queries'
import { requireCampaign } from '../../service'
import type { VariantName } from '../ab-test'
import { type CampaignProject, classOf, composeForRecipient, ordinaryRenderer } from '../compose'
import { findTestContact } from '../queries/audience'
import type { TestBody } from '../test-model'
import { asVariant, joinedBody } from './variants'

const toolsOf = perContext(ctx => ({ cache: createTemplateCache(4 * 1024 * 1024), keys: makeKeyRing(ctx) }))

export interface TestsSent {
  sent: string[]
  failed: Array<{ email: string; message: string }>
}

/**
 * To each of the addresses. 422 for anything that is not an address, 403 for the sender, 429 where there were too many; and where it was sent to
 * none, 400 if the message was refused or the address is suppressed, and 503 if it could not be sent now.
 */
export async function sendTests(
  ctx: Context,
  project: TestedProject,
  id: string,
  { variant, ...given }: TestBody,
): Promise<TestsSent> {
  const addresses = addressesOf(given)
  const campaign = await asVariant(ctx, await requireCampaign(ctx, project.id, id), variant)
  await refuseBrokenSyntax(project.id, { subject: campaign.subject, body: campaign.body })
  const body = await joinedBody(ctx, campaign)
  await requireVerifiedSender(ctx, project.id, campaign.fromEmail)
  const sent: string[] = []
  const failed: Array<{ email: string; error: AppError }> = []
  for (const email of addresses) {
    try {
      await sendTest(ctx, project, { ...campaign, body }, email, variant)
      sent.push(email)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      failed.push({ email, error })
    }
  }
  if (sent.length === 0) throw failed[0]!.error
  return { sent, failed: failed.map(({ email, error }) => ({ email, message: error.message })) }
}

/** Each once, in their stored spelling. */
function addressesOf({ email, emails }: Pick<TestBody, 'email' | 'emails'>): string[] {
  if ((email === undefined) === (emails === undefined)) {
    const message = email === undefined ? 'Required' : 'Leave it out if you give "emails"'
    throw invalid([{ field: 'email', message, code: 'custom' }])
  }
  const given = emails ?? [email!]
  const faults = given.flatMap((address, at) => {
    const message = addressFault(address)
    const field = emails ? `emails.${at}` : 'email'
    return message === undefined ? [] : [{ field, message, code: 'invalid_string' as const }]
  })
  if (faults.length > 0) throw invalid(faults)
  return [...new Set(given.map(normaliseEmail))]
}

async function sendTest(
  ctx: Context,
  project: TestedProject,
  campaign: CampaignRow,
  to: string,
  variant: VariantName | undefined,
): Promise<void> {
  const contact = await findTestContact(ctx, project.id, to)
  if (contact.suppressed)
    throw badRequest(`The address is suppressed (${contact.suppressed}), so nothing is sent to it`)
  spendTest(ctx, project.id)
  const emailId = newId(ctx)
  const email = await renderOnRequest(ctx, project.id, () =>
    testMessage(ctx, project, campaign, to, contact, { emailId, variant }),
  )
  const { tries } = await handOver(ctx, factsOf(email), () => outgoingMessage(ctx, toolsOf(ctx).keys, email))
  const { result } = tries.at(-1)!
  if (result.outcome !== 'accepted') throw refused(result.outcome, result.response)
  await keepTest(ctx, email)
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
  { emailId: id, variant }: { emailId: string; variant: VariantName | undefined },
): DueEmail {
  const { vault, config } = ctx
  const render = ordinaryRenderer(toolsOf(ctx).cache, campaign)
  const browserUrl = testViewUrl(vault, config.baseUrl, campaign, variant)
  const recipient = { contactId: testRecipient, email: to, subscribed, data, browserUrl }
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

// The mail that asks whether an address really wants what somebody asked for in its name: at most one a day to a mailbox, however many forms of
// the project name it. It belongs to the contact with the address, or to the one that it will become.
import { AppError } from '../../../../lib/errors'
import { after, hour } from '../../../../lib/time'
import { createTemplateCache } from '../../../../liquid/cache'
import { messageIdOf } from '../../../../mail/mime/message-id'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { Snooze } from '../../../../platform/jobs/outcome'
import { perInstance } from '../../../../platform/per-context'
import { becauseSuppressed, noReason } from '../../../../platform/transports/reason'
import { type DefaultSender, selectDefaultSender } from '../../../accounts/projects'
import { type ComposedEmail, composeEmail } from '../../../accounts/system-emails'
import { requireVerifiedSender } from '../../../sending/domains'
import {
  type Content,
  createEmails,
  findExcesses,
  findSuppressed,
  listLinks,
  renderContent,
} from '../../../sending/emails'
import { dateInWords, pickLocale, sentenceAsText } from '../../../sending/preferences'
import { buildScope, renderPatiently, type Sendable, sendableTemplates } from '../../../sending/templates'
import { claimMailbox, type HeldRequest, holdRequest, markMailed } from '../queries'
import { confirmUrl } from '../ticket'
import { mailboxOf } from '../values'
import { confirmWithinMs, mailEveryMs } from './ask'

/** Somebody has to put something right first: the sender, or the limit of the month. */
const patienceMs = hour

/** Does nothing for a request that had its mail, or is over. */
export async function mailRequest(ctx: Context, projectId: string, requestId: string): Promise<void> {
  await inTransaction(ctx, async tx => {
    const request = await holdRequest(tx, projectId, requestId)
    const now = tx.clock.now()
    if (request?.state !== 'waiting' || request.expiresAt <= now) return
    const template = await templateOf(tx, request)
    const sender = await requireTurn(tx, request, template)
    const busy = { projectId, mailbox: mailboxOf(request.email), now, before: after(now, -mailEveryMs) }
    const mailedBefore = await claimMailbox(tx, busy)
    if (mailedBefore) throw new Snooze(after(mailedBefore, mailEveryMs))
    await send(tx, request, sender, template)
  })
}

async function templateOf(
  tx: Context,
  { projectId, templateId }: HeldRequest,
): Promise<Sendable | undefined> {
  const [template] = templateId === null ? [] : await sendableTemplates(tx, projectId, [templateId])
  return template
}

/** Who the mail is from; where none can leave now, it waits as long as the request does. */
async function requireTurn(
  tx: Context,
  { projectId }: HeldRequest,
  template: Sendable | undefined,
): Promise<DefaultSender> {
  const { fromEmail, fromName = null, replyTo = null } = template ?? {}
  const sender = fromEmail
    ? { email: fromEmail, name: fromName, replyTo }
    : await selectDefaultSender(tx, projectId)
  const [excess] = await findExcesses(tx, [{ projectId, sourceType: 'TRANSACTIONAL', count: 1 }])
  if (!sender || excess || !(await isVerified(tx, projectId, sender.email))) throw new Snooze(patienceMs)
  return sender
}

async function isVerified(tx: Context, projectId: string, email: string): Promise<boolean> {
  try {
    await requireVerifiedSender(tx, projectId, email)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

async function send(
  tx: Context,
  request: HeldRequest,
  sender: DefaultSender,
  template: Sendable | undefined,
): Promise<void> {
  const { projectId, email } = request
  const [suppressed] = await findSuppressed(tx, [{ projectId, email }])
  const mailedAt = tx.clock.now()
  const expiresAt = after(mailedAt, confirmWithinMs)
  const contactId = request.knownId ?? request.contactId ?? newId(tx)
  const emailId = newId(tx)
  const link = { requestId: request.id, version: request.version, expiresAt }
  const url = confirmUrl(tx.vault, tx.config.baseUrl, request.formId, link)
  const content = await contentOf(tx, { request, template, contactId, emailId, url, expiresAt })
  await createEmails(tx, [
    {
      ...{ id: emailId, projectId, contactId, sourceType: 'TRANSACTIONAL', ...content },
      mailClass: template?.type === 'HEADLESS' ? 'headless' : 'transactional',
      templateId: template?.id ?? null,
      ...{ toEmail: email, toName: null, fromEmail: sender.email, replyTo: sender.replyTo },
      fromName: sender.name ?? request.projectName,
      // Whoever follows the link is counted by confirming.
      ...{ headers: {}, attachmentSet: null, tracking: false },
      messageId: messageIdOf(emailId, sender.email),
      status: suppressed ? 'FAILED' : 'PENDING',
      ...(suppressed ? becauseSuppressed(suppressed.reason) : noReason),
    },
  ])
  await markMailed(tx, request, { contactId, emailId, mailedAt, expiresAt })
}

interface Composing {
  request: HeldRequest
  template: Sendable | undefined
  contactId: string
  emailId: string
  url: string
  expiresAt: Date
}

const cacheOf = perInstance(() => createTemplateCache(4 * 1024 * 1024))

/** By the template; where that gives no mail with the link, a letter of our own: the person asked for it. */
async function contentOf(tx: Context, composing: Composing): Promise<Content> {
  const { request, template, url, expiresAt } = composing
  const content = template && (await rendered(tx, composing, template))
  if (content?.html.includes(url)) return content
  return composeConfirmation({ ...request, url, expiresAt })
}

/**
 * Sees the address and the link, and nothing of what was entered or is known about the contact: whoever sends a form must not be able to
 * write to others through it.
 */
async function rendered(
  tx: Context,
  { request, contactId, emailId, url }: Composing,
  template: Sendable,
): Promise<Content | undefined> {
  const { projectId, email, projectName, formName, language } = request
  const links = listLinks(tx.vault, tx.config.baseUrl, { projectId, contactId }, emailId)
  const data = { confirmUrl: url, projectName, formName, locale: language }
  const scope = buildScope({ contact: { id: contactId, email, data: {} }, links, data })
  try {
    return await renderPatiently(tx, projectId, () => renderContent(cacheOf(tx), template, scope))
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

export interface ConfirmationFacts {
  email: string
  projectName: string
  language: string
  url: string
  expiresAt: Date
}

export function composeConfirmation({
  email,
  projectName,
  language,
  url,
  expiresAt,
}: ConfirmationFacts): ComposedEmail {
  const { code, forms } = pickLocale(language)
  const facts = { email, projectName, date: dateInWords(expiresAt, code) }
  const fill = (text: string): string => sentenceAsText(text, facts)
  return composeEmail({
    subject: fill(forms.mail.subject),
    opening: [fill(forms.mail.text)],
    link: { words: forms.confirm.button, url },
    closing: [fill(forms.mail.until), forms.mail.ignore],
    from: { name: projectName, language: code },
  })
}

// A row of `emails` as the message that is handed over: with its attachments, this recipient's links, and the key that signs it.
import { domainOf } from '../../../../lib/address'
import { conflict } from '../../../../lib/errors'
import { leavingBytes, namesIn } from '../../../../mail/mime/finished'
import type { ComposedMail } from '../../../../mail/mime/mail'
import type { EncodedBodies } from '../../../../mail/mime/message'
import type { Context } from '../../../../platform/context'
import type { OutgoingMessage } from '../../../../platform/transports/hand-over'
import { withRelayTags } from '../../../../platform/transports/relay-tags'
import { returnPathOf } from '../../../../platform/transports/return-path'
import { trackMessage } from '../../../../tracking/message'
import type { DueEmail } from '../due-email'
import { mailOf } from '../due-email'
import { contactLinks } from '../links'
import { findAttachments, findSubmitted } from '../queries'
import type { KeyRing } from './keys'

export async function outgoingMessage(
  ctx: Context,
  keys: KeyRing,
  email: DueEmail,
  encoded?: EncodedBodies,
): Promise<OutgoingMessage> {
  if (email.submittedSet) return await submittedMessage(ctx, keys, email, email.submittedSet)
  const attachments = email.attachmentSet ? await findAttachments(ctx, email.attachmentSet) : []
  const links = contactLinks(ctx.vault, ctx.config.baseUrl, email, email.id)
  const mail = withTracking(ctx, email, mailOf(email, attachments, links, hostOf(ctx)))
  const headers = withRelayTags(mail.headers, ctx.config.relayWebhooks, email.id)
  return { mail: { ...mail, headers }, encoded, ...(await keyAndReturnPath(ctx, keys, email)) }
}

/** What a program submitted: its bytes, with the headers that they lack. */
async function submittedMessage(
  ctx: Context,
  keys: KeyRing,
  email: DueEmail,
  setId: string,
): Promise<OutgoingMessage> {
  const raw = await findSubmitted(ctx, setId)
  if (!raw) throw noLongerKept()
  const links = contactLinks(ctx.vault, ctx.config.baseUrl, email, email.id)
  const own = Object.fromEntries([...namesIn(raw)].map(name => [name, '']))
  const mail = mailOf({ ...email, headers: own }, [], links, hostOf(ctx))
  const added = Object.entries(mail.headers).filter(([name]) => !(name in own))
  const finished = leavingBytes(raw, {
    messageId: email.messageId,
    headers: withRelayTags(Object.fromEntries(added), ctx.config.relayWebhooks, email.id),
    ...(email.tracked ? { html: html => withTracking(ctx, email, { ...mail, html }).html } : {}),
  })
  return { mail, finished, ...(await keyAndReturnPath(ctx, keys, email)) }
}

/** Whether there is still something to make the message of: files are deleted by their age, whatever waits for them. */
export async function isContentKept(ctx: Context, email: DueEmail): Promise<boolean> {
  if (email.submittedSet) return (await findSubmitted(ctx, email.submittedSet)) !== undefined
  if (email.attachmentSet) return (await findAttachments(ctx, email.attachmentSet)).length > 0
  return email.html !== '' || email.text !== ''
}

function hostOf({ config }: Context): string {
  return new URL(config.baseUrl).hostname
}

/** The DKIM key that signs it, and the address that it comes back to. */
async function keyAndReturnPath(ctx: Context, keys: KeyRing, email: DueEmail) {
  const key = ctx.mail.signsItself ? await keys(email.projectId, domainOf(email.fromEmail)) : undefined
  const { bounceDomain } = ctx.config
  return { key, ...(bounceDomain ? { returnPath: returnPathOf(ctx.vault, bounceDomain, email.id) } : {}) }
}

/** 409: there is nothing to make the message from. */
export function noLongerKept() {
  return conflict('The content of this message is no longer kept')
}

/** Links are replaced at the last moment: opening what is stored, or shown in the dashboard, is not counted. */
function withTracking({ vault, config }: Context, email: DueEmail, mail: ComposedMail): ComposedMail {
  if (!email.tracked || mail.html === '') return mail
  const message = { projectId: email.projectId, emailId: email.id }
  return {
    ...mail,
    html: trackMessage({ vault, baseUrl: config.baseUrl }, message, mail.html, email.givenLinks ?? []),
  }
}

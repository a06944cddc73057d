// A row of the ledger as the message that leaves: with its attachments, this recipient's links, and the key that signs it.
import { domainOf } from '../../../lib/address'
import type { ComposedMail } from '../../../mime/mail'
import type { EncodedBodies } from '../../../mime/message'
import type { Context } from '../../../platform/context'
import type { OutgoingMessage } from '../../../platform/mail/hand-over'
import { withRelayTags } from '../../../platform/mail/relay-tags'
import { returnPathOf } from '../../../platform/mail/return-path'
import { trackMessage } from '../../../tracking/message'
import { contactLinks } from '../links'
import { type DueEmail, findAttachments } from '../queries'
import { mailOf } from '../stored'
import type { KeyRing } from './keys'

export async function outgoingMessage(
  ctx: Context,
  keys: KeyRing,
  email: DueEmail,
  encoded?: EncodedBodies,
): Promise<OutgoingMessage> {
  const attachments = email.attachmentSet ? await findAttachments(ctx, email.attachmentSet) : []
  const links = contactLinks(ctx.vault, ctx.config.baseUrl, email, email.id)
  const mail = withTracking(ctx, email, mailOf(email, attachments, links))
  const key = ctx.mail.signsItself ? await keys(email.projectId, domainOf(email.fromEmail)) : undefined
  const headers = withRelayTags(mail.headers, ctx.config.relayWebhooks, email.id)
  const { bounceDomain } = ctx.config
  const returnPath = bounceDomain ? { returnPath: returnPathOf(ctx.vault, bounceDomain, email.id) } : {}
  return { mail: { ...mail, headers }, encoded, key, ...returnPath }
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

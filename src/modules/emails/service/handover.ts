// Hands one message to the transport. Whatever goes wrong on the way is an answer, too: an error that rose from here would leave
// the row without one, and the message would be sent again without a plan.
import { asciiAddress, domainOf } from '../../../lib/address'
import { signMessage } from '../../../mime/dkim'
import type { ComposedMail } from '../../../mime/mail'
import { buildMime, type EncodedBodies } from '../../../mime/message'
import type { Context } from '../../../platform/context'
import type { SendResult } from '../../../platform/mail/transport'
import { trackMessage } from '../../../tracking/message'
import { listLinks } from '../links'
import { type DueEmail, findAttachments } from '../queries'
import { mailOf } from '../stored'
import type { KeyRing } from './keys'

/** Never rejects. */
export async function handOver(
  ctx: Context,
  keys: KeyRing,
  email: DueEmail,
  encoded?: EncodedBodies,
): Promise<SendResult> {
  try {
    const raw = await compose(ctx, keys, email, encoded)
    const envelope = { from: asciiAddress(email.fromEmail), to: asciiAddress(email.toEmail) }
    return storable(await ctx.mail.send({ id: email.id, envelope, raw }))
  } catch (error) {
    ctx.log.error({ email: email.id, error: String(error) }, 'a message could not be handed to the transport')
    return { outcome: 'deferred', response: 'internal error: the message could not be handed over' }
  }
}

async function compose(
  ctx: Context,
  keys: KeyRing,
  email: DueEmail,
  encoded?: EncodedBodies,
): Promise<Uint8Array> {
  const attachments = email.attachmentSet ? await findAttachments(ctx, email.attachmentSet) : []
  const links = listLinks(ctx.vault, ctx.config.baseUrl, email, email.id)
  const raw = buildMime(measured(ctx, email, mailOf(email, attachments, links)), encoded)
  if (!ctx.mail.signsItself) return raw
  const key = await keys(email.projectId, domainOf(email.fromEmail))
  return key ? await signMessage(raw, key) : raw
}

/** Replaced at the last moment: what is stored, and shown to people, counts nothing. */
function measured({ vault, config }: Context, email: DueEmail, mail: ComposedMail): ComposedMail {
  if (!email.tracked || mail.html === '') return mail
  const message = { projectId: email.projectId, emailId: email.id }
  return { ...mail, html: trackMessage({ vault, baseUrl: config.baseUrl }, message, mail.html) }
}

const longestResponse = 1_000

/** An answer is foreign text. What the database refuses to store would cost us the outcome, and the recipient a second copy. */
function storable(result: SendResult): SendResult {
  const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed().slice(0, longestResponse)
  const answer = { ...result, response: clean(result.response) }
  if (answer.enhanced !== undefined) answer.enhanced = clean(answer.enhanced)
  if (answer.outcome === 'accepted' && answer.providerId !== undefined)
    answer.providerId = clean(answer.providerId)
  return answer
}

// The last steps of every message, whoever sends it: composed as MIME, signed, and handed to the transport. Whatever goes wrong on the
// way is an answer too: an error thrown from here would leave the message without one, and it would be sent again without a plan.
import { asciiAddress } from '../../lib/address'
import { type SigningKey, signMessage } from '../../mime/dkim'
import type { ComposedMail } from '../../mime/mail'
import { buildMime, type EncodedBodies } from '../../mime/message'
import type { Context } from '../context'
import type { SendResult } from './transport'

/** A message that is ready to leave. */
export interface OutgoingMessage {
  mail: ComposedMail
  /** Bodies that are encoded already, because they are shared with other messages. */
  encoded?: EncodedBodies
  /** Not signed if there is none. */
  key?: SigningKey
  /** Of the envelope, if they differ from the one in its header To. */
  recipients?: readonly [string, ...string[]]
}

/** Never rejects. `id` names the message in logs and in the transport; `prepare` may look up what it takes to make it. */
export async function handOver(
  ctx: Pick<Context, 'mail' | 'log'>,
  id: string,
  prepare: () => Promise<OutgoingMessage>,
): Promise<SendResult> {
  try {
    const message = await prepare()
    const { mail, recipients } = message
    const raw = await finishedBytes(message)
    const [to, ...also] = (recipients ?? [mail.to]).map(asciiAddress) as [string, ...string[]]
    const envelope = { from: asciiAddress(mail.from), to, ...(also.length > 0 ? { also } : {}) }
    return storable(await ctx.mail.send({ id, envelope, raw }))
  } catch (error) {
    ctx.log.error({ message: id, error: String(error) }, 'a message could not be handed to the transport')
    return { outcome: 'deferred', response: 'internal error: the message could not be handed over' }
  }
}

/** The complete message, signed where there is a key for it. The same one gives the same bytes. */
export async function finishedBytes({ mail, encoded, key }: OutgoingMessage): Promise<Uint8Array> {
  const plain = buildMime(mail, encoded)
  return key ? await signMessage(plain, key) : plain
}

const maxResponseLength = 1_000

/** An answer is foreign text. What the database refuses to store would cost us the outcome, and the recipient a second copy. */
function storable(result: SendResult): SendResult {
  const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed().slice(0, maxResponseLength)
  const answer = { ...result, response: clean(result.response) }
  if (answer.enhanced !== undefined) answer.enhanced = clean(answer.enhanced)
  if (answer.outcome !== 'accepted') return answer
  if (answer.providerId !== undefined) answer.providerId = clean(answer.providerId)
  if (answer.untaken) answer.untaken = answer.untaken.map(one => ({ ...one, response: clean(one.response) }))
  return answer
}

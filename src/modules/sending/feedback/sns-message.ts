// The envelope in which Amazon SNS delivers: its members, the text that its signature covers, and which hosts it may name. Pure.
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { hasFewMembers } from './foreign-json'

const line = (maxLength: number) => Type.String({ maxLength })

const envelope = Type.Object({
  Type: line(100),
  MessageId: Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$' }),
  TopicArn: Type.Optional(line(500)),
  Subject: Type.Optional(Type.Union([line(1_000), Type.Null()])),
  Message: Type.String(),
  Timestamp: line(100),
  SignatureVersion: Type.Optional(line(10)),
  Signature: Type.Optional(line(2_000)),
  SigningCertURL: Type.Optional(line(1_000)),
  Token: Type.Optional(line(2_000)),
  SubscribeURL: Type.Optional(line(4_000)),
})

export type SnsMessage = Static<typeof envelope>

/** We know eleven; attributes of a message are a few more. */
const maxMembers = 200

/** Undefined for anything that is not an SNS message. The sender is not proved yet, so the content is left alone. */
export function readSnsMessage(text: string): SnsMessage | undefined {
  if (!hasFewMembers(text, maxMembers)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return Value.Check(envelope, value) ? value : undefined
  } catch {
    return undefined
  }
}

const signedInNotifications = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const
const signedInConfirmations = [
  ...(['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const),
]

/** The text that was signed: name and value of each member that is present, one per line, in this order. */
export function signedText(message: SnsMessage): string {
  const names = message.Type === 'Notification' ? signedInNotifications : signedInConfirmations
  return names.flatMap(name => (message[name] == null ? [] : [`${name}\n${message[name]}\n`])).join('')
}

/** The digest by version of the signature; undefined for an unknown version. */
export function digestOf({ SignatureVersion }: SnsMessage): 'sha1' | 'sha256' | undefined {
  if (SignatureVersion === '1') return 'sha1'
  return SignatureVersion === '2' ? 'sha256' : undefined
}

/**
 * Regions of Amazon (`eu-west-1`, `us-gov-east-1`), of its European cloud and of China, and nothing else that may be in that place:
 * `sns.s3-eu-west-1.amazonaws.com` serves what the owner of a bucket named "sns" puts there.
 */
const hostPattern = /^sns\.[a-z]{2,5}(?:-[a-z]{2,20}){1,3}-\d{1,2}\.amazonaws\.(?:com|com\.cn|eu)$/

/** An address of SNS itself: https, one of its hosts, no port, user or fragment. Undefined for any other. */
export function snsAddress(text: string | undefined): URL | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const isPlain = url.port === '' && url.username === '' && url.password === '' && url.hash === ''
  return url.protocol === 'https:' && hostPattern.test(url.hostname) && isPlain ? url : undefined
}

/**
 * The address of an SNS certificate. It must be a file: an answer of the API itself could echo what the caller sent, such as somebody
 * else's certificate.
 */
export function certificateAddress(text: string | undefined): URL | undefined {
  const url = snsAddress(text)
  return url && url.search === '' && /^\/[\w-]+\.pem$/.test(url.pathname) ? url : undefined
}

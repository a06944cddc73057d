// The envelope in which Amazon SNS delivers: what it holds, the text that its signature covers, and which hosts it may name. Pure.
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

/** Ours are eleven; attributes of a message are a few more. */
const maxMembers = 200

/** Undefined for anything that is not a message of SNS. Nobody is known yet, so what is inside of it is left alone. */
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

/** The text that was signed: name and value of each member that is there, one per line, in this order. */
export function signedText(message: SnsMessage): string {
  const names = message.Type === 'Notification' ? signedInNotifications : signedInConfirmations
  return names.flatMap(name => (message[name] == null ? [] : [`${name}\n${message[name]}\n`])).join('')
}

/** By the version of the signature; undefined for a version that nobody has described. */
export function digestOf({ SignatureVersion }: SnsMessage): 'sha1' | 'sha256' | undefined {
  if (SignatureVersion === '1') return 'sha1'
  return SignatureVersion === '2' ? 'sha256' : undefined
}

/**
 * Regions of Amazon (`eu-west-1`, `us-gov-east-1`), of its European cloud and of China, and nothing else that may stand there: under
 * `sns.s3-eu-west-1.amazonaws.com` lies what the owner of a bucket named "sns" puts there.
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
 * Where a certificate of SNS lies. It must be a file: an answer of the API itself could repeat what the caller asked, a certificate
 * of somebody else's included.
 */
export function certificateAddress(text: string | undefined): URL | undefined {
  const url = snsAddress(text)
  return url && url.search === '' && /^\/[\w-]+\.pem$/.test(url.pathname) ? url : undefined
}

// Notifications as Amazon SNS sends them, signed by a certificate of our own.
import { createSign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, request } from './request'
import type { World } from './world'

const folder = join(import.meta.dir, '../data/sns')
export const certificate = readFileSync(join(folder, 'certificate.pem'), 'utf8')
export const expiredCertificate = readFileSync(join(folder, 'expired.pem'), 'utf8')
const key = readFileSync(join(folder, 'key.pem'), 'utf8')
const expiredKey = readFileSync(join(folder, 'expired-key.pem'), 'utf8')

export const topic = 'arn:aws:sns:eu-west-1:123456789012:mail'
export const certificateUrl = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123.pem'

export type Envelope = Record<string, unknown>

let counter = 0

const signedNames = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  other: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
}

/** An envelope with a good signature, unless `changes` says otherwise. */
export function envelope(changes: Envelope = {}, signing: { expired?: boolean } = {}): Envelope {
  const message: Envelope = {
    Type: 'Notification',
    MessageId: `sns-${++counter}-${crypto.randomUUID()}`,
    TopicArn: topic,
    Message: '{}',
    Timestamp: '2026-03-01T12:00:00.000Z',
    SignatureVersion: '2',
    SigningCertURL: certificateUrl,
    ...changes,
  }
  const names = message.Type === 'Notification' ? signedNames.Notification : signedNames.other
  const text = names.flatMap(name => (message[name] == null ? [] : [`${name}\n${message[name]}\n`])).join('')
  const signer = createSign(message.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256').update(text)
  return { Signature: signer.sign(signing.expired ? expiredKey : key, 'base64'), ...message }
}

/** What SES says about a message. */
export function sesEvent(
  eventType: string,
  providerId: string,
  detail: Record<string, unknown> = {},
): Envelope {
  const member = eventType.toLowerCase()
  const mail = { messageId: providerId, timestamp: '2026-03-01T11:59:00.000Z' }
  return { eventType, mail, [member]: { timestamp: '2026-03-01T12:00:01.000Z', ...detail } }
}

export function notification(event: unknown, changes: Envelope = {}): Envelope {
  return envelope({ Message: JSON.stringify(event), ...changes })
}

/** Delivers an envelope as SNS does: JSON, declared as text. */
export function deliver(world: Pick<World, 'app'>, message: Envelope | string): Promise<Answer> {
  const body = typeof message === 'string' ? message : JSON.stringify(message)
  const type = typeof message === 'string' ? undefined : String(message.Type)
  const headers = {
    'content-type': 'text/plain; charset=UTF-8',
    ...(type ? { 'x-amz-sns-message-type': type } : {}),
  }
  return request(world.app, 'POST', '/webhooks/sns', { body, headers })
}

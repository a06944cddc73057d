// Signs webhook calls as Standard Webhooks describes: HMAC-SHA-256 over id, time and body, so that the receiver can tell who
// sent it, that nothing was changed, and that it is not an old call replayed. https://www.standardwebhooks.com
import { createHmac } from 'node:crypto'

const prefix = 'whsec_'

export interface SignedMessage {
  /** The same for every attempt of one call. */
  id: string
  sentAt: Date
  body: string
}

export function signatureHeaders(
  secret: string,
  { id, sentAt, body }: SignedMessage,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` }
}

// The event webhook of SendGrid (https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event): many events a call, signed by
// ECDSA. Members of `unique_args` stand beside those of the event; `smtp-id` is our Message-ID. Pure.
import { createPublicKey, verify } from 'node:crypto'
import { relayTag } from '../../../../platform/transports/relay-tags'
import { failureOf } from '../mailed'
import type { DeliveryReport } from '../report'
import {
  dateOfSeconds,
  idIn,
  innerOf,
  isRecent,
  judgedByWords,
  optOut,
  type RelayAdapter,
  type RelayCall,
  recipientsOf,
  textOf,
} from './call'

type Facts = Pick<DeliveryReport, 'kind' | 'blame' | 'detail' | 'failure' | 'code' | 'isOptOut'>

export const sendgridEvents: RelayAdapter = {
  isGenuine(publicKey, { header, body }, now) {
    const signed = signedHeaders(header, now)
    if (!signed) return false
    const { timestamp, signature } = signed
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    return verify(
      'sha256',
      Buffer.concat([Buffer.from(timestamp), body]),
      key,
      Buffer.from(signature, 'base64'),
    )
  },
  mayBeGenuine: (_, { header }, now) => signedHeaders(header, now) !== undefined,
  report(event) {
    const facts = factsOf(event)
    if (!facts) return undefined
    return {
      ...facts,
      ...recipientsOf(textOf(event, 'email')),
      at: dateOfSeconds(innerOf(event, 'timestamp')),
      emailId: idIn(textOf(event, relayTag)),
      messageId: textOf(event, 'smtp-id') || undefined,
    }
  },
}

function signedHeaders(header: RelayCall['header'], now: Date) {
  const timestamp = header('x-twilio-email-event-webhook-timestamp') ?? ''
  const signature = header('x-twilio-email-event-webhook-signature') ?? ''
  const isPossible = isRecent(timestamp, now) && /^[A-Za-z0-9+/=]{1,200}$/.test(signature)
  return isPossible ? { timestamp, signature } : undefined
}

/** Why SendGrid did not even try; what else there is has nothing to do with the address. */
const goneBefore = new Set(['bounced address', 'invalid'])

function factsOf(event: unknown): Facts | undefined {
  const detail = textOf(event, 'reason')
  switch (textOf(event, 'event')) {
    case 'delivered':
      return { kind: 'delivered' }
    case 'spamreport':
      return { kind: 'complained' }
    case 'unsubscribe':
    case 'group_unsubscribe':
      return optOut
    case 'dropped':
      return { kind: 'bounced', blame: goneBefore.has(detail.toLowerCase()) ? 'address' : 'other', detail }
    case 'bounce':
      // Its word for refusals that have other reasons than the address.
      return textOf(event, 'type') === 'blocked'
        ? { ...judgedByWords({ kind: 'bounced', blame: 'other' }, detail), detail }
        : failureOf(textOf(event, 'status'), detail)
    default:
      return undefined
  }
}

// Webhooks of Resend (https://resend.com/docs/webhooks/event-types): one event a call, signed as Standard Webhooks describes, with headers of
// other names (Svix). It hands the headers of the message back. Pure.
import { normaliseEmail } from '../../../../lib/address'
import { relayHeader } from '../../../../platform/transports/relay-tags'
import type { DeliveryReport } from '../report'
import { mayBeSigned, type SignedHeaders, verifiedId } from '../webhook-signature'
import { dateOf, idIn, innerOf, judgedByWords, type RelayAdapter, type RelayCall, textOf } from './call'

type Facts = Pick<DeliveryReport, 'kind' | 'blame' | 'bounceType'>

export const resendEvents: RelayAdapter = {
  isGenuine(secret, { header, body }, now) {
    return verifiedId(secret, { ...signedHeaders(header), body }, now) !== undefined
  },
  mayBeGenuine: (_, { header }, now) => mayBeSigned(signedHeaders(header), now),
  report(event) {
    const facts = factsOf(event)
    if (!facts) return undefined
    const words = diagnosticOf(event)
    return {
      ...judgedByWords(facts, words),
      ...recipientsIn(event),
      // That of the event; the one in `data` is that of the message.
      at: dateOf(textOf(event, 'created_at')),
      detail:
        words || textOf(event, 'data', 'bounce', 'message') || textOf(event, 'data', 'failed', 'reason'),
      emailId: idIn(headerIn(event, relayHeader)),
      messageId: headerIn(event, 'message-id') || textOf(event, 'data', 'message_id') || undefined,
    }
  },
}

function recipientsIn(event: unknown): Pick<DeliveryReport, 'recipients'> {
  const to = innerOf(event, 'data', 'to')
  const named = (Array.isArray(to) ? to.slice(0, 100) : []).filter(one => typeof one === 'string')
  return named.length > 0 ? { recipients: named.map(normaliseEmail) } : {}
}

/** The other server's words. */
function diagnosticOf(event: unknown): string {
  const words = innerOf(event, 'data', 'bounce', 'diagnosticCode')
  return (Array.isArray(words) ? words.slice(0, 5).map(String) : []).join(' ').slice(0, 2_000)
}

function signedHeaders(header: RelayCall['header']): SignedHeaders {
  const [id, timestamp, signature] = ['svix-id', 'svix-timestamp', 'svix-signature'].map(header)
  return { id, timestamp, signature }
}

function factsOf(event: unknown): Facts | undefined {
  switch (textOf(event, 'type')) {
    case 'email.delivered':
      return { kind: 'delivered' }
    case 'email.complained':
      return { kind: 'complained' }
    case 'email.failed':
    case 'email.suppressed':
      return { kind: 'bounced', blame: 'other' }
    case 'email.bounced':
      return bounces[textOf(event, 'data', 'bounce', 'type')] ?? { kind: 'bounced', blame: 'address' }
    default:
      return undefined
  }
}

/** Without a type, it is one that Resend calls permanent. */
const bounces: Record<string, Facts | undefined> = Object.assign(Object.create(null), {
  Transient: { kind: 'softBounced' },
  Undetermined: { kind: 'bounced', bounceType: 'Undetermined' },
})

function headerIn(event: unknown, name: string): string {
  const headers = innerOf(event, 'data', 'headers')
  if (!Array.isArray(headers)) return ''
  const found = headers.slice(0, 200).find(one => textOf(one, 'name').toLowerCase() === name.toLowerCase())
  return textOf(found, 'value')
}

// Webhooks of Postmark (https://postmarkapp.com/developer/webhooks): one event a call, not signed; the id is metadata of the message. Pure.
import { relayTag } from '../../../../platform/transports/relay-tags'
import type { DeliveryReport } from '../report'
import {
  bringsSecret,
  dateOf,
  idIn,
  innerOf,
  judgedByWords,
  optOut,
  type RelayAdapter,
  recipientsOf,
  textOf,
} from './call'

type Facts = Pick<DeliveryReport, 'kind' | 'blame' | 'isOptOut'>

/** Types of bounces. Those that are missing are delays, answers of people and machines, or unknown. */
const bounces: Record<string, Facts> = {
  HardBounce: { kind: 'bounced', blame: 'address' },
  BadEmailAddress: { kind: 'bounced', blame: 'address' },
  SoftBounce: { kind: 'softBounced' },
  DnsError: { kind: 'softBounced' },
  SpamComplaint: { kind: 'complained' },
  Unsubscribe: optOut,
  Blocked: { kind: 'bounced', blame: 'other' },
  SpamNotification: { kind: 'bounced', blame: 'other' },
  VirusNotification: { kind: 'bounced', blame: 'other' },
  DMARCPolicy: { kind: 'bounced', blame: 'other' },
  ManuallyDeactivated: { kind: 'bounced', blame: 'other' },
  SMTPApiError: { kind: 'bounced', blame: 'other' },
}

export const postmarkEvents: RelayAdapter = {
  isGenuine: bringsSecret,
  mayBeGenuine: bringsSecret,
  report(event) {
    const facts = factsOf(event)
    if (!facts) return undefined
    return {
      ...judgedByWords(facts, textOf(event, 'Details')),
      ...recipientsOf(textOf(event, 'Email') || textOf(event, 'Recipient')),
      at: dateOf(
        ['DeliveredAt', 'BouncedAt', 'ChangedAt'].map(name => textOf(event, name)).find(Boolean) ?? '',
      ),
      detail: textOf(event, 'Details') || textOf(event, 'Description'),
      emailId: idIn(textOf(event, 'Metadata', relayTag)),
      messageId: undefined,
    }
  },
}

function factsOf(event: unknown): Facts | undefined {
  const type = textOf(event, 'Type')
  switch (textOf(event, 'RecordType')) {
    case 'Delivery':
      return { kind: 'delivered' }
    case 'SpamComplaint':
      return { kind: 'complained' }
    case 'SubscriptionChange':
      // The other reasons have events of their own.
      return innerOf(event, 'SuppressSending') === true &&
        textOf(event, 'SuppressionReason') === 'ManualSuppression'
        ? optOut
        : undefined
    case 'Bounce':
      return Object.hasOwn(bounces, type) ? bounces[type] : undefined
    default:
      return undefined
  }
}

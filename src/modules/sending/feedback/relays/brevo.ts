// Transactional webhooks of Brevo (https://developers.brevo.com/docs/transactional-webhooks): one event a call, or a list where they are
// batched; not signed. It hands the header X-Mailin-custom back. Pure.
import type { DeliveryReport } from '../report'
import {
  bringsSecret,
  dateOfSeconds,
  idIn,
  innerOf,
  judgedByWords,
  optOut,
  type RelayAdapter,
  recipientsOf,
  textOf,
} from './call'

const kinds: Record<string, Pick<DeliveryReport, 'kind' | 'blame' | 'isOptOut'>> = {
  delivered: { kind: 'delivered' },
  hard_bounce: { kind: 'bounced', blame: 'address' },
  invalid_email: { kind: 'bounced', blame: 'address' },
  soft_bounce: { kind: 'softBounced' },
  blocked: { kind: 'bounced', blame: 'other' },
  error: { kind: 'bounced', blame: 'other' },
  spam: { kind: 'complained' },
  complaint: { kind: 'complained' },
  unsubscribed: optOut,
}

export const brevoEvents: RelayAdapter = {
  isGenuine: bringsSecret,
  mayBeGenuine: bringsSecret,
  report(event) {
    const name = textOf(event, 'event')
    if (!Object.hasOwn(kinds, name)) return undefined
    return {
      ...judgedByWords(kinds[name]!, textOf(event, 'reason')),
      ...recipientsOf(textOf(event, 'email')),
      // Other times are in the zone of the account.
      at: dateOfSeconds(Number(innerOf(event, 'ts_epoch')) / 1_000),
      detail: textOf(event, 'reason').trim(),
      emailId: idIn(textOf(event, 'X-Mailin-custom')),
      messageId: textOf(event, 'message-id') || undefined,
    }
  },
}

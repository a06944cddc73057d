// The event API of Mailjet (https://dev.mailjet.com/email/guides/webhooks/): one event a call, or a list where they are grouped; not signed.
// It hands the header X-MJ-CustomID back. Pure.
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

type Facts = Pick<DeliveryReport, 'kind' | 'blame' | 'isOptOut'>

export const mailjetEvents: RelayAdapter = {
  isGenuine: bringsSecret,
  mayBeGenuine: bringsSecret,
  report(event) {
    const facts = factsOf(event)
    if (!facts) return undefined
    const detail = [textOf(event, 'error'), textOf(event, 'comment')].filter(Boolean).join(': ')
    return {
      ...judgedByWords(facts, textOf(event, 'comment')),
      ...recipientsOf(textOf(event, 'email')),
      at: dateOfSeconds(innerOf(event, 'time')),
      ...(detail === '' ? {} : { detail }),
      emailId: idIn(textOf(event, 'CustomID')),
      messageId: undefined,
    }
  },
}

/** The errors that say that the address, or its domain, is not there. */
const gone = new Set(['user unknown', 'mailbox inactive', 'invalid domain', 'no mail host'])

function factsOf(event: unknown): Facts | undefined {
  const error = textOf(event, 'error')
  const refused: Facts = { kind: 'bounced', blame: gone.has(error) ? 'address' : 'other' }
  switch (textOf(event, 'event')) {
    case 'sent':
      return { kind: 'delivered' }
    case 'spam':
      return { kind: 'complained' }
    case 'unsub':
      return optOut
    case 'blocked':
      return refused
    case 'bounce':
      if (innerOf(event, 'hard_bounce') === true) return refused
      // It comes again.
      return error === 'greylisted' ? undefined : { kind: 'softBounced' }
    default:
      return undefined
  }
}

// Webhooks of Mailgun (https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/): one event a call, signed in the body. It
// keeps our Message-ID. Pure.
import { createHmac } from 'node:crypto'
import { isSameText } from '../../../../lib/same-text'
import { relayTag } from '../../../../platform/transports/relay-tags'
import { parseForeignJson } from '../foreign-json'
import { failureOf } from '../mailed'
import type { DeliveryReport } from '../report'
import {
  dateOfSeconds,
  idIn,
  innerOf,
  isRecent,
  optOut,
  type RelayAdapter,
  recipientsOf,
  textOf,
} from './call'

type Facts = Pick<DeliveryReport, 'kind' | 'blame' | 'detail' | 'failure' | 'code' | 'isOptOut'>

export const mailgunEvents: RelayAdapter = {
  isGenuine(key, { body }, now) {
    const value = parseForeignJson(new TextDecoder().decode(body))
    const [timestamp, token] = [textOf(value, 'signature', 'timestamp'), textOf(value, 'signature', 'token')]
    // Two numbers in a row could be divided otherwise.
    if (!isRecent(timestamp, now) || token.length < 20 || token.length > 200) return false
    const expected = createHmac('sha256', key).update(`${timestamp}${token}`).digest('hex')
    // Of a subaccount, the second one is that of the main account.
    return ['signature', 'parent-signature'].some(name =>
      isSameText(textOf(value, 'signature', name), expected),
    )
  },
  events: body => innerOf(body, 'event-data'),
  report(event) {
    const facts = factsOf(event)
    if (!facts) return undefined
    return {
      ...facts,
      ...recipientsOf(textOf(event, 'recipient')),
      at: dateOfSeconds(innerOf(event, 'timestamp')),
      emailId: idIn(textOf(event, 'user-variables', relayTag)),
      messageId: textOf(event, 'message', 'headers', 'message-id') || undefined,
    }
  },
}

function factsOf(event: unknown): Facts | undefined {
  switch (textOf(event, 'event')) {
    case 'delivered':
      return { kind: 'delivered' }
    case 'complained':
      return { kind: 'complained' }
    case 'unsubscribed':
      return optOut
    case 'rejected':
      return { kind: 'bounced', blame: 'other', detail: textOf(event, 'reject', 'reason') }
    case 'failed':
      // It goes on trying after a temporary one.
      return textOf(event, 'severity') === 'permanent' ? failure(event) : undefined
    default:
      return undefined
  }
}

function failure(event: unknown): Facts {
  const status = innerOf(event, 'delivery-status')
  const words = textOf(status, 'message') || textOf(status, 'description')
  switch (textOf(event, 'reason')) {
    case 'old':
      return { kind: 'softBounced', detail: words }
    case 'suppress-bounce':
      return { kind: 'bounced', blame: 'address', detail: words }
    case 'suppress-complaint':
    case 'suppress-unsubscribe':
      return { kind: 'bounced', blame: 'other', detail: words }
    default:
      return failureOf(textOf(status, 'enhanced-code'), `${textOf(status, 'code')} ${words}`)
  }
}

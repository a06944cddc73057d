// The providers whose webhooks are understood.
import type { RelayName } from '../../../../platform/transports/relay-tags'
import { brevoEvents } from './brevo'
import type { RelayAdapter } from './call'
import { mailgunEvents } from './mailgun'
import { mailjetEvents } from './mailjet'
import { postmarkEvents } from './postmark'
import { resendEvents } from './resend'
import { sendgridEvents } from './sendgrid'

export { type RelayReport, reportsIn, type UnreadRelayCall } from './call'

export const relays: Readonly<Record<RelayName, RelayAdapter>> = {
  postmark: postmarkEvents,
  mailgun: mailgunEvents,
  sendgrid: sendgridEvents,
  brevo: brevoEvents,
  mailjet: mailjetEvents,
  resend: resendEvents,
}

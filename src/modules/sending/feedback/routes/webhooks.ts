// Where providers and mail servers report. Nobody is signed in here: each receiver checks a signature over the exact bytes of the body,
// which proves who is calling.
import { Elysia } from 'elysia'
import type { Context } from '../../../../platform/context'
import { type RelayName, relayNames } from '../../../../platform/transports/relay-tags'
import { receiverAnswer, reportsAnswer, reportsBody } from '../model'
import type { UnreadRelayCall } from '../relays'
import {
  receiveMailedReport,
  receiveRelayReports,
  receiveReports,
  receiveSns,
  type UnreadCall,
} from '../service'

export function webhookRoutes(ctx: Context) {
  const routes = new Elysia({ prefix: '/webhooks', tags: ['Webhooks'] })
  for (const relay of relayNames) routes.use(relayRoute(ctx, relay))
  return routes.use(ownRoutes(ctx))
}

const proofs: Record<RelayName, string> = {
  postmark: 'with the secret as password or bearer token',
  mailgun: 'signed by Mailgun',
  sendgrid: 'signed by SendGrid',
  brevo: 'with the secret as password or bearer token',
  mailjet: 'with the secret as password or bearer token',
  resend: 'signed by Resend',
}

/** Those that document a list of events as the body of each call. All others may send one, too: `reportsIn` takes both. */
const listing: readonly RelayName[] = ['mailjet', 'sendgrid']

function relayBody(relay: RelayName) {
  const event = {
    type: 'object' as const,
    additionalProperties: true,
    description: 'An event of the provider',
  }
  const schema = listing.includes(relay) ? { type: 'array' as const, maxItems: 2_000, items: event } : event
  return { required: true, content: { 'application/json': { schema } } }
}

const mailText = { type: 'string' as const, maxLength: 2_097_152 }

function relayRoute(ctx: Context, relay: RelayName) {
  return new Elysia({ tags: ['Webhooks'], detail: { addition: true } }).post(
    `/${relay}`,
    ({ request }) => receiveRelayReports(ctx, relay, relayCall(request)),
    {
      parse: 'none',
      response: reportsAnswer,
      detail: {
        summary: `Events of ${relay[0]!.toUpperCase()}${relay.slice(1)}; ${proofs[relay]}`,
        description:
          'Deliveries, bounces and complaints take effect, each once; other events are accepted and change nothing. 404 until this provider is configured, 403 where the call does not prove where it comes from.',
        errors: [403, 404],
        requestBody: relayBody(relay),
      },
    },
  )
}

function relayCall(request: Request): UnreadRelayCall {
  return { header: name => request.headers.get(name) ?? undefined, read: () => request.bytes() }
}

function ownRoutes(ctx: Context) {
  return new Elysia({ tags: ['Webhooks'] })
    .post('/sns', async ({ request }) => receiveSns(ctx, () => request.text()), {
      parse: 'none',
      response: receiverAnswer,
      detail: {
        summary: 'Notifications of Amazon SES through SNS; signed by Amazon',
        description:
          'Takes reports about messages, and inbound mail, and confirms the subscription of SNS by itself. Only topics in `SNS_TOPIC_ARN` are accepted; a wrong signature or another topic is 403.',
        errors: [403, 502],
        requestBody: {
          required: true,
          content: {
            'text/plain': { schema: mailText },
            'application/json': { schema: { type: 'object', additionalProperties: true } },
          },
        },
      },
    })
    .post('/bounce', ({ request }) => receiveReports(ctx, unreadCall(request)), {
      parse: 'none',
      response: reportsAnswer,
      detail: {
        summary: 'Reports of any provider; signed with FEEDBACK_WEBHOOK_SECRET (Standard Webhooks)',
        description:
          'Each report names its message by `emailId`, by `messageId`, or by `recipient` and `projectId`.',
        requestBody: { required: true, content: { 'application/json': { schema: reportsBody } } },
        addition: true,
        errors: [403],
      },
    })
    .post('/dsn', ({ request }) => receiveMailedReport(ctx, unreadCall(request)), {
      parse: 'none',
      response: reportsAnswer,
      detail: {
        summary:
          'A delivery status notification or complaint as it came by mail; signed with FEEDBACK_WEBHOOK_SECRET',
        description:
          'The body is the mail itself. A report is matched to its message and takes effect once; 400 for a body that is not a message, 403 for a wrong signature or a call older than five minutes.',
        addition: true,
        errors: [403],
        requestBody: { required: true, content: { 'message/rfc822': { schema: mailText } } },
      },
    })
}

function unreadCall(request: Request): UnreadCall {
  const header = (name: string): string | undefined => request.headers.get(name) ?? undefined
  return {
    headers: {
      id: header('webhook-id'),
      timestamp: header('webhook-timestamp'),
      signature: header('webhook-signature'),
    },
    read: () => request.bytes(),
  }
}

// What webhook endpoints are sent, by the name of the event, as the section `webhooks` of the OpenAPI document shows it.
import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { type EmailEventName, emailEventNames, ownEventNames } from '../../lib/event-names'
import { anyKey, freeForm } from '../../lib/free-form'
import { describeSchema, type NamedSchemas, type Schema } from './schema'
import type { Paths } from './types'

const id = Type.String({ format: 'uuid' })
const at = Type.String({ format: 'date-time' })
const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()])
const words = (...all: string[]) => Type.Union(all.map(word => Type.Literal(word)))

/** What every event about a message carries. */
const email = {
  subject: Type.String(),
  from: Type.String({ format: 'email' }),
  fromName: orNull(Type.String()),
  messageId: Type.String({ description: 'The header `Message-ID`' }),
  emailId: id,
  templateId: orNull(id),
  campaignId: orNull(id),
  sourceType: words('TRANSACTIONAL', 'WORKFLOW', 'CAMPAIGN', 'INBOUND'),
  tags: Type.Optional(Type.Array(Type.String())),
  metadata: Type.Optional(Type.Record(anyKey, Type.Unknown())),
}

const copy = Type.Optional(
  Type.Object(
    { kind: words('cc', 'bcc'), email: Type.String({ format: 'email' }) },
    { description: 'The copy that the event is about; `contact` is null then' },
  ),
)

/** Why a message did not arrive. */
const why = {
  reason: Type.String({ description: 'One of the reasons in docs/events.md' }),
  code: orNull(Type.String({ description: 'The enhanced status code or the SMTP code of the other side' })),
  response: orNull(Type.String({ description: "The other side's words, or Waxwing's own" })),
  copy,
}

const more: Record<EmailEventName, TProperties> = {
  'email.sent': { sentAt: at },
  'email.delivery': { deliveredAt: at },
  'email.open': { openedAt: at, opens: Type.Integer(), isFirstOpen: Type.Literal(true) },
  'email.click': {
    link: orNull(Type.String()),
    clickedAt: at,
    clicks: Type.Integer(),
    isFirstClick: Type.Literal(true),
  },
  'email.bounce': {
    bounceType: words('Permanent', 'Transient', 'Undetermined'),
    transientBounce: Type.Optional(Type.Literal(true)),
    bouncedAt: Type.Optional(at),
    ...why,
  },
  'email.complaint': { complainedAt: at },
  'email.failed': { failedAt: at, ...why },
  'email.received': {},
}

const meanings: Record<(typeof ownEventNames)[number], string> = {
  'email.sent': 'A provider or relay accepted the email',
  'email.delivery': "The recipient's server accepted the email",
  'email.open': 'A person opened the email for the first time',
  'email.click': 'A person clicked a link of the email for the first time',
  'email.bounce': 'The email came back, or was refused because of its address',
  'email.complaint': 'The recipient called the email spam',
  'email.failed': 'The email was not delivered, and not because of its address',
  'email.received': 'An email arrived for the project',
  'contact.subscribed': 'A contact subscribed',
  'contact.unsubscribed': 'A contact unsubscribed, bounced or complained',
  'campaign.paused': 'Waxwing paused a campaign, as a whole or for one mailbox provider',
}

const campaignPaused = Type.Object({
  campaignId: id,
  name: Type.String(),
  receiver: orNull(
    Type.String({
      description: 'The mailbox provider that rejects the campaign; null if all sending stopped',
    }),
  ),
  response: Type.String({ description: "The provider's last rejection, or why nothing is sent" }),
  heldCount: Type.Optional(Type.Integer({ description: 'Emails waiting for the provider so far' })),
  refusedCount: Type.Optional(Type.Integer({ description: "Rejections among the provider's last answers" })),
  answerCount: Type.Optional(Type.Integer({ description: 'Answers that were counted, up to 20' })),
  nextTryAt: orNull(at),
})

/** The data of each event that Waxwing records itself. */
export function eventData(name: (typeof ownEventNames)[number]): TSchema {
  if (name === 'campaign.paused') return campaignPaused
  const known = (emailEventNames as readonly string[]).includes(name)
  if (!known || name === 'email.received') return freeForm
  return Type.Object({ ...email, ...more[name as EmailEventName] })
}

function payload(name: (typeof ownEventNames)[number]): TSchema {
  return Type.Object(
    {
      type: Type.Literal(name),
      timestamp: at,
      data: Type.Object({
        contact: orNull(Type.Object({ id, email: orNull(Type.String({ format: 'email' })) })),
        emailId: orNull(id),
        event: eventData(name),
      }),
    },
    { title: `${titleOf(name)}Payload` },
  )
}

function titleOf(name: string): string {
  return name
    .split('.')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

const header = (name: string, description: string) => ({
  ...{ name, in: 'header', required: true, description },
  schema: { type: 'string' },
})

/** One POST for each event; its body is signed as Standard Webhooks says. */
export function describeWebhooks(named: NamedSchemas): Paths {
  const entries = ownEventNames.map(name => {
    const schema = describeSchema(payload(name) as unknown as Schema, named)
    const post = {
      operationId: `on${titleOf(name)}`,
      summary: meanings[name],
      tags: ['Webhooks'],
      security: [],
      parameters: [
        header('webhook-id', 'The same for every attempt'),
        header('webhook-timestamp', 'Seconds since 1970'),
        header('webhook-signature', 'Standard Webhooks, by the secret of the endpoint'),
      ],
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { 200: { description: 'Any 2xx ends the attempts' } },
    }
    return [name, { post }] as const
  })
  return Object.fromEntries(entries)
}

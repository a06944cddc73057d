// Requests and answers of the three public endpoints, as documented. Structure and sizes are said here; what a schema can't say
// well (addresses, line breaks, base64) is checked in request.ts.
import { type Static, t } from 'elysia'
import { addressText } from '../../lib/described'
import { anyKey, freeForm } from '../../lib/free-form'

const address = addressText()
const mailbox = t.Object(
  { email: address, name: t.Optional(t.String({ maxLength: 200 })) },
  { title: 'Mailbox' },
)
const recipient = t.Union([address, mailbox])

const attachment = t.Object(
  {
    filename: t.String({ minLength: 1, maxLength: 255 }),
    content: t.String({ minLength: 1, description: 'Base64' }),
    contentType: t.String({ minLength: 1, maxLength: 255 }),
    contentId: t.Optional(t.String({ minLength: 1, maxLength: 255 })),
    disposition: t.Optional(t.Union([t.Literal('attachment'), t.Literal('inline')])),
  },
  { title: 'Attachment' },
)

export const sendBody = t.Object(
  {
    to: t.Union([address, mailbox, t.Array(recipient, { minItems: 1, maxItems: 1000 })]),
    subject: t.Optional(t.String({ minLength: 1, maxLength: 998 })),
    body: t.Optional(t.String({ minLength: 1, maxLength: 20_000_000, description: 'HTML' })),
    template: t.Optional(t.String({ maxLength: 64, description: 'Id of a template' })),
    from: t.Optional(recipient),
    name: t.Optional(t.String({ maxLength: 200, description: 'Deprecated: use from: {name, email}' })),
    subscribed: t.Optional(t.Boolean()),
    data: t.Optional(t.Union([freeForm, t.Null()])),
    headers: t.Optional(t.Record(anyKey, t.String({ maxLength: 998 }))),
    reply: t.Optional(address),
    tracking: t.Optional(
      t.Boolean({
        description:
          'Whether opens and clicks are measured; where it is missing the template decides, then the project',
        'x-waxwing-addition': true,
      }),
    ),
    attachments: t.Optional(t.Array(attachment, { maxItems: 10 })),
  },
  { title: 'SendRequest' },
)

export type SendBody = Static<typeof sendBody>

export const sendAnswer = t.Object(
  {
    success: t.Literal(true),
    data: t.Object({
      emails: t.Array(
        t.Object({ contact: t.Object({ id: t.String(), email: t.String() }), email: t.String() }),
      ),
      timestamp: t.String(),
    }),
  },
  { title: 'SendResult' },
)

export interface SendResult {
  emails: Array<{ contact: { id: string; email: string }; email: string }>
  timestamp: string
}

const eventName = t.String({ minLength: 1, maxLength: 255, examples: ['signed_up'] })
const trackMembers = {
  subscribed: t.Optional(
    t.Boolean({ description: 'A new contact without it is subscribed, an existing one keeps its state' }),
  ),
  data: t.Optional(
    t.Union([freeForm, t.Null()], {
      description: 'A patch of the contact, and the data of the event',
      examples: [{ plan: 'pro', code: { value: 'A1', persistent: false } }],
    }),
  ),
}

export const trackBody = t.Object(
  { email: address, event: eventName, ...trackMembers },
  { title: 'TrackRequest' },
)

/** The same for `/events/track`, which knows more ways of saying who and what. */
export const trackByBody = t.Object({
  email: t.Optional(address),
  event: t.Optional(eventName),
  name: t.Optional(eventName),
  contactId: t.Optional(
    t.String({ format: 'uuid', description: 'A contact that exists, in place of email' }),
  ),
  ...trackMembers,
})

export type TrackBody = Static<typeof trackBody>
export type TrackByBody = Static<typeof trackByBody>

export const trackAnswer = t.Object(
  {
    success: t.Literal(true),
    data: t.Object({ contact: t.String(), event: t.String(), timestamp: t.String() }),
  },
  { title: 'TrackResult' },
)

export interface TrackResult {
  /** Id of the contact. */
  contact: string
  /** Id of the event. */
  event: string
  timestamp: string
}

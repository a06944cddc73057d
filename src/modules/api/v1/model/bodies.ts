// Requests and answers of the three public endpoints, as documented. Structure and sizes are said here; what a schema can't say
// well (addresses, line breaks, base64) is checked in send.ts.
import { type Static, type TSchema, t } from 'elysia'
import { errorSchema } from '../../../../http/envelope'
import { answeredAddress, answeredId, answeredInstant } from '../../../../lib/answered'
import { addressText, describedAs, instantText } from '../../../../lib/described'
import { anyKey, freeForm } from '../../../../lib/free-form'

/** Of the envelope of one message: what relays take at once. */
export const maxAddresses = 50
/** A name and an address. */
const maxMailboxLength = 600

/** Clients write out members that they have no value for: null is the same as leaving it out. */
function orNull<T extends TSchema>(schema: T) {
  return t.Optional(t.Union([schema, t.Null()]))
}

const address = addressText()
const mailbox = t.Object({ email: address, name: orNull(t.String({ maxLength: 200 })) }, { title: 'Mailbox' })
/** An address, or a name and the address in angle brackets after it. */
const written = describedAs(t.String({ maxLength: maxMailboxLength, examples: ['Ada <ada@example.com>'] }), {
  type: 'string',
  maxLength: maxMailboxLength,
  description: 'An address, or `Name <address>`',
  examples: ['ada@example.com', 'Ada <ada@example.com>'],
})
const recipient = t.Union([written, mailbox])
const addition = { 'x-waxwing-addition': true }

/** Clients write out members that they have no value for. */
const nothing = t.Union([t.Null(), t.Literal('')])

const copies = (description: string) =>
  t.Optional(
    t.Union([written, mailbox, t.Array(recipient, { maxItems: maxAddresses }), t.Null()], {
      description,
      ...addition,
    }),
  )

const attachment = t.Object(
  {
    filename: t.String({ minLength: 1, maxLength: 255 }),
    content: t.String({ description: 'Base64; empty for a file of zero bytes' }),
    contentType: t.String({ minLength: 1, maxLength: 255 }),
    contentId: orNull(t.String({ minLength: 1, maxLength: 255 })),
    disposition: t.Optional(t.Union([t.Literal('attachment'), t.Literal('inline'), t.Null()])),
  },
  { title: 'Attachment' },
)

export const sendBody = t.Object(
  {
    to: t.Union([written, mailbox, t.Array(recipient, { minItems: 1, maxItems: 1000 })]),
    cc: copies('Further recipients of the same message; with any, "to" names one recipient'),
    bcc: copies('The same, hidden from the others'),
    subject: orNull(t.String({ minLength: 1, maxLength: 998 })),
    body: orNull(t.String({ minLength: 1, maxLength: 20_000_000, description: 'HTML' })),
    text: t.Optional(
      t.Union([t.String({ maxLength: 20_000_000 }), t.Null()], {
        description: 'The plain-text part, in place of the one made from the body',
        ...addition,
      }),
    ),
    template: orNull(t.String({ maxLength: 64, description: 'Id of a template' })),
    from: t.Optional(t.Union([written, mailbox, t.Null()])),
    name: orNull(t.String({ maxLength: 200, description: 'Deprecated: use from: {name, email}' })),
    subscribed: orNull(
      t.Boolean({
        description:
          'true subscribes the recipients, false unsubscribes them. If omitted, existing contacts keep their status, and new ones are not subscribed',
      }),
    ),
    data: t.Optional(
      t.Union([freeForm, t.Null()], {
        description:
          'Values of the variables, also stored as custom fields of the recipients: null removes a field, and `{"value": …, "persistent": false}` is used in this email only',
        examples: [{ plan: 'pro', code: { value: 'A1', persistent: false } }],
      }),
    ),
    headers: t.Optional(
      t.Union([t.Record(anyKey, t.String({ maxLength: 998 })), t.Null()], {
        description:
          'Additional headers, up to 100. Headers that Waxwing writes are rejected: use `from`, `reply`, `cc`, and `subject`',
        examples: [{ 'X-Order-Id': '1042' }],
      }),
    ),
    reply: orNull(written),
    scheduledFor: t.Optional(
      t.Union([instantText(), t.Null()], {
        description:
          'When the email is sent, with `Z` or an offset; at once if it is missing or in the past, at most 30 days ahead',
        ...addition,
      }),
    ),
    tags: t.Optional(
      t.Union([t.Array(t.String({ minLength: 1, maxLength: 100 }), { maxItems: 20 }), nothing], {
        description: 'Words of your own, shown in the ledger and in every event of the message',
        ...addition,
      }),
    ),
    metadata: t.Optional(
      t.Union(
        [t.Record(anyKey, t.Union([t.String({ maxLength: 1000 }), t.Number(), t.Boolean()])), nothing],
        {
          description: 'Names and values of your own, shown in the ledger and in every event of the message',
          ...addition,
        },
      ),
    ),
    tracking: orNull(
      t.Boolean({
        description:
          'Whether opens and clicks are measured; where it is missing the template decides, then the project',
        'x-waxwing-addition': true,
      }),
    ),
    attachments: orNull(t.Array(attachment, { maxItems: 10 })),
  },
  { title: 'SendRequest' },
)

export type SendBody = Static<typeof sendBody>

/** A message that is finished already: nothing in it is filled. */
export type Submission = Pick<
  SendBody,
  'from' | 'subject' | 'body' | 'text' | 'tracking' | 'tags' | 'metadata'
> & { to: Array<{ email: string; name?: string }>; source: SubmittedSource }

/** The bytes that leave. Subject and bodies beside them are what the ledger shows. */
export interface SubmittedSource {
  raw: Buffer
  /** They are stored already, under this name. */
  storedAs?: string
  /** The program's own, without brackets, where it may leave. */
  messageId: string | undefined
  hasFiles: boolean
}

export const sendAnswer = t.Object(
  {
    success: t.Literal(true),
    data: t.Object({
      emails: t.Array(
        t.Object({
          contact: t.Object({ id: answeredId(), email: answeredAddress() }),
          email: answeredId({ description: 'Id of the email' }),
        }),
      ),
      timestamp: answeredInstant(),
    }),
  },
  { title: 'SendResult' },
)

export const batchBody = t.Object(
  {
    messages: t.Array(t.Unknown(), {
      minItems: 1,
      maxItems: 100,
      description: 'Each a body of `POST /v1/send`',
    }),
  },
  { title: 'SendBatchRequest' },
)

const statusCode = t.Integer({ description: 'Status that `POST /v1/send` would have returned' })
/** Told apart by `success`. The check is wider: what is answered is known to be one of the two. */
const batchResult = describedAs(
  t.Object({
    success: t.Boolean(),
    statusCode,
    data: t.Optional(sendAnswer.properties.data),
    error: t.Optional(freeForm),
  }),
  t.Union([
    t.Object(
      { success: t.Literal(true), statusCode, data: sendAnswer.properties.data },
      { title: 'AcceptedMessage' },
    ),
    t.Object({ success: t.Literal(false), statusCode, error: errorSchema }, { title: 'RefusedMessage' }),
  ]),
)

export const batchAnswer = t.Object(
  {
    success: t.Literal(true),
    data: t.Object({
      results: t.Array(batchResult, { description: 'One per email, in the order of the request' }),
    }),
  },
  { title: 'SendBatchResult' },
)

export interface AcceptedSend {
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
    data: t.Object({ contact: answeredId(), event: answeredId(), timestamp: answeredInstant() }),
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

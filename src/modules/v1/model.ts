// Requests and answers of the three public endpoints, as documented. Structure and sizes are said here; what a schema can't say
// well (addresses, line breaks, base64) is checked in request.ts.
import { type Static, t } from 'elysia'

const address = t.String({ maxLength: 320, examples: ['ada@example.com'] })
const mailbox = t.Object({ email: address, name: t.Optional(t.String({ maxLength: 200 })) })
const recipient = t.Union([address, mailbox])

const attachment = t.Object({
  filename: t.String({ minLength: 1, maxLength: 255 }),
  content: t.String({ minLength: 1, description: 'Base64' }),
  contentType: t.String({ minLength: 1, maxLength: 255 }),
  contentId: t.Optional(t.String({ minLength: 1, maxLength: 255 })),
  disposition: t.Optional(t.Union([t.Literal('attachment'), t.Literal('inline')])),
})

/** Any text as a key: the usual pattern of records knows no line breaks, and a member under such a key would vanish unseen. */
const anyKey = t.String({ pattern: '^[\\s\\S]*$' })

export const sendBody = t.Object({
  to: t.Union([address, mailbox, t.Array(recipient, { minItems: 1, maxItems: 1000 })]),
  subject: t.Optional(t.String({ minLength: 1, maxLength: 998 })),
  body: t.Optional(t.String({ minLength: 1, maxLength: 20_000_000, description: 'HTML' })),
  template: t.Optional(t.String({ maxLength: 64, description: 'Id of a template' })),
  from: t.Optional(recipient),
  name: t.Optional(t.String({ maxLength: 200, description: 'Deprecated: use from: {name, email}' })),
  subscribed: t.Optional(t.Boolean()),
  data: t.Optional(t.Union([t.Record(anyKey, t.Unknown()), t.Null()])),
  headers: t.Optional(t.Record(anyKey, t.String({ maxLength: 998 }))),
  reply: t.Optional(address),
  attachments: t.Optional(t.Array(attachment, { maxItems: 10 })),
})

export type SendBody = Static<typeof sendBody>

export const sendAnswer = t.Object({
  success: t.Literal(true),
  data: t.Object({
    emails: t.Array(
      t.Object({ contact: t.Object({ id: t.String(), email: t.String() }), email: t.String() }),
    ),
    timestamp: t.String(),
  }),
})

export interface SendResult {
  emails: Array<{ contact: { id: string; email: string }; email: string }>
  timestamp: string
}

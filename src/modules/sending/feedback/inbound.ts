// Mail that came in through SES: the contents of its notification, made safe to keep and to show. MIME and HTML are untrusted, so
// all of it is bounded, and read by a thread.
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { isEmail, normaliseEmail } from '../../../lib/address'
import { escapeHtml } from '../../../lib/escape'
import { storable } from '../../../lib/storable'
import { parseDate } from '../../../lib/time'
import { readByThread, UnreadableMail } from '../../../platform/foreign-mail'
import type { ReceivedContent } from './received-content'

const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const text = optional(Type.String())
const verdict = optional(Type.Object({ status: text }))

const notification = Type.Object({
  content: text,
  mail: Type.Object({
    messageId: Type.String({ maxLength: 1_000 }),
    source: Type.String({ maxLength: 1_000 }),
    timestamp: text,
    commonHeaders: optional(
      Type.Object({
        from: optional(Type.Array(Type.String())),
        to: optional(Type.Array(Type.String())),
        subject: text,
        messageId: text,
      }),
    ),
  }),
  receipt: Type.Object({
    recipients: Type.Array(Type.String({ maxLength: 1_000 })),
    processingTimeMillis: optional(Type.Number()),
    spamVerdict: verdict,
    virusVerdict: verdict,
    spfVerdict: verdict,
    dkimVerdict: verdict,
    dmarcVerdict: verdict,
    action: optional(Type.Object({ encoding: text })),
  }),
})

export interface InboundMail {
  /** The address that sent it, as it is stored for contacts. */
  from: string
  /** The addresses that it came to, invalid ones left out. */
  recipients: string[]
  subject: string
  html: string
  text: string
  /** Its own Message-ID where it has one, otherwise the provider's id. */
  messageId: string
  receivedAt: Date
  /** Whether the receipt proves that `from` sent it: without that, nobody is subscribed by it. */
  isProved: boolean
  /** What `email.received` carries besides the members that differ by recipient. */
  facts: Record<string, unknown>
}

const maxRecipients = 100
/** Events are read in lists, so they carry a shorter body. */
const maxEventBodyLength = 50_000
const maxLineLength = 998

/**
 * Undefined for anything that is not a notification of received mail; mail from a sender without an address (a bounce) makes no contact.
 */
export async function readInbound(value: unknown, now: Date): Promise<InboundMail | undefined> {
  if (!Value.Check(notification, value)) return undefined
  const { mail, receipt } = value
  const content = await readContent(value)
  const headers = mail.commonHeaders
  const subject = oneLine(headers?.subject ?? content.subject) || '(no subject)'
  const { html, text: plain } = content
  const recipients = receipt.recipients.map(normaliseEmail).filter(isEmail)
  return {
    from: isEmail(normaliseEmail(mail.source)) ? normaliseEmail(mail.source) : '',
    recipients: [...new Set(recipients)].slice(0, maxRecipients),
    subject,
    html: html || asHtml(plain),
    text: plain,
    messageId: oneLine(headers?.messageId ?? content.messageId).replace(/[<>]/g, '') || mail.messageId,
    receivedAt: parseDate(mail.timestamp ?? '') ?? now,
    isProved: isProved(receipt),
    facts: {
      messageId: mail.messageId,
      from: mail.source,
      fromHeader: oneLine(headers?.from?.[0]) || null,
      subject,
      timestamp: mail.timestamp ?? null,
      recipients: recipients.slice(0, maxRecipients),
      hasContent: Boolean(value.content),
      body: (html || plain).slice(0, maxEventBodyLength),
      ...verdicts(receipt),
      processingTimeMillis: receipt.processingTimeMillis ?? null,
    },
  }
}

type Notification = Static<typeof notification>

function verdicts(receipt: Notification['receipt']): Record<string, string | null> {
  const { spamVerdict, virusVerdict, spfVerdict, dkimVerdict, dmarcVerdict } = receipt
  const all = { spamVerdict, virusVerdict, spfVerdict, dkimVerdict, dmarcVerdict }
  return Object.fromEntries(
    Object.entries(all).map(([name, one]) => [name, one?.status?.slice(0, 100) ?? null]),
  )
}

/** SPF is about the very address in `from`; a valid DKIM signature may be anybody's, but a broken one speaks against the mail. */
function isProved({ spfVerdict, dkimVerdict, dmarcVerdict }: Notification['receipt']): boolean {
  const hasFailed = [dkimVerdict, dmarcVerdict].some(one => one?.status?.toUpperCase() === 'FAIL')
  return spfVerdict?.status?.toUpperCase() === 'PASS' && !hasFailed
}

const noContent: ReceivedContent = { subject: undefined, messageId: undefined, html: '', text: '' }

/** A message that exceeds the bounds, or has no content, is kept without it. */
async function readContent({ content, mail, receipt }: Notification): Promise<ReceivedContent> {
  if (!content) return noContent
  const isBase64 = receipt.action?.encoding?.toUpperCase() === 'BASE64'
  const raw = Buffer.from(content, isBase64 ? 'base64' : 'utf8')
  try {
    return (await readByThread('received', raw, mail.source)) as ReceivedContent
  } catch (error) {
    if (error instanceof UnreadableMail) return noContent
    throw error
  }
}

function asHtml(plain: string): string {
  return plain === '' ? '' : `<pre>${escapeHtml(plain)}</pre>`
}

function oneLine(text: string | null | undefined): string {
  return storable(text ?? '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, maxLineLength)
}

// Mail that came in through SES: the contents of its notification, made safe to keep and to show. MIME and HTML are untrusted, so all of
// it is bounded and sanitised. Pure.
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { isEmail, normaliseEmail } from '../../lib/address'
import { escapeHtml } from '../../lib/escape'
import { htmlToText } from '../../lib/html-text'
import { storable } from '../../lib/storable'
import { parseDate } from '../../lib/time'
import { readForeignMail } from '../../mime/foreign'

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
const maxBodyLength = 500_000
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
  const html = await sanitiseHtml(content.html)
  const plain = storable(
    content.text || htmlToText(html, { showsLink: href => /^https?:/i.test(href) }),
  ).slice(0, maxBodyLength)
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

interface Content {
  subject?: string
  messageId?: string
  html: string
  text: string
}

/** Nesting, parts and headers are bounded; a message that exceeds them, or has no content, is kept without it. */
async function readContent({ content, receipt }: Notification): Promise<Content> {
  if (!content) return { html: '', text: '' }
  const isBase64 = receipt.action?.encoding?.toUpperCase() === 'BASE64'
  const raw = Buffer.from(content, isBase64 ? 'base64' : 'utf8')
  try {
    const limits = { maxNestingDepth: 20, maxRfc822NestingDepth: 0 }
    const { subject, messageId, html, text } = await readForeignMail(raw, limits)
    return {
      ...(subject === undefined ? {} : { subject }),
      ...(messageId === undefined ? {} : { messageId }),
      html: html ?? '',
      text: text ?? '',
    }
  } catch {
    return { html: '', text: '' }
  }
}

async function sanitiseHtml(html: string): Promise<string> {
  if (html === '') return ''
  // Loaded here, because most instances receive no mail, and need less memory without it.
  const { default: sanitizeHtml } = await import('sanitize-html')
  const { allowedTags, allowedAttributes } = sanitizeHtml.defaults
  const cleaned = sanitizeHtml(firstTags(html.slice(0, maxBodyLength)), {
    allowedTags: [...allowedTags, 'img'],
    allowedAttributes: { ...allowedAttributes, '*': ['style'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    nestingLimit: 100,
    // No style is allowed or refused by its contents, so there is no need to parse it.
    parseStyleAttributes: false,
  })
  return storable(cleaned).slice(0, maxBodyLength)
}

/** Deep nesting costs the sanitiser the square of the number of tags. */
const maxTags = 15_000

function firstTags(html: string): string {
  let end = html.indexOf('<')
  for (let tags = 0; end !== -1 && tags < maxTags; tags++) end = html.indexOf('<', end + 1)
  return end === -1 ? html : html.slice(0, end)
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

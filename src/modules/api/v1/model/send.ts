// The rules of a send request that a schema can't say: addresses, line breaks, reserved headers, Base64 and sizes. Returns the
// request in one normal form, or every fault at once.
import type { FieldError } from '../../../../lib/errors'
import { isUuid } from '../../../../lib/ids'
import { addressHeaderFault } from '../../../../mail/mime/address-headers'
import type { Mailbox } from '../../../../mail/mime/mail'
import { isRouteHeader } from '../../../../mail/mime/route-headers'
import { structureFault } from '../../../../mail/mime/structured'
import type { Copy, Metadata } from '../../../sending/emails'
import { metadataFault } from '../metadata'
import type { SendBody } from './bodies'
import { copiesOf, line, mailbox, readReplyTo, recipients } from './mailboxes'

export interface SendRequest {
  to: Mailbox[]
  copies: Copy[]
  from: Mailbox | null
  /** Sender name for a `from` without one, or for the template's. */
  fallbackName: string | null
  subject: string | null
  body: string | null
  /** The author's own text part. */
  text: string | null
  template: string | null
  replyTo: string | null
  subscribed: boolean | undefined
  data: Record<string, unknown>
  headers: Record<string, string>
  attachments: Attachment[]
  tracking: boolean | undefined
  tags: string[] | null
  metadata: Metadata | null
}

export interface Attachment {
  filename: string
  contentType: string
  contentId: string | null
  disposition: 'attachment' | 'inline'
  /** Base64 without white space. */
  content: string
  size: number
}

/** Headers that Waxwing writes itself, and by prefix those of MIME parts. */
const reservedPrefixes = ['content-']
const reservedHeaders = new Set([
  'from',
  'to',
  'cc',
  'bcc',
  'sender',
  'subject',
  'date',
  'message-id',
  'reply-to',
  'return-path',
  'dkim-signature',
  'mime-version',
])
/** Members of a send that say what a reserved header would. */
const membersByHeader: Readonly<Record<string, string>> = {
  from: 'from',
  to: 'to',
  cc: 'cc',
  bcc: 'bcc',
  subject: 'subject',
  'reply-to': 'reply',
}
const headerName = /^[!-9;-~]{1,100}$/
const lineBreak = /[\r\n]/
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** `limits.attachmentBytes` bounds all attachments together. */
export function parseSend(body: SendBody, limits: { attachmentBytes: number }): SendRequest | FieldError[] {
  const faults: FieldError[] = []
  // Far more than is allowed is not looked at: that alone takes long.
  const isEndless = lengthOf(body.attachments) > 2 * limits.attachmentBytes
  const request: SendRequest = {
    to: recipients(body.to, faults),
    copies: copiesOf(body, faults),
    from: body.from == null ? null : mailbox(body.from, 'from', faults),
    fallbackName: line(body.name, 'name', faults),
    subject: line(body.subject, 'subject', faults),
    body: body.body ?? null,
    text: body.text || null,
    template: body.template ?? null,
    replyTo: body.reply == null ? null : readReplyTo(body.reply, faults),
    subscribed: body.subscribed ?? undefined,
    data: body.data ?? {},
    headers: headers(body.headers ?? {}, faults),
    attachments: (isEndless ? [] : (body.attachments ?? [])).map((item, index) =>
      attachment(item, `attachments.${index}`, faults),
    ),
    tracking: body.tracking ?? undefined,
    tags: body.tags?.length ? [...new Set(body.tags)] : null,
    metadata: metadata(body.metadata, faults),
  }
  if (request.template !== null && !isUuid(request.template))
    faults.push({
      field: 'template',
      message: 'must be the id of a template (a UUID)',
      code: 'invalid_string',
    })
  if (request.template === null) faults.push(...missingContent(request))
  const total = request.attachments.reduce((sum, item) => sum + item.size, 0)
  if (isEndless || total > limits.attachmentBytes)
    faults.push({
      field: 'attachments',
      message: `attachments are ${isEndless ? 'far too many' : total} bytes together; at most ${limits.attachmentBytes} are allowed`,
      code: 'too_big',
    })
  return faults.length > 0 ? faults : request
}

function lengthOf(attachments: SendBody['attachments']): number {
  return (attachments ?? []).reduce((sum, { content }) => sum + content.length, 0)
}

function metadata(given: SendBody['metadata'], faults: FieldError[]): Metadata | null {
  if (!given || Object.keys(given).length === 0) return null
  const message = metadataFault(given)
  if (message !== undefined) faults.push({ field: 'metadata', message, code: 'too_big' })
  return given
}

/** The template first, because clients of this interface know it as the place of this fault; then what is missing indeed. */
function missingContent({
  subject,
  body,
  text,
}: Pick<SendRequest, 'subject' | 'body' | 'text'>): FieldError[] {
  if (subject !== null && text !== null) return []
  const missing = Object.entries({ subject, body }).flatMap(([field, value]) =>
    value === null ? [field] : [],
  )
  if (missing.length === 0) return []
  const message = 'either template, or subject and body, is required'
  return [
    { field: 'template', message, code: 'custom' },
    ...missing.map(field => ({ field, message: 'is required without a template', code: 'required' })),
  ]
}

function headers(given: Record<string, string>, faults: FieldError[]): Record<string, string> {
  const names = Object.keys(given)
  if (names.length > 100) faults.push({ field: 'headers', message: 'at most 100 headers', code: 'too_big' })
  for (const name of names.slice(0, 100)) {
    const fault = headerFault(name, given[name]!)
    if (fault) faults.push({ field: `headers.${name}`, message: fault, code: 'invalid_string' })
  }
  return onceEach(given)
}

/** Names that differ only in case are one header; the last one counts. Decided here, because what is stored has no order. */
function onceEach(headers: Record<string, string>): Record<string, string> {
  const byName = new Map(Object.entries(headers).map(entry => [entry[0].toLowerCase(), entry]))
  return Object.fromEntries(byName.values())
}

function headerFault(name: string, value: string): string | undefined {
  if (!headerName.test(name)) return 'header names are printable ASCII without spaces and colons'
  if (lineBreak.test(value)) return 'header values must not contain line breaks'
  const lower = name.toLowerCase()
  if (reservedHeaders.has(lower) || reservedPrefixes.some(prefix => lower.startsWith(prefix)))
    return lower in membersByHeader
      ? `Waxwing writes this header: use "${membersByHeader[lower]}"`
      : 'Waxwing writes this header'
  if (isRouteHeader(lower)) return 'this header is for relays and mail servers; it may not be set'
  return addressHeaderFault(lower, value) ?? structureFault(lower, value)
}

function attachment(
  item: NonNullable<SendBody['attachments']>[number],
  field: string,
  faults: FieldError[],
): Attachment {
  const content = item.content.replace(/\s+/g, '')
  const disposition = item.disposition ?? 'attachment'
  const refuse = (member: string, message: string, code = 'invalid_string'): void =>
    void faults.push({ field: `${field}.${member}`, message, code })
  if (/[\r\n"]/.test(item.filename)) refuse('filename', 'must not contain line breaks or quotes')
  if (!/^[\w.+-]+\/[\w.+-]+(\s*;[^\r\n]*)?$/.test(item.contentType))
    refuse('contentType', 'must be a MIME type')
  if (item.contentId && /[<>\r\n]/.test(item.contentId))
    refuse('contentId', 'must not contain angle brackets or line breaks')
  // No link in the body could name it.
  else if (disposition === 'inline' && item.contentId && !/^[!-~]+$/.test(item.contentId))
    refuse('contentId', 'must be printable ASCII without spaces when disposition is inline')
  if (disposition === 'inline' && !item.contentId)
    refuse('contentId', 'is required when disposition is inline', 'custom')
  // A file without content is fine, but blanks alone are not Base64.
  const isEmpty = item.content === ''
  if (!isEmpty && (content.length % 4 !== 0 || !base64.test(content))) refuse('content', 'must be Base64')
  const padding = content.endsWith('==') ? 2 : content.endsWith('=') ? 1 : 0
  return {
    filename: item.filename,
    contentType: item.contentType,
    contentId: item.contentId ?? null,
    disposition,
    content,
    size: (content.length / 4) * 3 - padding,
  }
}

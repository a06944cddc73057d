// Mail that came back: delivery status notifications (RFC 3464), complaints (ARF, RFC 5965) and the forms of servers that write neither.
// Everything in it is untrusted, so parts, fields and lengths are bounded. From bytes to reports; pure.
import type { Attachment, Email } from 'postal-mime'
import { normaliseEmail } from '../../lib/address'
import { htmlToText } from '../../lib/html-text'
import { parseDate } from '../../lib/time'
import { readForeignMail, TooManyParts } from '../mime/foreign'
import { complaintsIn } from './complaint'
import { readFieldGroups } from './fields'
import type { Failure } from './given-up'
import { isFromServer, readPlainForm } from './plain'
import type { Meaning } from './refusal'
import { statusReports } from './status'

/**
 * What a report says of one recipient. Of a message that was given up: one of `Meaning`, or `expired` where the reason was temporary.
 * `delayed` and `none` change nothing.
 */
export type Said = Meaning | 'expired' | 'delayed' | 'delivered' | 'complaint' | 'optOut' | 'none'

export interface MailReport {
  said: Said
  /** Of a message that is still being tried: what it will fail for, if nothing changes. Nothing is done about it. */
  likely?: Failure
  /** Whether it may work later, by its code. */
  temporary?: boolean
  /** `status` and `feedback` are the standard forms; anybody can write the others, so they count where only one message can come back to. */
  form: 'status' | 'feedback' | 'plain'
  recipient?: string
  /** Enhanced status code, or the SMTP code. */
  code?: string
  /** The other side's own words. */
  words: string
  at?: Date | undefined
}

export interface ReturnedMail {
  /** Message-IDs that it may be about, the likeliest first. */
  messageIds: string[]
  /** Senders of the envelope that are named in it. */
  returnPaths: string[]
  reports: MailReport[]
  /** An automatic answer of a person's program, such as "out of office"; it says nothing about the delivery. */
  isAnswer: boolean
}

const limits = {
  maxNestingDepth: 10,
  forceRfc822Attachments: true,
  attachmentEncoding: 'arraybuffer',
} as const
const maxParts = 50
const maxPartLength = 256 * 1024
const maxNames = 100

/** Undefined for what is no message at all. Mail that is none of the forms has no reports. */
export function readReturnedMail(raw: Uint8Array): Promise<ReturnedMail | undefined> {
  return read(raw, 0)
}

async function read(raw: Uint8Array, depth: number): Promise<ReturnedMail | undefined> {
  const mail = await readForeignMail(raw, limits).catch((error: Error) => error)
  if (mail instanceof TooManyParts) return { messageIds: [], returnPaths: [], reports: [], isAnswer: false }
  if (mail instanceof Error) return undefined
  const parts = mail.attachments
    .slice(0, maxParts)
    .map(part => ({ type: part.mimeType.toLowerCase(), text: textOf(part) }))
  const text = bodyOf(mail, parts) || rawBody(raw)
  const reports = reportsIn(mail, parts, text)
  const sentAt = parseDate(mail.date ?? '')
  if (reports.every(isVague) && depth < 2) {
    const inner = parts.find(
      part => part.type === 'message/rfc822' && /report-type="?delivery-status/i.test(part.text),
    )
    const found = inner && (await read(new TextEncoder().encode(inner.text), depth + 1))
    if (found && found.reports.length > 0) return found
  }
  return {
    ...namesIn(mail, parts, text),
    reports: reports
      .slice(0, maxNames)
      .map(report => ({ ...withPlainAddress(report), at: report.at ?? sentAt })),
    isAnswer: reports.length === 0 && isAnswer(mail),
  }
}

/** Some gateways put a report into a mail of their own. */
function isVague({ form, said }: MailReport): boolean {
  return form === 'plain' && said === 'unknown'
}

interface Part {
  type: string
  text: string
}

function textOf({ content }: Attachment): string {
  if (typeof content === 'string') return content.slice(0, maxPartLength)
  return new TextDecoder().decode(new Uint8Array(content).subarray(0, maxPartLength))
}

/** The part that people read; where it was lost, the texts that are attached. */
function bodyOf({ text, html }: Email, parts: readonly Part[]): string {
  if (text?.trim()) return text.slice(0, maxPartLength)
  if (html?.trim()) return htmlToText(html.slice(0, maxPartLength), { showsLink: () => false })
  return parts.find(part => part.type === 'text/plain')?.text ?? ''
}

/** Of a mail whose parts are not where its header says. */
function rawBody(raw: Uint8Array): string {
  const text = new TextDecoder().decode(raw.subarray(0, maxPartLength))
  const end = /\r?\n\r?\n/.exec(text)?.index
  return end === undefined ? '' : text.slice(end)
}

const statusTypes = new Set(['message/delivery-status', 'message/global-delivery-status'])

/** The standard forms first; a form of words only where there is none of them. */
function reportsIn(mail: Email, parts: readonly Part[], text: string): MailReport[] {
  const complaints = complaintsIn(mail, parts)
  if (complaints.length > 0) return complaints
  const groups = parts.filter(({ type }) => statusTypes.has(type)).flatMap(part => readFieldGroups(part.text))
  const reports = statusReports(groups, text)
  if (reports.length > 0) return reports
  if (!isFromServer(mail)) return []
  const unquoted = text.replace(/^> ?/gm, '')
  const written = statusReports(readFieldGroups(unquoted), unquoted, true).map(report => ({
    ...report,
    form: 'plain' as const,
  }))
  return written.length > 0 ? written : readPlainForm(mail, text)
}

const originalTypes = new Set([
  ...['message/rfc822', 'text/rfc822-headers', 'message/rfc822-headers', 'message/global'],
  ...['message/global-headers', 'text/rfc822'],
])

/** What the mail calls the message that it is about: in the returned part, in its own header, or in the text itself. */
function namesIn(
  mail: Email,
  parts: readonly Part[],
  text: string,
): Pick<ReturnedMail, 'messageIds' | 'returnPaths'> {
  const headers = parts
    .filter(({ type }) => originalTypes.has(type))
    .map(part => readFieldGroups(part.text)[0])
  const originals = headers.flatMap(fields => idsIn(fields?.get('message-id')).slice(0, 1))
  const quoted = [...text.matchAll(/^[ \t>]{0,10}message-id:[ \t]{0,10}(<[^<>\s]{1,500}>)/gim)].map(
    ([, id]) => id!,
  )
  const paths = parts.flatMap(part => {
    const fields = readFieldGroups(part.text)[0]
    return ['original-mail-from', 'return-path'].flatMap(
      name => fields?.get(name)?.replace(/[<>\s]/g, '') || [],
    )
  })
  const ids = [...originals, ...idsIn(mail.inReplyTo), ...idsIn(mail.references), ...quoted]
  return {
    messageIds: [...new Set(ids)].slice(0, maxNames),
    returnPaths: [...new Set(paths)].slice(0, maxNames),
  }
}

function idsIn(line: string | undefined): string[] {
  return line?.match(/<[^<>\s]{1,500}>/g) ?? []
}

function withPlainAddress({ recipient, words, ...report }: MailReport): MailReport {
  const address = recipient === undefined ? {} : { recipient: normaliseEmail(recipient) }
  return { ...report, ...address, words: printable(words) }
}

const maxWords = 1_000

function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, maxWords)
}

function isAnswer({ headers }: Email): boolean {
  return headers.some(
    ({ key, value }) =>
      (key === 'auto-submitted' && /^auto-(?:replied|generated)/i.test(value)) ||
      (key === 'precedence' && /auto.?reply/i.test(value)) ||
      ['x-autoreply', 'x-autorespond', 'x-auto-response-suppress', 'x-autoresponder'].includes(key),
  )
}

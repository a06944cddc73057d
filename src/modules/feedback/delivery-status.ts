// Reports that come as mail: delivery status notifications (RFC 3464) and complaints (ARF, RFC 5965). Everything in them is untrusted, so
// parts, fields and lengths are bounded, and what can't be read is not a report. Pure.
import type { Attachment } from 'postal-mime'
import { normaliseEmail } from '../../lib/address'
import { parseDate } from '../../lib/time'
import { readForeignMail, TooManyParts } from '../../mime/foreign'
import { blamesAddress } from '../../platform/mail/reply'
import { looksLikeReturnPath } from '../../platform/mail/return-path'
import type { DeliveryReport } from './report'

/** The part of a report about one recipient. */
export type StatusReport = Pick<DeliveryReport, 'kind' | 'detail' | 'blame' | 'recipients'> & {
  at: Date | undefined
}

export interface MailedReport {
  /** Message-IDs that the report may be about, the likeliest first. */
  messageIds: string[]
  /** Addresses that the message may have come back to, or was sent from. */
  returnPaths?: string[]
  reports: StatusReport[]
}

const limits = {
  maxNestingDepth: 10,
  forceRfc822Attachments: true,
  attachmentEncoding: 'arraybuffer',
} as const
const maxParts = 50
const maxPartLength = 256 * 1024
const maxFields = 2_000
const maxRecipients = 100
const maxDetailLength = 1_000

/** Undefined for anything that is not a report. */
export async function readMailedReport(raw: Uint8Array): Promise<MailedReport | undefined> {
  const mail = await readForeignMail(raw, limits).catch((error: Error) => error)
  if (mail instanceof TooManyParts) return { messageIds: [], reports: [] }
  if (mail instanceof Error) return undefined
  const parts = mail.attachments.slice(0, maxParts)
  const reports = parts.flatMap(part => reportsOf(part.mimeType, part))
  const originals = parts.filter(part => originalTypes.has(part.mimeType)).flatMap(messageIdsOf)
  const answered = [mail.inReplyTo, mail.references].flatMap(line => line?.match(/<[^<>\s]{1,500}>/g) ?? [])
  const paths = new Set(parts.flatMap(returnPathsOf))
  const sentAt = parseDate(mail.date ?? '')
  return {
    messageIds: [...new Set([...originals, ...answered])].slice(0, maxRecipients),
    ...(paths.size > 0 ? { returnPaths: [...paths].slice(0, maxRecipients) } : {}),
    reports: reports.map(report => ({ ...report, at: report.at ?? sentAt })),
  }
}

const originalTypes = new Set([
  ...['message/rfc822', 'text/rfc822-headers', 'message/rfc822-headers', 'message/global'],
  ...['message/global-headers', 'text/rfc822'],
])

function reportsOf(mimeType: string, part: Attachment): StatusReport[] {
  switch (mimeType) {
    case 'message/delivery-status':
    case 'message/global-delivery-status':
      return readFieldGroups(textOf(part)).flatMap(statusOf)
    case 'message/feedback-report':
      return readFieldGroups(textOf(part)).slice(0, 1).flatMap(complaintOf)
    default:
      return []
  }
}

function textOf({ content }: Attachment): string {
  if (typeof content === 'string') return content.slice(0, maxPartLength)
  return new TextDecoder().decode(new Uint8Array(content).subarray(0, maxPartLength))
}

/** The Message-ID in the header of a returned message. */
function messageIdsOf(part: Attachment): string[] {
  const [header] = readFieldGroups(textOf(part))
  const found = /<[^<>\s]{1,500}>/.exec(header?.get('message-id') ?? '')?.[0]
  return found ? [found] : []
}

/** Complaints name the sender of the envelope; so do some returned headers. */
function returnPathsOf(part: Attachment): string[] {
  const [fields] = readFieldGroups(textOf(part))
  return ['original-mail-from', 'return-path'].flatMap(name => {
    const address = fields?.get(name)?.replace(/[<>\s]/g, '')
    return address && looksLikeReturnPath(address) ? [address] : []
  })
}

type Fields = Map<string, string>

/** Groups of `Name: value` lines with blank lines between; the first value of a name counts, folded lines are joined. */
function readFieldGroups(text: string): Fields[] {
  const groups: Fields[] = [new Map()]
  let name = ''
  for (const line of text.split(/\r\n|\r|\n/, maxFields)) {
    const group = groups.at(-1)!
    if (line.trim() === '') {
      if (group.size > 0) groups.push(new Map())
      name = ''
    } else if (/^[ \t]/.test(line)) {
      if (name) group.set(name, `${group.get(name)} ${line.trim()}`)
    } else {
      const colon = line.indexOf(':')
      name = colon > 0 ? line.slice(0, colon).trim().toLowerCase() : ''
      if (name && !group.has(name)) group.set(name, line.slice(colon + 1).trim())
      else name = ''
    }
    if (groups.length > maxRecipients) break
  }
  return groups.filter(group => group.size > 0)
}

/** What became of one recipient. Delays and relayed messages say nothing that we keep. */
function statusOf(fields: Fields): StatusReport[] {
  const action = /^[a-z]+/i.exec(fields.get('action') ?? '')?.[0]?.toLowerCase()
  const at = parseDate(fields.get('last-attempt-date') ?? '')
  const about = recipientOf(fields)
  if (action === 'delivered') return [{ kind: 'delivered', at, ...about }]
  if (action !== 'failed') return []
  const diagnostic = (fields.get('diagnostic-code') ?? '').replace(/^[\w-]+\s*;\s*/, '')
  return [{ ...failureOf(fields.get('status') ?? '', diagnostic), at, ...about }]
}

/** What a failure means, by its enhanced status code and the words of the other server; either may be empty. */
export function failureOf(status: string, words: string): Pick<DeliveryReport, 'kind' | 'detail' | 'blame'> {
  const diagnostic = printable(words)
  const code = decisiveCode(status, diagnostic)
  const detail = diagnostic || `returned with status ${code ?? 'unknown'}`
  if (code?.startsWith('4.')) return { kind: 'softBounced', detail }
  const reply = { code: plainCode(diagnostic), response: diagnostic, stage: 'rcpt' as const }
  const isSpecific = code !== undefined && !/^5\.0\.0$/.test(code)
  const blame = blamesAddress(isSpecific ? { ...reply, enhanced: code } : reply) ? 'address' : 'other'
  return { kind: 'bounced', detail, blame }
}

/** The address as we wrote to it is preferred to the one that it led to. */
function recipientOf(fields: Fields): Pick<DeliveryReport, 'recipients'> {
  const written = fields.get('original-recipient') ?? fields.get('final-recipient') ?? ''
  const address = written.slice(written.indexOf(';') + 1)
  return address.includes('@') ? { recipients: [normaliseEmail(address)] } : {}
}

/** `x.0.0` gives only the class; the other server's own text may be more exact. */
function decisiveCode(status: string, diagnostic: string): string | undefined {
  const [code] = /^[245]\.\d{1,3}\.\d{1,3}/.exec(status.trim()) ?? []
  const said = /(?:^|\s|#)([245]\.\d{1,3}\.\d{1,3})(?=\s|$|:)/.exec(diagnostic)?.[1]
  if (code === undefined) return said
  return code.endsWith('.0.0') && said?.startsWith(code[0]!) ? said : code
}

function plainCode(diagnostic: string): number | undefined {
  const found = /(?:^|\s)([45]\d\d)(?=[\s-]|$)/.exec(diagnostic)?.[1]
  return found ? Number(found) : undefined
}

/** A report that a message is not spam after all is not a complaint. */
function complaintOf(fields: Fields): StatusReport[] {
  const type = fields.get('feedback-type')?.toLowerCase()
  if (!type || type === 'not-spam') return []
  const at = parseDate(fields.get('arrival-date') ?? fields.get('received-date') ?? '')
  return [{ kind: 'complained', at, detail: printable(`complaint ${type}`) }]
}

function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, maxDetailLength)
}

// A message that came by SMTP, as the body of a send: sender, subject, text and HTML as they are, files, and the headers that a send may
// carry. The envelope says who gets it; the headers To and Cc supply the recipients' names.
import type { Address, Attachment } from 'postal-mime'
import { normaliseEmail } from '../../lib/address'
import { invalid } from '../../lib/errors'
import { storable } from '../../lib/storable'
import { addressHeaderFault } from '../../mime/address-headers'
import { isRouteHeader } from '../../mime/route-headers'
import { type HeaderReaders, readUsualMail, type UsualMail } from '../../mime/usual'
import { readByThread, UnreadableMail } from '../../platform/foreign-mail'
import type { Submission } from '../v1'

export interface ReceivedEnvelope {
  from: string
  to: readonly string[]
}

export interface ReadMessage {
  submission: Submission
  /** As the program wrote it, without brackets; what is sent gets one of ours for each recipient. */
  messageId: string | undefined
}

/** 422 for anything that is not a readable message. `projectId` is whose turn it is read in. */
export async function readMessage(
  raw: Buffer,
  envelope: ReceivedEnvelope,
  projectId: string,
): Promise<ReadMessage> {
  const mail = await readMail(raw, projectId)
  if (mail.attachments.length > maxFiles) throw unreadable(`it has more than ${maxFiles} files`)
  const names = namesOf(mail)
  const from = mailboxOf(mail.from)
  const messageId = mail.messageId?.replace(/[<>\s]/g, '') || undefined
  return {
    messageId,
    submission: {
      to: envelope.to.map(address => {
        const email = normaliseEmail(address)
        return { email, ...named(names.get(email)) }
      }),
      from: from ?? envelope.from,
      subject: line(mail.subject ?? '').slice(0, maxSubjectLength),
      ...(mail.html ? { body: storable(mail.html) } : {}),
      text: storable(mail.text ?? ''),
      ...replyOf(mail.replyTo),
      headers: keptHeaders(mail),
      attachments: mail.attachments.map(fileOf),
      ...(messageId ? { metadata: { messageId: storable(messageId).slice(0, 500) } } : {}),
    },
  }
}

/** Here where it has the usual shape, which takes next to no time, otherwise by a thread. */
async function readMail(raw: Buffer, projectId: string): Promise<UsualMail> {
  // Loaded with the first message: most instances get none, and take less memory without it.
  headerReaders ??= import('postal-mime')
  const usual = readUsualMail(raw, await headerReaders)
  if (usual) return usual
  try {
    return (await readByThread('submitted', raw, projectId)) as UsualMail
  } catch (error) {
    throw error instanceof UnreadableMail ? unreadable(error.message) : error
  }
}

let headerReaders: Promise<HeaderReaders> | undefined

function unreadable(why: string) {
  return invalid([{ field: '', message: `The message could not be read: ${why}`, code: 'custom' }])
}

/** More than a request may have, because programs attach each picture of a page separately. */
const maxFiles = 100
const maxSubjectLength = 998
const maxNameLength = 200

/** Header text in one line, fit for the database. */
function line(text: string): string {
  return storable(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

function named(name: string | undefined): { name?: string } {
  const short = line(name ?? '').slice(0, maxNameLength)
  return short === '' ? {} : { name: short }
}

function mailboxOf(address: Address | undefined): { email: string; name?: string } | undefined {
  const first = address?.group?.[0] ?? address
  return first?.address ? { email: first.address, ...named(first.name) } : undefined
}

function namesOf({ to = [], cc = [] }: UsualMail): Map<string, string> {
  const mailboxes = [...to, ...cc].flatMap(entry => entry.group ?? [entry])
  return new Map(
    mailboxes.flatMap(({ address, name }) => (address && name ? [[normaliseEmail(address), name]] : [])),
  )
}

function replyOf(replyTo: Address[] | undefined): { reply?: string } {
  const mailbox = mailboxOf(replyTo?.[0])
  if (!mailbox) return {}
  const { email, name } = mailbox
  return { reply: name ? `"${name.replace(/["\\]/g, '')}" <${email}>` : email }
}

/** Written by Waxwing itself; those about the route by which the message reached us are dropped as well. */
const dropped = new Set([
  ...['from', 'to', 'cc', 'bcc', 'sender', 'subject', 'date', 'message-id', 'reply-to', 'return-path'],
  ...['dkim-signature', 'mime-version', 'disposition-notification-to'],
])
const maxHeaders = 100
const maxValueLength = 998

function keptHeaders({ headers }: UsualMail): Record<string, string> {
  const kept = headers
    .filter(({ key }) => !dropped.has(key) && !key.startsWith('content-') && !isRouteHeader(key))
    .filter(({ key, value }) => /^[!-9;-~]{1,100}$/.test(key) && value.length <= maxValueLength)
    .filter(({ key, value }) => addressHeaderFault(key, line(value)) === undefined)
    .slice(0, maxHeaders)
  return Object.fromEntries(kept.map(({ originalKey, key, value }) => [originalKey || key, line(value)]))
}

function fileOf(file: Attachment, index: number): NonNullable<Submission['attachments']>[number] {
  const contentId = file.contentId?.replace(/[<>\s\p{Cc}]/gu, '')
  const isInline = Boolean(contentId) && (file.disposition === 'inline' || file.related === true)
  return {
    filename:
      line(file.filename ?? '')
        .replaceAll('"', "'")
        .slice(0, 255) || `file-${index + 1}`,
    content: Buffer.from(file.content as ArrayBuffer).toString('base64'),
    contentType: typeOf(file.mimeType),
    ...(contentId ? { contentId: contentId.slice(0, 255) } : {}),
    disposition: isInline ? 'inline' : 'attachment',
  }
}

function typeOf(mimeType: string): string {
  return /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) ? mimeType : 'application/octet-stream'
}

// A composed mail as the bytes that leave: RFC 5322 with CRLF, and 7-bit unless a mail that is attached is not. Text, HTML and an
// invitation are alternatives, inline files are related to them, other files are mixed with the whole. Synchronous and deterministic: the
// same mail gives the same bytes.

import { type Allocate, joinBytes } from '../../lib/arena'
import { readMailbox } from '../../lib/mailbox'
import { type ComposedPart, filePart, invitationPart } from './attached'
import type { EncodedChunks } from './chunks'
import { addressHeader, addressListHeader, foldHeader, subjectHeader } from './header-lines'
import type { ComposedMail } from './mail'
import { headerLine } from './structured'
import { encodeText } from './transfer'

/** Bodies that are encoded already, as `encodeText` would have done it; none that is blank. */
export interface EncodedBodies {
  text?: EncodedChunks
  html?: EncodedChunks
}

export function buildMime(
  mail: ComposedMail,
  encoded: EncodedBodies = {},
  allocate: Allocate = Buffer.allocUnsafe,
): Uint8Array {
  const root = bodyOf(mail, encoded)
  return joinBytes([`${messageHeaders(mail)}${root.headers}\r\n`, ...root.body], allocate)
}

function messageHeaders(mail: ComposedMail): string {
  const lines = [
    addressHeader('From', mail.from, mail.fromName),
    addressHeader('To', mail.to, mail.toName),
    ...(mail.cc?.length ? [addressListHeader('Cc', mail.cc)] : []),
    ...(mail.replyTo ? [addressListHeader('Reply-To', [readMailbox(mail.replyTo)])] : []),
    subjectHeader(mail.subject),
    foldHeader('Message-ID', `<${mail.messageId.replace(/[<>]/g, '')}>`),
    foldHeader('Date', mail.date.toUTCString().replace('GMT', '+0000')),
    ...Object.entries(mail.headers).map(([name, value]) => headerLine(name, value)),
    'MIME-Version: 1.0\r\n',
  ]
  return lines.join('')
}

function bodyOf(mail: ComposedMail, encoded: EncodedBodies): ComposedPart {
  const files = mail.attachments.filter(file => file.disposition !== 'inline')
  const inline = mail.attachments.filter(file => file.disposition === 'inline')
  const invitation = invitationPart(mail.attachments)
  const content = wrap(mail, 'alternative', [
    ...textParts(mail, encoded),
    ...(invitation ? [invitation] : []),
  ])
  const related = wrap(mail, 'related', [content, ...inline.map(filePart)], `; type="${content.type}"`)
  return wrap(mail, 'mixed', [related, ...files.map(filePart)])
}

function textParts(mail: ComposedMail, encoded: EncodedBodies): ComposedPart[] {
  const { html } = mail
  const plain = encoded.text ? textPart('plain', '', encoded.text) : textPart('plain', textToSend(mail))
  return html === '' ? [plain] : [plain, textPart('html', html, encoded.html)]
}

/**
 * The text of a mail: of HTML without words the subject, or who sends it. HTML of pictures alone makes no text, and filters distrust HTML
 * without an alternative, as people do who read the text.
 */
export function textToSend({
  text,
  html,
  subject,
  fromName,
  from,
}: Pick<ComposedMail, 'text' | 'html' | 'subject' | 'fromName' | 'from'>): string {
  const hasText = html === '' || text.trim() !== ''
  return hasText ? text : subject.trim() || fromName?.trim() || from
}

function textPart(subtype: 'plain' | 'html', content: string, encoded?: EncodedChunks): ComposedPart {
  const { encoding, chunks } = encoded ?? wholeText(content)
  const type = `text/${subtype}`
  const headers = `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n`
  return { type, headers, body: chunks }
}

function wholeText(content: string): { encoding: string; chunks: Uint8Array[] } {
  const { encoding, bytes } = encodeText(content.toWellFormed())
  return { encoding, chunks: [bytes] }
}

/** A multipart of several parts; a single one stays as it is. */
function wrap(mail: ComposedMail, subtype: string, parts: ComposedPart[], parameters = ''): ComposedPart {
  if (parts.length === 1) return parts[0]!
  const boundary = boundaryFor(mail, subtype)
  const body = parts.flatMap(part => [`--${boundary}\r\n${part.headers}\r\n`, ...part.body])
  const type = `multipart/${subtype}`
  const isEightBit = parts.some(part => part.isEightBit)
  const encoding = isEightBit ? 'Content-Transfer-Encoding: 8bit\r\n' : ''
  return {
    type,
    headers: `Content-Type: ${type}${parameters};\r\n boundary="${boundary}"\r\n${encoding}`,
    body: [...body, `--${boundary}--\r\n`],
    isEightBit,
  }
}

/**
 * `=_` occurs in neither quoted-printable nor Base64, and who wrote a mail that is attached can't know the Message-ID, so no content can
 * contain a boundary. Each level has a name of its own that no other begins with.
 */
function boundaryFor(mail: ComposedMail, subtype: string): string {
  return `=_${subtype}_${mail.messageId.replace(/[^A-Za-z0-9]/g, '').slice(0, 40)}`
}

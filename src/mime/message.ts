// A composed mail as the bytes that leave: RFC 5322 with CRLF, always 7-bit. Text and HTML are alternatives, inline files are
// related to them, other files are mixed with the whole. Synchronous and deterministic: the same mail gives the same bytes.

import { type Allocate, joinBytes } from '../lib/arena'
import { readMailbox } from '../lib/mailbox'
import type { EncodedChunks } from './chunks'
import { addressHeader, addressListHeader, foldHeader, parameter, textHeader } from './header-lines'
import type { ComposedMail, MailAttachment } from './mail'
import { headerLine } from './structured'
import { encodeText, wrapBase64 } from './transfer'

/** Bodies that are encoded already, as `encodeText` would have done it; none that is blank. */
export interface EncodedBodies {
  text?: EncodedChunks
  html?: EncodedChunks
}

/** Header lines and body of one node; the body is in pieces, so that nothing large is copied twice. Texts are ASCII. */
interface Part {
  type: string
  headers: string
  body: Array<Uint8Array | string>
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
    textHeader('Subject', mail.subject),
    foldHeader('Message-ID', `<${mail.messageId.replace(/[<>]/g, '')}>`),
    foldHeader('Date', mail.date.toUTCString().replace('GMT', '+0000')),
    ...Object.entries(mail.headers).map(([name, value]) => headerLine(name, value)),
    'MIME-Version: 1.0\r\n',
  ]
  return lines.join('')
}

function bodyOf(mail: ComposedMail, encoded: EncodedBodies): Part {
  const files = mail.attachments.filter(file => file.disposition !== 'inline')
  const inline = mail.attachments.filter(file => file.disposition === 'inline')
  const content = wrap(mail, 'alternative', textParts(mail, encoded))
  const related = wrap(mail, 'related', [content, ...inline.map(filePart)], `; type="${content.type}"`)
  return wrap(mail, 'mixed', [related, ...files.map(filePart)])
}

function textParts({ text, html }: ComposedMail, encoded: EncodedBodies): Part[] {
  const isBlank = encoded.text === undefined && text.trim() === ''
  const plain = isBlank ? [] : [textPart('plain', text, encoded.text)]
  if (html !== '') return [...plain, textPart('html', html, encoded.html)]
  return plain.length > 0 ? plain : [textPart('plain', '')]
}

function textPart(subtype: 'plain' | 'html', content: string, encoded?: EncodedChunks): Part {
  const { encoding, chunks } = encoded ?? wholeText(content)
  const type = `text/${subtype}`
  const headers = `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n`
  return { type, headers, body: chunks }
}

function wholeText(content: string): { encoding: string; chunks: Uint8Array[] } {
  const { encoding, bytes } = encodeText(content.toWellFormed())
  return { encoding, chunks: [bytes] }
}

function filePart(file: MailAttachment): Part {
  const type = mediaType(file.contentType)
  const typeLine = `Content-Type: ${type}${parameter('name', file.filename)}\r\n`
  const disposition = `Content-Disposition: ${file.disposition}${parameter('filename', file.filename)}\r\n`
  const id = file.contentId ?? (file.disposition === 'inline' ? file.filename : undefined)
  const idLine = id ? `Content-ID: <${id.replace(/[<>\s\p{Cc}]/gu, '')}>\r\n` : ''
  return {
    type,
    headers: `${typeLine}${disposition}${idLine}Content-Transfer-Encoding: base64\r\n`,
    body: [wrapBase64(Buffer.from(file.content, 'base64'))],
  }
}

/** Composite types may not be Base64 (RFC 2045, 6.4), and a malformed type would break the part. */
function mediaType(type: string): string {
  const name = /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)\s*(?:;|$)/.exec(type)?.[1]?.toLowerCase()
  const charset = /;\s*charset="?([\w-]+)"?/i.exec(type)?.[1]
  if (!name || /^(?:message|multipart)\//.test(name)) return 'application/octet-stream'
  return charset ? `${name}; charset=${charset}` : name
}

/** A multipart of several parts; a single one stays as it is. */
function wrap(mail: ComposedMail, subtype: string, parts: Part[], parameters = ''): Part {
  if (parts.length === 1) return parts[0]!
  const boundary = boundaryFor(mail, subtype)
  const body = parts.flatMap(part => [`--${boundary}\r\n${part.headers}\r\n`, ...part.body])
  const type = `multipart/${subtype}`
  return {
    type,
    headers: `Content-Type: ${type}${parameters};\r\n boundary="${boundary}"\r\n`,
    body: [...body, `--${boundary}--\r\n`],
  }
}

/**
 * `=_` occurs in neither quoted-printable nor Base64, so no content can contain a boundary. Each level has a name of its own that
 * no other begins with.
 */
function boundaryFor(mail: ComposedMail, subtype: string): string {
  return `=_${subtype}_${mail.messageId.replace(/[^A-Za-z0-9]/g, '').slice(0, 40)}`
}

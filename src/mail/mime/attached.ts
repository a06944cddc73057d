// Attached files as parts (RFC 2045, 2046, 2183). The parameters of their types stay; a mail is attached as a mail, everything else as
// Base64. Pure.
import { isAscii } from 'node:buffer'
import { parameter } from './header-lines'
import { hasLongLine, wholeLines } from './lines'
import type { MailAttachment } from './mail'
import { parameterHeader, readParameters } from './parameters'
import { wrapBase64 } from './transfer'

/** Header lines and body of one node; the body is in pieces, so that nothing large is copied twice. Texts are ASCII. */
export interface ComposedPart {
  type: string
  headers: string
  body: Array<Uint8Array | string>
  /** Holds bytes beyond ASCII; what it is in has to say so too (RFC 2045, 6.4). */
  isEightBit?: boolean
}

interface MediaType {
  /** In lower case. */
  name: string
  parameters: Array<[name: string, value: string]>
}

export function filePart(file: MailAttachment): ComposedPart {
  const content = Buffer.from(file.content, 'base64')
  const type = readType(file.contentType)
  const mail = /^message\//.test(type.name) ? attachable(type.name, content) : undefined
  const isComposite = /^(?:message|multipart)\//.test(type.name)
  const sent = isComposite && !mail ? { name: 'application/octet-stream', parameters: [] } : type
  const encoding = mail ? (isAscii(mail) ? '7bit' : '8bit') : 'base64'
  return {
    type: sent.name,
    headers: `${typeLine(sent, parameter('name', file.filename))}${placeLines(file)}${encodingLine(encoding)}`,
    // The line end before a boundary belongs to the boundary.
    body: mail ? [mail, '\r\n'] : [wrapBase64(content)],
    ...(encoding === '8bit' ? { isEightBit: true } : {}),
  }
}

/**
 * The first invitation, as the form of the message that calendars read: it is beside the text and the HTML, because Gmail and Outlook show its
 * buttons only there (RFC 6047, 2.4).
 */
export function invitationPart(files: readonly MailAttachment[]): ComposedPart | undefined {
  for (const file of files) {
    const type = readType(file.contentType)
    const names = new Set(type.parameters.map(([name]) => name))
    if (type.name !== 'text/calendar' || !names.has('method')) continue
    if (!names.has('charset')) type.parameters.unshift(['charset', 'utf-8'])
    return {
      type: type.name,
      headers: `${typeLine(type)}${encodingLine('base64')}`,
      body: [wrapBase64(Buffer.from(file.content, 'base64'))],
    }
  }
  return undefined
}

const encodingLine = (encoding: string): string => `Content-Transfer-Encoding: ${encoding}\r\n`

function typeLine({ name, parameters }: MediaType, more = ''): string {
  return parameterHeader('Content-Type', name, parameters, more)
}

function placeLines({ disposition, filename, contentId }: MailAttachment): string {
  const id = (contentId ?? (disposition === 'inline' ? filename : '')).replace(/[^!-;=?-~]/g, '')
  return `Content-Disposition: ${disposition}${parameter('filename', filename)}\r\n${id ? `Content-ID: <${id}>\r\n` : ''}`
}

/** Without what is no parameter, and without the name: that of the file says it. */
function readType(text: string): MediaType {
  const name = /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)\s*(?:;|$)/.exec(text)?.[1]?.toLowerCase()
  if (!name) return { name: 'application/octet-stream', parameters: [] }
  const parameters = readParameters(text).filter(([key]) => !/^name(?:\*|$)/.test(key))
  return { name, parameters }
}

/** The types of mails and of reports about mail that may hold nothing but lines; no others of `message/` are passed on. */
const lineTypes = /^message\/(?:rfc822|delivery-status|disposition-notification|feedback-report)$/

/** A mail with whole lines, as it may be a part of another one; undefined where it is none, or no server has to take its lines. */
function attachable(type: string, content: Buffer): Buffer | undefined {
  if (!lineTypes.test(type) || !/^[!-9;-~]+[ \t]*:/.test(content.toString('latin1', 0, 200))) return undefined
  const lines = content.includes(0) ? undefined : wholeLines(content)
  return lines && !hasLongLine(lines) ? lines : undefined
}

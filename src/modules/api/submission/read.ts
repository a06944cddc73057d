// What is done to a message before it is stored: its bytes become such as may leave, and what the ledger shows of it is read. Its parts stay
// as they were written, unless no server would take them. Pure, and slow for what is built to be: large messages are read by a thread.
import { isAscii } from 'node:buffer'
import { domainOf, isEmail, normaliseEmail } from '../../../lib/address'
import { addressHeaderFault } from '../../../mail/mime/address-headers'
import {
  type Field,
  fieldOf,
  headerValue,
  readFields,
  unfolded,
  writeFields,
} from '../../../mail/mime/fields'
import { htmlPart } from '../../../mail/mime/finished'
import { occursBeyond } from '../../../mail/mime/foreign'
import { addressHeader, addressListHeader, foldHeader } from '../../../mail/mime/header-lines'
import { hasLongLine, maxLine, wholeLines } from '../../../mail/mime/lines'
import { parameterHeader, readParameters } from '../../../mail/mime/parameters'
import {
  decodedPart,
  exchangeParts,
  MessageFault,
  type Part,
  partsOf,
  partText,
} from '../../../mail/mime/parts'
import { isRouteHeader } from '../../../mail/mime/route-headers'
import { headerLine, structureFault } from '../../../mail/mime/structured'

export interface Readers {
  addressParser(
    text: string,
  ): Array<{ name: string; address?: string; group?: Array<{ name: string; address: string }> }>
  decodeWords(text: string): string
}

export interface ReceivedMessage {
  raw: Buffer
  /** Of the envelope. */
  from: string
  at: Date
}

export interface ReadSubmission {
  /** As it leaves, but for its Message-ID and what is added for one recipient. */
  raw: Uint8Array
  from: string
  fromName: string
  subject: string
  /** Without brackets; undefined where it has none that may leave. */
  messageId: string | undefined
  /** Of the people in To and Cc, by address. */
  names: Array<[address: string, name: string]>
  html: string
  text: string
  files: number
  fileBytes: number
  isSealed: boolean
  /** Of the headers that are for us, by name in lower case. */
  options: Array<[name: string, value: string]>
}

const maxHeadLength = 256 * 1024
/** Longer lists of addresses are not read. */
const maxListLength = 20_000
/** The page of a message shows no more of a part. */
const maxShown = 2_000_000
const prefix = 'x-waxwing-'
/** Twice, they are a fault (RFC 5322, 3.6), and every reader would take another one. */
const singles = new Set([
  ...['date', 'from', 'sender', 'message-id', 'in-reply-to', 'references', 'subject', 'mime-version'],
  ...['content-type', 'content-transfer-encoding', 'content-disposition', 'content-id'],
])
const lists = new Set(['to', 'cc', 'reply-to'])
/** Written by whoever hands it over, about the way to us or for us alone. */
const dropped = new Set(['bcc', 'return-path', 'dkim-signature'])

/** Throws MessageFault for what can't leave. */
export function readSubmission(received: ReceivedMessage, readers: Readers): ReadSubmission {
  const { head, body } = split(withWholeLines(received.raw))
  const all = readFields(head)
  const from = senderOf(all, received.from, readers)
  const fields = leavingFields(all, from, received, body, readers)
  const whole = Buffer.concat([Buffer.from(`${writeFields(fields)}\r\n`, 'latin1'), body])
  const raw = withShortLines(whole)
  const parts = partsOf(raw)
  const files = parts.filter(({ isFile }) => isFile)
  const plain = parts.find(({ type, isFile }) => type === 'text/plain' && !isFile)
  return {
    raw,
    from: from.address,
    fromName: from.name,
    subject: decoded(headerValue(fields, 'subject') ?? '', readers),
    messageId: /^<([!-;=?-~]{1,250}@[!-;=?-~]{1,250})>$/.exec(headerValue(fields, 'message-id') ?? '')?.[1],
    names: namesIn(fields, readers),
    html: shown(raw, htmlPart(parts)),
    text: shown(raw, plain),
    files: files.length,
    fileBytes: files.reduce((sum, part) => sum + sizeOf(part), 0),
    isSealed: parts.some(part => part.isSealed || part.type.endsWith('pkcs7-mime')),
    options: all
      .filter(({ name }) => name.startsWith(prefix))
      .map(field => [field.name, decoded(unfolded(field), readers)]),
  }
}

/** A file of 40 MB in Base64 has half of them. Each that begins with a dot gets another one on its way out. */
const maxLines = 1_000_000

/** Servers disagree about lines that are not whole, which lets a message smuggle a second one. */
function withWholeLines(raw: Buffer): Buffer {
  const whole = wholeLines(raw)
  // Nobody writes such a message but to keep a thread busy.
  if (!whole) throw new MessageFault('it has too many lines that end in LF alone')
  if (occursBeyond(whole, '\n', maxLines)) throw new MessageFault(`it has more than ${maxLines} lines`)
  const isEnded = whole.at(-2) === 13 && whole.at(-1) === 10
  return isEnded ? whole : Buffer.concat([whole, Buffer.from('\r\n')])
}

function split(raw: Buffer): { head: string; body: Buffer } {
  if (raw[0] === 13) return { head: '', body: raw.subarray(2) }
  const blank = raw.indexOf('\r\n\r\n')
  const end = blank === -1 ? raw.length : blank + 2
  if (end > maxHeadLength) throw new MessageFault(`its header is larger than ${maxHeadLength / 1024} kB`)
  return { head: raw.toString('latin1', 0, end), body: raw.subarray(blank === -1 ? end : end + 2) }
}

interface Sender {
  address: string
  name: string
  /** It is written in a way that nobody can read as another one. */
  isPlain: boolean
}

function senderOf(fields: Field[], envelope: string, { addressParser, decodeWords }: Readers): Sender {
  const written = fields.filter(({ name }) => name === 'from')
  if (written.length > 1) throw new MessageFault('it has several From headers')
  const value = written[0] && utf8Of(unfolded(written[0]))
  if (!value) return { address: envelope, name: '', isPlain: false }
  if (value.length > 2_000) throw new MessageFault('its From header is too long')
  const mailboxes = addressParser(value).flatMap(({ group, ...one }) => group ?? [one])
  const [first] = mailboxes
  if (mailboxes.length > 1 || !first?.address) throw new MessageFault('its From header must have one address')
  const atom =
    /^(?:(?:"[ !#-[\]-~]{0,500}"|[\w !#$%&'*+/=?^`{|}~.-]{0,500}) ?<[!-;=?-~]{3,320}>|[!-;=?-~]{3,320})$/
  const isPlain = atom.test(value) && value.replace(/^.*</, '').replace('>', '') === first.address
  return { address: first.address, name: decodeWords(first.name ?? ''), isPlain }
}

/** The header as it leaves: without what is for others or for nobody, each field once that may be there once, and none missing. */
function leavingFields(
  all: Field[],
  from: Sender,
  { at }: ReceivedMessage,
  body: Buffer,
  readers: Readers,
): Field[] {
  const fields: Field[] = []
  for (const field of all) {
    const { name } = field
    if (dropped.has(name) || name.startsWith(prefix) || isRouteHeader(name)) continue
    if (name === 'from' && !from.isPlain) continue
    const earlier = singles.has(name) || lists.has(name) ? fields.find(one => one.name === name) : undefined
    const sent = isIdle(field, from) ? undefined : sendable(field, readers)
    if (!sent) continue
    if (earlier && lists.has(name)) earlier.text += `,\r\n ${unfolded(sent)}`
    else if (!earlier) fields.push({ ...sent })
  }
  const has = (name: string): boolean => fields.some(field => field.name === name)
  if (!has('from')) fields.unshift(fieldOf(addressHeader('From', from.address, from.name)))
  if (!has('to') && !has('cc')) fields.push(fieldOf(foldHeader('To', 'undisclosed-recipients:;')))
  if (!has('date')) fields.push(fieldOf(foldHeader('Date', dateText(at))))
  if (!has('content-type') && !isAscii(body))
    fields.push(
      ...['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit'].map(fieldOf),
    )
  if (!has('mime-version') && has('content-type')) fields.push(fieldOf('MIME-Version: 1.0'))
  return fields
}

/** Without a value that means anything, or one that another domain's name stands in. */
function isIdle(field: Field, from: Sender): boolean {
  const value = unfolded(field)
  if (addressHeaderFault(field.name, utf8Of(value)) !== undefined) return true
  if (field.name === 'date') return Number.isNaN(Date.parse(value))
  if (field.name === 'sender') return domainOf(value.replace(/>$/, '')) !== domainOf(from.address)
  if (field.name === 'message-id') return !/^<[!-;=?-~]{1,250}@[!-;=?-~]{1,250}>$/.test(value)
  return value === '' && field.name !== 'subject'
}

/** Encoded where it is not ASCII, folded where it is too long; undefined for a value beyond ASCII that its syntax has no place for. */
function sendable(field: Field, readers: Readers): Field | undefined {
  const name = field.text.slice(0, field.name.length)
  const isAsciiField = /^[\t\r\n -~]*$/.test(field.text)
  const line = isAsciiField
    ? undefined
    : asciiLine(name, utf8Of(unfolded(field)).replace(/\p{Cc}+/gu, ' '), readers)
  if (!isAsciiField && line === undefined) return undefined
  const ascii = line === undefined ? field : fieldOf(line)
  if (ascii.text.split('\r\n').every(line => line.length <= maxLine)) return ascii
  const folded = fieldOf(foldHeader(name, unfolded(ascii).replace(/>(?=<)|,(?=<)/g, '$& ')))
  if (folded.text.split('\r\n').every(line => line.length <= maxLine)) return folded
  throw new MessageFault(
    `its header ${name} has a line of more than ${maxLine} characters that can't be folded`,
  )
}

/** By the syntax of the field: only what is free text in it may be encoded words. */
function asciiLine(name: string, value: string, { addressParser }: Readers): string | undefined {
  const lower = name.toLowerCase()
  if (lower === 'date') return foldHeader(name, dateText(new Date(value)))
  const word = /^content-(?:type|disposition)$/.test(lower) ? /^[\w!#$&^.+/-]+/.exec(value)?.[0] : undefined
  if (word) return parameterHeader(name, word, readParameters(value))
  if (structureFault(name, value) === undefined) return headerLine(name, value)
  if (!lists.has(lower) || value.length > maxListLength) return undefined
  const mailboxes = addressParser(value)
    .flatMap(({ group, ...one }) => group ?? [one])
    .flatMap(({ address, name }) =>
      address && isEmail(normaliseEmail(address)) ? [{ email: address, name }] : [],
    )
  return mailboxes.length > 0 ? addressListHeader(name, mailboxes) : undefined
}

const dateText = (at: Date): string => at.toUTCString().replace('GMT', '+0000')

/** Bytes that are UTF-8 as text; others are taken for those of Western Europe. */
function utf8Of(bytes: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return bytes
  }
}

function decoded(value: string, { decodeWords }: Readers): string {
  const text = utf8Of(value)
  return text.includes('=?') && text.length < 20_000 ? decodeWords(text) : text
}

/** Each part with a line that no server has to take, in an encoding that has shorter ones. What is signed or a message itself can't have one. */
function withShortLines(raw: Buffer): Buffer {
  if (!hasLongLine(raw)) return raw
  const long = partsOf(raw).filter(({ body, end }) => hasLongLine(raw, body, end))
  const fixed = long.find(({ isSealed, type }) => isSealed || /^(?:message|multipart)\//.test(type))
  if (fixed)
    throw new MessageFault(
      `a part that must not be changed (${fixed.type}) has a line of more than ${maxLine} characters; send it as quoted-printable or Base64`,
    )
  const short = exchangeParts(
    raw,
    long.map(part => ({ part, bytes: decodedPart(raw, part) })),
  )
  if (hasLongLine(short))
    throw new MessageFault(`it has a line of more than ${maxLine} characters outside of its parts`)
  return short
}

function namesIn(fields: Field[], { addressParser, decodeWords }: Readers): Array<[string, string]> {
  return fields
    .filter(({ name, text }) => (name === 'to' || name === 'cc') && text.length < maxListLength)
    .flatMap(field => addressParser(utf8Of(unfolded(field))))
    .flatMap(({ group, ...one }) => group ?? [one])
    .flatMap(({ address, name }) =>
      address && name ? [[address, decodeWords(name)] as [string, string]] : [],
    )
}

function shown(raw: Buffer, part: Part | undefined): string {
  return part ? partText(raw, { ...part, end: Math.min(part.end, part.body + maxShown) }) : ''
}

/** About as many as the file has: line ends of Base64 are no part of it. */
function sizeOf({ encoding, body, end }: Part): number {
  return encoding === 'base64' ? Math.floor(((end - body) * 3 * 76) / (4 * 78)) : end - body
}

// What goes over the wire for one message: checked addresses, MAIL and RCPT commands, the body made safe for DATA. Pure.
import { isAscii as isAsciiBytes } from 'node:buffer'
import { domainToASCII } from 'node:url'
import type { Allocate } from '../../lib/arena'
import type { FinishedMessage } from '../message'

/** What the relay offers, by EHLO keyword in upper case. */
export type Extensions = ReadonlyMap<string, string>

export interface WireMessage {
  mail: string
  rcpt: string
  /** Of further recipients, in their order. */
  also: readonly string[]
  /** Dot-stuffed, with the final dot. Of a long message one piece after the other. */
  body: Uint8Array | Iterable<Uint8Array>
}

export type Prepared = { wire: WireMessage } | { impossible: string }

/** An address without space, control or angle bracket: nothing that could end the argument or the command. */
const addressPattern = /^[^\p{C}\p{Z}<>]+@[^\p{C}\p{Z}<>@]+$/u

/** Says why a message can't go to a relay with these extensions, or how. */
export function prepareMessage(
  { envelope, raw, isComposed, allocate = Buffer.allocUnsafe }: Omit<FinishedMessage, 'id'>,
  extensions: Extensions,
): Prepared {
  const sender = envelope.returnPath ?? envelope.from
  const from = sender === '' ? '' : asciiDomain(sender)
  const to = asciiDomain(envelope.to)
  if (from === undefined) return { impossible: 'the sender address cannot be used in SMTP' }
  const also = (envelope.also ?? []).map(asciiDomain)
  if (to === undefined || !also.every(isUsable))
    return { impossible: 'the recipient address cannot be used in SMTP' }
  const unicode = ![from, to, ...also].every(isAscii)
  if (unicode && !extensions.has('SMTPUTF8')) {
    return { impossible: 'the relay does not take addresses with characters outside ASCII (no SMTPUTF8)' }
  }
  const eightBit = !isAsciiBytes(raw)
  if (eightBit && !extensions.has('8BITMIME'))
    return { impossible: 'the relay does not take 8-bit messages (no 8BITMIME)' }
  const isLong = raw.length > pieceBytes
  const body = isLong
    ? longBody(isComposed ? raw : scanLines(raw).bytes)
    : dotStuffed(isComposed ? findDots(raw) : scanLines(raw), allocate)
  const parameters = [
    extensions.has('SIZE') ? ` SIZE=${body instanceof Uint8Array ? body.length : raw.length}` : '',
    eightBit || (unicode && extensions.has('8BITMIME')) ? ' BODY=8BITMIME' : '',
    unicode ? ' SMTPUTF8' : '',
  ]
  return {
    wire: {
      mail: `MAIL FROM:<${from}>${parameters.join('')}\r\n`,
      rcpt: rcptTo(to),
      also: also.map(rcptTo),
      body,
    },
  }
}

function rcptTo(address: string): string {
  return `RCPT TO:<${address}>\r\n`
}

function isUsable(address: string | undefined): address is string {
  return address !== undefined
}

/** The address with its domain in A-labels, which needs no extension; undefined if it is not safe to send. */
function asciiDomain(address: string): string | undefined {
  if (address.length > 320 || !addressPattern.test(address)) return undefined
  if (isAscii(address)) return address
  const at = address.lastIndexOf('@')
  const domain = domainToASCII(address.slice(at + 1))
  return domain === '' ? undefined : `${address.slice(0, at)}@${domain}`
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text)
}

interface Lines {
  bytes: Uint8Array
  /** Where one begins with a dot. */
  dots: number[]
}

const lineDot = Buffer.from('\n.')
/** Fewer bytes than this cost less one by one than a call of the runtime does. */
const shortBytes = 64

/** Where all line ends are whole: the runtime finds them in a twentieth of the time of a walk. */
function findDots(bytes: Uint8Array, from = 0): Lines {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const dots: number[] = []
  for (let at = nextDot(source, from); at !== -1; at = nextDot(source, at + 1)) dots.push(at)
  return { bytes, dots }
}

/** A longer message is written piece by piece, with an eye on what the relay says meanwhile; each is made when its turn comes. */
export const pieceBytes = 256 * 1024

function* longBody(raw: Uint8Array): Generator<Uint8Array> {
  const source = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  for (let from = 0; from < source.length; from += pieceBytes) {
    const { bytes, dots } = findDots(source.subarray(0, from + pieceBytes), from)
    const piece = Buffer.allocUnsafe(bytes.length - from + dots.length)
    copyStuffed({ bytes, dots }, piece, from)
    yield piece
  }
  yield Buffer.from(endOf(source))
}

/** The next dot at the beginning of a line. Where one follows closely on the other, looking is sooner done than a call. */
function nextDot(source: Buffer, from: number): number {
  const near = Math.min(from + shortBytes, source.length)
  for (let at = from; at < near; at++)
    if (source[at] === dot && (at === 0 || source[at - 1] === lf)) return at
  const found = near < source.length ? source.indexOf(lineDot, near - 1) : -1
  return found === -1 ? -1 : found + 1
}

/**
 * One walk over the message, because it is the longest loop of all that happens to it here. Bare CR and LF become whole line ends:
 * servers disagree about them, which lets a message smuggle a second one.
 */
function scanLines(raw: Uint8Array): Lines {
  const dots = raw[0] === dot ? [0] : []
  /** False if a line end is not CRLF. */
  const scan = (from: number, to: number): boolean => {
    for (let at = from; at < to; at++) {
      const octet = raw[at]!
      if (octet > cr) continue
      if (octet === lf) {
        if (raw[at - 1] !== cr) return false
        if (raw[at + 1] === dot) dots.push(at + 1)
      } else if (octet === cr && raw[at + 1] !== lf) return false
    }
    return true
  }
  return visitLineEnds(raw, scan) ? { bytes: raw, dots } : scanLines(wholeLineEnds(raw))
}

/** Octets up to CR, four at a time: their highest bit is set by this and by no other octet of ASCII (Mycroft's test). */
const mayHaveLineEnd = (word: number): boolean => ((word - 0x0e0e0e0e) & ~word & 0x80808080) !== 0

/** Has `look` see every octet that may belong to a line end; most words of a message have none, which halves the time. */
function visitLineEnds(raw: Uint8Array, scan: (from: number, to: number) => boolean): boolean {
  const start = Math.min(-raw.byteOffset & 3, raw.length)
  const words = new Int32Array(raw.buffer, raw.byteOffset + start, (raw.length - start) >> 2)
  if (!scan(0, start)) return false
  for (let index = 0; index < words.length; index++) {
    if (!mayHaveLineEnd(words[index]!)) continue
    const at = start + 4 * index
    if (!scan(at, at + 4)) return false
  }
  return scan(start + 4 * words.length, raw.length)
}

const [lf, cr, dot] = [10, 13, 46]

function wholeLineEnds(raw: Uint8Array): Uint8Array {
  return Buffer.from(
    Buffer.from(raw)
      .toString('latin1')
      .replace(/\r\n|\r|\n/g, '\r\n'),
    'latin1',
  )
}

/** RFC 5321, 4.5.2: one more dot before each line that starts with one, then the line with the dot alone. */
function dotStuffed(lines: Lines, allocate: Allocate): Uint8Array {
  const end = endOf(lines.bytes)
  const body = allocate(lines.bytes.length + lines.dots.length + end.length)
  body.write(end, copyStuffed(lines, body), 'latin1')
  return body
}

/** What is from there on, with a dot before each of the dots; returns how many bytes that are. */
function copyStuffed({ bytes, dots }: Lines, body: Buffer, begin = 0): number {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let [length, from] = [0, begin]
  // Each dot ends one stretch and begins the next one.
  for (const at of dots) {
    if (at - from > shortBytes) length += source.copy(body, length, from, at + 1)
    else for (; from <= at; from++) body[length++] = source[from]!
    from = at
  }
  return length + source.copy(body, length, from)
}

function endOf(bytes: Uint8Array): string {
  return bytes.length === 0 || (bytes.at(-1) === lf && bytes.at(-2) === cr) ? '.\r\n' : '\r\n.\r\n'
}

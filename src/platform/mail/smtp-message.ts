// What goes over the wire for one message: checked addresses, MAIL and RCPT commands, the body made safe for DATA. Pure.
import { domainToASCII } from 'node:url'
import type { Envelope } from './transport'

/** What the relay offers, by EHLO keyword in upper case. */
export type Extensions = ReadonlyMap<string, string>

export interface WireMessage {
  mail: string
  rcpt: string
  /** Dot-stuffed, with the final dot. */
  body: Uint8Array
}

export type Prepared = { wire: WireMessage } | { impossible: string }

/** An address without space, control or angle bracket: nothing that could end the argument or the command. */
const addressPattern = /^[^\p{C}\p{Z}<>]+@[^\p{C}\p{Z}<>@]+$/u

/** Says why a message can't go to a relay with these extensions, or how. */
export function prepareMessage(envelope: Envelope, raw: Uint8Array, extensions: Extensions): Prepared {
  const from = envelope.from === '' ? '' : asciiDomain(envelope.from)
  const to = asciiDomain(envelope.to)
  if (from === undefined) return { impossible: 'the sender address cannot be used in SMTP' }
  if (to === undefined) return { impossible: 'the recipient address cannot be used in SMTP' }
  const unicode = !isAscii(from) || !isAscii(to)
  if (unicode && !extensions.has('SMTPUTF8')) {
    return { impossible: 'the relay does not take addresses with characters outside ASCII (no SMTPUTF8)' }
  }
  const { safe, eightBit } = scanBody(raw)
  if (eightBit && !extensions.has('8BITMIME'))
    return { impossible: 'the relay does not take 8-bit messages (no 8BITMIME)' }
  const body = dotStuffed(safe)
  const parameters = [
    extensions.has('SIZE') ? ` SIZE=${body.length}` : '',
    eightBit || (unicode && extensions.has('8BITMIME')) ? ' BODY=8BITMIME' : '',
    unicode ? ' SMTPUTF8' : '',
  ]
  return {
    wire: { mail: `MAIL FROM:<${from}>${parameters.join('')}\r\n`, rcpt: `RCPT TO:<${to}>\r\n`, body },
  }
}

/** The address with its domain in A-labels, which needs no extension; undefined for what is no safe address. */
function asciiDomain(address: string): string | undefined {
  if (address.length > 320 || !addressPattern.test(address)) return undefined
  if (isAscii(address)) return address
  const at = address.lastIndexOf('@')
  const domain = domainToASCII(address.slice(at + 1))
  return domain === '' ? undefined : `${address.slice(0, at)}@${domain}`
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}

/**
 * Finds 8-bit octets, and makes bare CR and LF whole line ends: servers disagree about them, which lets a message smuggle a
 * second one. Messages of ours have none, so the copy is rare.
 */
function scanBody(raw: Uint8Array): { safe: Uint8Array; eightBit: boolean } {
  let bits = 0
  let bare = 0
  let before = 0
  for (let at = 0; at < raw.length; at++) {
    const octet = raw[at]!
    bits |= octet
    if (octet === 10 ? before !== 13 : before === 13) bare++
    before = octet
  }
  if (before === 13) bare++
  return { safe: bare === 0 ? raw : wholeLineEnds(raw), eightBit: bits > 127 }
}

function wholeLineEnds(raw: Uint8Array): Uint8Array {
  return Buffer.from(
    Buffer.from(raw)
      .toString('latin1')
      .replace(/\r\n|\r|\n/g, '\r\n'),
    'latin1',
  )
}

/** RFC 5321, 4.5.2: a dot more before each line that starts with one, then the line with the dot alone. */
function dotStuffed(raw: Uint8Array): Uint8Array {
  const source = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const parts: Uint8Array[] = []
  if (source[0] === 46) parts.push(Buffer.from('.'))
  let start = 0
  for (let at = source.indexOf('\r\n.'); at >= 0; at = source.indexOf('\r\n.', at + 2)) {
    parts.push(source.subarray(start, at + 3))
    start = at + 2
  }
  parts.push(source.subarray(start))
  const endsWithLine =
    source.length === 0 ||
    (source.length >= 2 && source[source.length - 2] === 13 && source[source.length - 1] === 10)
  parts.push(Buffer.from(endsWithLine ? '.\r\n' : '\r\n.\r\n'))
  return Buffer.concat(parts)
}

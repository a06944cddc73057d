// Content transfer encodings (RFC 2045): text as quoted-printable or Base64, whichever is smaller and readable, files as Base64.
// Written for throughput: this is the innermost loop of every campaign.

const cr = 13
const lf = 10
const equals = 61
const maxLine = 76
const hex = Buffer.from('0123456789ABCDEF', 'latin1')

export interface Encoded {
  encoding: 'quoted-printable' | 'base64'
  bytes: Uint8Array
}

/** Encodes a text body; line ends of every kind become CRLF, and it always ends with one. */
export function encodeText(text: string): Encoded {
  const bytes = Buffer.from(withCrlf(text), 'utf8')
  if (isBase64Shorter(countBeyondAscii(bytes), bytes.length))
    return { encoding: 'base64', bytes: wrapBase64(bytes) }
  return { encoding: 'quoted-printable', bytes: quotedPrintable(bytes) }
}

/** Whether this many non-ASCII bytes make Base64 the shorter form. */
export function isBase64Shorter(beyond: number, length: number): boolean {
  return beyond * 3 > length
}

export function countBeyondAscii(bytes: Uint8Array): number {
  let beyond = 0
  for (let index = 0; index < bytes.length; index++) if (bytes[index]! > 126) beyond++
  return beyond
}

/** CRLF throughout and at the end; lone CR and LF count as line ends. */
function withCrlf(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  const ended = lines.endsWith('\n') ? lines : `${lines}\n`
  return ended.replaceAll('\n', '\r\n')
}

/** 1 for bytes that stand for themselves inside a line. */
const literal = new Uint8Array(256)
for (let code = 32; code <= 126; code++) literal[code] = code === equals ? 0 : 1
literal[9] = 1

export interface QuotedChunk {
  bytes: Uint8Array
  /** Where the next chunk goes on. */
  column: number
}

/** Quoted-printable of text that has CRLF line ends. A character of several bytes is never split over two lines. */
export function quotedPrintable(bytes: Uint8Array): Uint8Array {
  const { bytes: out, column } = quoteChunk(bytes, 0)
  const last = out.at(-1)
  if (column === 0 || (last !== 32 && last !== 9)) return out
  const room = Buffer.allocUnsafe(out.length + 8)
  room.set(out)
  return room.subarray(0, endLine(room, out.length, column))
}

/** A buffer for the result of a short stretch, reused by each call: copying the result out costs less than a buffer of its own. */
const sharedRoom = new Uint8Array(2_048)

/** Quoted-printable of a stretch of text that begins at `start` of its line. A blank at its end is left as it is. */
export function quoteChunk(bytes: Uint8Array, start: number): QuotedChunk {
  // Worst case: every byte escaped, and a soft break after each 24 of them.
  const most = bytes.length * 3 + Math.ceil(bytes.length / 18) * 3 + 8
  const isShort = most <= sharedRoom.length
  const out = isShort ? sharedRoom : Buffer.allocUnsafe(most)
  let length = 0
  let column = start
  let at = 0
  while (at < bytes.length) {
    // Most of a mail is runs of plain characters; the last place of a line is kept for the soft break.
    while (column < maxLine - 1 && literal[bytes[at]!] === 1) {
      out[length++] = bytes[at++]!
      column++
    }
    if (at >= bytes.length) break
    const byte = bytes[at]!
    if (byte === cr && bytes[at + 1] === lf) {
      length = endLine(out, length, column)
      out[length++] = cr
      out[length++] = lf
      at += 2
      column = 0
      continue
    }
    const size = sequenceSize(byte, bytes.length - at)
    const width = literal[byte] === 1 ? 1 : size * 3
    if (column + width > maxLine - 1) {
      length = softBreak(out, length)
      column = 0
    }
    if (width === 1) continue
    length = escapeBytes(bytes, at, at + size, out, length)
    at += size
    column += width
  }
  return { bytes: isShort ? sharedRoom.slice(0, length) : out.subarray(0, length), column }
}

/** The same for a stretch of ASCII without line ends, as text. */
export function quotePlain(text: string, start: number): { text: string; column: number } {
  let quoted = ''
  let column = start
  /** What follows is not in `quoted` yet. */
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const isEquals = text.charCodeAt(at) === equals
    const width = isEquals ? 3 : 1
    if (column + width > maxLine - 1) {
      quoted += `${text.slice(from, at)}=\r\n`
      from = at
      column = 0
    }
    if (isEquals) {
      quoted += `${text.slice(from, at)}=3D`
      from = at + 1
    }
    column += width
  }
  return { text: quoted + text.slice(from), column }
}

/** How many bytes belong to the character that starts with `byte`. */
function sequenceSize(byte: number, left: number): number {
  if (byte < 0xc0) return 1
  return Math.min(byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4, left)
}

function softBreak(out: Uint8Array, length: number): number {
  out[length] = equals
  out[length + 1] = cr
  out[length + 2] = lf
  return length + 3
}

/** A blank at the end of a line would be dropped on the way, so it is escaped. */
function endLine(out: Uint8Array, length: number, column: number): number {
  const last = out[length - 1]
  if (column === 0 || (last !== 32 && last !== 9)) return length
  const start = column + 2 > maxLine ? softBreak(out, length - 1) : length - 1
  return escapeBytes(Uint8Array.of(last), 0, 1, out, start)
}

function escapeBytes(bytes: Uint8Array, from: number, to: number, out: Uint8Array, length: number): number {
  let next = length
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!
    out[next++] = equals
    out[next++] = hex[byte >> 4]!
    out[next++] = hex[byte & 15]!
  }
  return next
}

/** Base64 in lines of 76, each ended by CRLF. */
export function wrapBase64(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    'latin1',
  )
  const lines = Math.ceil(text.length / maxLine)
  const out = Buffer.allocUnsafe(text.length + lines * 2)
  for (let line = 0, at = 0; line < lines; line++) {
    const end = Math.min((line + 1) * maxLine, text.length)
    at += text.copy(out, at, line * maxLine, end)
    out[at++] = cr
    out[at++] = lf
  }
  return out
}

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
  if (mostlyBeyondAscii(bytes)) return { encoding: 'base64', bytes: wrapBase64(bytes) }
  return { encoding: 'quoted-printable', bytes: quotedPrintable(bytes) }
}

/** CRLF throughout and at the end; lone CR and LF count as line ends. */
export function withCrlf(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  const ended = lines.endsWith('\n') ? lines : `${lines}\n`
  return ended.replaceAll('\n', '\r\n')
}

/** Where more than a third of the bytes would cost three characters each, Base64 is shorter. */
function mostlyBeyondAscii(bytes: Uint8Array): boolean {
  let beyond = 0
  for (let index = 0; index < bytes.length; index++) if (bytes[index]! > 126) beyond++
  return beyond * 3 > bytes.length
}

/** 1 for bytes that stand for themselves inside a line. */
const literal = new Uint8Array(256)
for (let code = 32; code <= 126; code++) literal[code] = code === equals ? 0 : 1
literal[9] = 1

/** Quoted-printable of text that has CRLF line ends. A character of several bytes is never split over two lines. */
export function quotedPrintable(bytes: Uint8Array): Uint8Array {
  // Worst case: every byte escaped, and a soft break after each 24 of them.
  const out = Buffer.allocUnsafe(bytes.length * 3 + Math.ceil(bytes.length / 18) * 3 + 8)
  let length = 0
  let column = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === cr && bytes[at + 1] === lf) {
      out[length++] = cr
      out[length++] = lf
      at++
      column = 0
      continue
    }
    const lineEnds = bytes[at + 1] === cr || at + 1 === bytes.length
    const plain = literal[byte] === 1 && !(lineEnds && (byte === 32 || byte === 9))
    const following = byte < 0xc0 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
    const width = plain ? 1 : 3 + following * 3
    // The last place of a line is kept for the soft break, unless the line ends here anyway.
    if (column + width > (lineEnds ? maxLine : maxLine - 1)) {
      out[length++] = equals
      out[length++] = cr
      out[length++] = lf
      column = 0
    }
    if (plain) {
      out[length++] = byte
      column++
    } else {
      length = escapeBytes(bytes, at, Math.min(at + 1 + following, bytes.length), out, length)
      at += following
      column += width
    }
  }
  return out.subarray(0, length)
}

function escapeBytes(bytes: Uint8Array, from: number, to: number, out: Buffer, length: number): number {
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

// The "relaxed" forms of headers and body that a DKIM signature covers (RFC 6376, 3.4.2 and 3.4.4).

/** Header fields as they stand, with their folds and without the CRLF that ends them. */
export function splitHeaders(head: string): string[] {
  return head.split(/\r\n(?![ \t])/).filter(field => field !== '')
}

/** Name in lower case, folds undone, runs of blanks as one, none at the ends. */
export function relaxedHeader(field: string): string {
  const colon = field.indexOf(':')
  const name = field.slice(0, colon).trim().toLowerCase()
  const value = field
    .slice(colon + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim()
  return `${name}:${value}`
}

const cr = 13
const lf = 10
const tab = 9
const space = 32

/** Runs of blanks as one, none at line ends, no empty lines at the end, one CRLF at the end unless nothing is left. */
export function relaxedBody(body: Uint8Array): Uint8Array {
  const out = Buffer.allocUnsafe(body.length + 2)
  let length = 0
  let blank = false
  // Line ends wait until something follows them, which drops the empty lines at the end.
  let lineEnds = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!
    if (byte === cr && body[at + 1] === lf) {
      lineEnds++
      blank = false
      at++
    } else if (byte === space || byte === tab) blank = true
    else {
      for (; lineEnds > 0; lineEnds--) {
        out[length++] = cr
        out[length++] = lf
      }
      if (blank) out[length++] = space
      blank = false
      out[length++] = byte
    }
  }
  if (length === 0) return out.subarray(0, 0)
  out[length++] = cr
  out[length++] = lf
  return out.subarray(0, length)
}

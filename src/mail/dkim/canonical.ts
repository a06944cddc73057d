// The "relaxed" forms of headers and body that a DKIM signature covers (RFC 6376, 3.4.2 and 3.4.4).

/** Header fields as they are, with their folds and without the CRLF that ends them. */
export function splitHeaders(head: string): string[] {
  return head.split(/\r\n(?![ \t])/).filter(field => field !== '')
}

/** Name in lower case, unfolded, runs of blanks as one, none at the ends. */
export function relaxedHeader(field: string): string {
  const colon = field.indexOf(':')
  const name = field.slice(0, colon).trim().toLowerCase()
  const value = field
    .slice(colon + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]{2,}|\t/g, ' ')
    .trim()
  return `${name}:${value}`
}

const crlf = Buffer.from('\r\n')
const space = 32
const tab = 9

/** What the relaxed form changes inside a body; everything between two of them is copied as it is. */
const irregular = ['  ', '\t', ' \r\n'].map(text => Buffer.from(text))

/** Runs of blanks as one, none at line ends, no empty lines at the end, one CRLF at the end unless nothing is left. */
export function relaxedBody(raw: Uint8Array): Uint8Array {
  const body = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const spots = irregular.map(pattern => ({ pattern, at: body.indexOf(pattern) }))
  if (spots.every(spot => spot.at === -1)) return withOneEnd(body)
  const out = Buffer.allocUnsafe(body.length)
  let length = 0
  let from = 0
  for (;;) {
    let next = body.length
    for (const spot of spots) {
      if (spot.at !== -1 && spot.at < from) spot.at = body.indexOf(spot.pattern, from)
      if (spot.at !== -1 && spot.at < next) next = spot.at
    }
    // A blank in front of a tab is part of the same run.
    if (next < body.length && next > from && body[next - 1] === space) next--
    length += body.copy(out, length, from, next)
    if (next === body.length) break
    from = next
    while (body[from] === space || body[from] === tab) from++
    if (from < body.length && !startsLineEnd(body, from)) out[length++] = space
  }
  return withOneEnd(out.subarray(0, length))
}

function startsLineEnd(body: Buffer, at: number): boolean {
  return body[at] === crlf[0] && body[at + 1] === crlf[1]
}

/** The empty lines at the end go, and a last line without an end gets one. */
function withOneEnd(body: Buffer): Uint8Array {
  let end = body.length
  if (body[end - 1] === space) end--
  const ended = startsLineEnd(body, end - 2)
  while (startsLineEnd(body, end - 2)) end -= 2
  if (end === 0) return body.subarray(0, 0)
  return ended ? body.subarray(0, end + 2) : Buffer.concat([body.subarray(0, end), crlf])
}

// DKIM signatures (RFC 6376) with relaxed/relaxed and rsa-sha256. What is signed depends on nothing but the message, so any thread may make
// a header; the RSA operation never runs on the one of the event loop.
import { createHash } from 'node:crypto'
import { type Allocate, joinBytes } from '../../lib/arena'
import { withBefore } from '../../lib/headroom'
import { signSha256 } from '../../lib/rsa'
import { relaxedBody, relaxedHeader, splitHeaders } from './canonical'

export interface SigningKey {
  domain: string
  selector: string
  /** PKCS #8 in PEM. */
  privateKey: string
}

/** Signed one more time than they occur, so that nobody can add another on the way. */
const sealedHeaders = [
  'From',
  'Sender',
  'Reply-To',
  'To',
  'Cc',
  'Subject',
  'Date',
  'Message-ID',
  'In-Reply-To',
  'References',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
]
/** Signed where they occur. RFC 8058 asks for the two of one-click unsubscription; a list may add others of its own. */
const signedHeaders = [
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'List-Id',
  'Feedback-ID',
  'Precedence',
  'Auto-Submitted',
]

const selected = [...sealedHeaders, ...signedHeaders].map(name => ({
  name,
  lower: name.toLowerCase(),
  isSealed: sealedHeaders.includes(name),
}))

/** Makes the DKIM-Signature of a message, a whole header line. */
export type SignHeader = (raw: Uint8Array, key: SigningKey) => Promise<string>

/** The message with a DKIM-Signature in front. `raw` has CRLF line ends throughout. */
export async function signMessage(
  raw: Uint8Array,
  key: SigningKey,
  sign: SignHeader = signHeader,
  allocate: Allocate = Buffer.allocUnsafe,
): Promise<Uint8Array> {
  const header = await sign(raw, key)
  return withBefore(header, raw) ?? joinBytes([header, raw], allocate)
}

/** By the runtime. */
export const signHeader: SignHeader = async (raw, key) => {
  const unsigned = unsignedHeader(raw, key)
  return completeHeader(unsigned, await signSha256(unsigned.data, key.privateKey))
}

export interface UnsignedHeader {
  /** Up to and including `b=`. */
  line: string
  /** What the signature is made of. */
  data: Buffer
}

export function unsignedHeader(raw: Uint8Array, domain: Omit<SigningKey, 'privateKey'>): UnsignedHeader {
  const message = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const end = message.indexOf('\r\n\r\n')
  const head = message.toString('latin1', 0, end === -1 ? message.length : end + 2)
  const body = end === -1 ? message.subarray(message.length) : message.subarray(end + 4)

  const { names, text } = selectHeaders(splitHeaders(head))
  const bodyHash = createHash('sha256').update(relaxedBody(body)).digest('base64')
  const line = headerLine(domain, names, bodyHash)
  return { line, data: Buffer.from(text + relaxedHeader(line), 'latin1') }
}

/** Blanks inside `b=` mean nothing, so it may be cut anywhere. */
export function completeHeader({ line }: UnsignedHeader, signature: Uint8Array): string {
  const value = signature.toBase64().match(/.{1,72}/g)!
  return `${line}${value.join('\r\n ')}\r\n`
}

/** What `h=` lists and what is hashed for it: of headers that occur several times the last one first (RFC 6376, 5.4.2). */
function selectHeaders(fields: string[]): { names: string[]; text: string } {
  const byName = new Map<string, string[]>()
  for (const field of fields) {
    const relaxed = relaxedHeader(field)
    const name = relaxed.slice(0, relaxed.indexOf(':'))
    const found = byName.get(name)
    if (found) found.unshift(relaxed)
    else byName.set(name, [relaxed])
  }
  const names: string[] = []
  let text = ''
  for (const { name, lower, isSealed } of selected) {
    for (const field of byName.get(lower) ?? []) {
      names.push(name)
      text += `${field}\r\n`
    }
    if (isSealed) names.push(name)
  }
  return { names, text }
}

function headerLine(
  { domain, selector }: Omit<SigningKey, 'privateKey'>,
  names: string[],
  bodyHash: string,
): string {
  const lines = [`DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=${selector};`]
  let line = ' h='
  for (const [index, name] of names.entries()) {
    const entry = index === names.length - 1 ? `${name};` : `${name}:`
    if (line.length + entry.length > 76) {
      lines.push(line)
      line = ' '
    }
    line += entry
  }
  return [...lines, line, ` bh=${bodyHash};`, ' b='].join('\r\n')
}

// Whether a DKIM signature over a message holds (RFC 6376): by rsa-sha256, over the whole body, From among its headers. Everything in it is
// untrusted: the key is asked for only after the hash of the body has agreed, and only of the domain that the caller wants to hear of.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { relaxedBody, relaxedHeader, splitHeaders } from './canonical'

/** The records at a name, none where nobody answers. */
export type AskText = (name: string) => Promise<readonly string[]>

const maxSignatures = 5

/** Whether one of the first signatures is of a domain that is wanted, and holds. Line ends are CRLF. */
export async function isSignedBy(
  raw: Uint8Array,
  isWanted: (domain: string) => boolean,
  now: Date,
  ask: AskText,
): Promise<boolean> {
  const message = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const end = message.indexOf('\r\n\r\n')
  if (end === -1) return false
  const fields = splitHeaders(message.toString('latin1', 0, end + 2))
  const body = message.subarray(end + 4)
  for (const field of fields.filter(one => nameOf(one) === 'dkim-signature').slice(0, maxSignatures))
    if (await holds(field, fields, body, isWanted, now, ask)) return true
  return false
}

async function holds(
  field: string,
  fields: readonly string[],
  body: Uint8Array,
  isWanted: (domain: string) => boolean,
  now: Date,
  ask: AskText,
): Promise<boolean> {
  const tags = tagsOf(field.slice(field.indexOf(':') + 1))
  const [domain, selector] = [tags.get('d')?.toLowerCase() ?? '', tags.get('s')?.toLowerCase() ?? '']
  const [ofHeaders = '', ofBody = 'simple'] = (tags.get('c') ?? 'simple/simple').split('/')
  const names = (tags.get('h') ?? '')
    .toLowerCase()
    .split(':')
    .map(name => name.trim())
  const isSound =
    tags.get('a') === 'rsa-sha256' &&
    !tags.has('l') &&
    names.includes('from') &&
    hostName.test(`${selector}.${domain}`)
  if (!isSound || !isWanted(domain) || Number(tags.get('x') ?? Infinity) * 1_000 < now.getTime()) return false
  const hashed = createHash('sha256')
    .update(ofBody === 'relaxed' ? relaxedBody(body) : simpleBody(body))
    .digest('base64')
  if (hashed !== tags.get('bh')) return false
  const form = ofHeaders === 'relaxed' ? relaxedHeader : (one: string) => one
  const signed = Buffer.from(
    selected(names, fields)
      .map(one => `${form(one)}\r\n`)
      .join('') + form(withoutValue(field)),
    'latin1',
  )
  const signature = Buffer.from(tags.get('b') ?? '', 'base64')
  for (const record of await ask(`${selector}._domainkey.${domain}`))
    if (isVerified(signed, signature, tagsOf(record).get('p') ?? '')) return true
  return false
}

const hostName = /^[a-z0-9_.-]{3,253}$/

function nameOf(field: string): string {
  return field.slice(0, field.indexOf(':')).trim().toLowerCase()
}

/** Blanks inside of values mean nothing in those that we read. */
function tagsOf(text: string): Map<string, string> {
  const pairs = text
    .split(';')
    .map(part => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)])
  return new Map(pairs.map(([name, value]) => [name!.trim(), value!.replace(/\s/g, '')]))
}

/** Of headers that occur several times the last one first; one that is listed more often than it occurs is nothing. */
function selected(names: readonly string[], fields: readonly string[]): string[] {
  const remaining = fields.toReversed()
  return names.flatMap(name => {
    const at = remaining.findIndex(field => nameOf(field) === name)
    return at === -1 ? [] : remaining.splice(at, 1)
  })
}

/** The signature's own header, with an empty `b=`. */
function withoutValue(field: string): string {
  return field
    .split(';')
    .map(part => (bareName(part) === 'b' ? part.slice(0, part.indexOf('=') + 1) : part))
    .join(';')
}

/** The first tag stands behind the name of the header. */
function bareName(part: string): string {
  return part.slice(0, part.indexOf('=')).split(':').at(-1)!.trim()
}

const crlf = Buffer.from('\r\n')

/** One CRLF at the end, and no more. */
function simpleBody(body: Uint8Array): Uint8Array {
  let end = body.length
  while (end >= 2 && body[end - 2] === crlf[0] && body[end - 1] === crlf[1]) end -= 2
  return Buffer.concat([body.subarray(0, end), crlf])
}

const leastBits = 1_024

function isVerified(data: Uint8Array, signature: Uint8Array, key: string): boolean {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
    if ((publicKey.asymmetricKeyDetails?.modulusLength ?? 0) < leastBits) return false
    return verify('sha256', data, publicKey, signature)
  } catch {
    return false
  }
}

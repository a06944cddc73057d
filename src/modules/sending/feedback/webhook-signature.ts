// Checks calls that are signed as Standard Webhooks describes: HMAC-SHA-256 over id, time and the exact bytes. The time prevents
// replaying an old call, the id is the key of its receipt. https://www.standardwebhooks.com
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface SignedCall extends SignedHeaders {
  body: Uint8Array
}

export interface SignedHeaders {
  id: string | undefined
  /** Seconds since 1970. */
  timestamp: string | undefined
  /** `v1,<Base64>`, several with blanks between. */
  signature: string | undefined
}

const toleranceSeconds = 5 * 60
const maxIdLength = 200

/** Whether a call may be genuine and recent by what stands before its body; one that is not need not be read. */
export function mayBeSigned({ id, timestamp, signature }: SignedHeaders, now: Date): boolean {
  if (!id || !timestamp || !signature) return false
  if (!/^[\x21-\x7e]+$/.test(id) || id.length > maxIdLength || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) return false
  return candidatesIn(signature).some(candidate => /^v1,[A-Za-z0-9+/]{43}=$/.test(candidate))
}

/** The id of a call that is signed with the secret (`whsec_…`) and is recent; undefined for any other. */
export function verifiedId(secret: string, call: SignedCall, now: Date): string | undefined {
  if (!mayBeSigned(call, now)) return undefined
  const { id, timestamp, signature = '', body } = call
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return candidatesIn(signature).some(candidate => isEqual(candidate, expected)) ? id : undefined
}

function candidatesIn(signature: string): string[] {
  return signature.slice(0, 2_000).split(' ')
}

function isEqual(candidate: string, expected: Buffer): boolean {
  const [version, text = ''] = candidate.split(',', 2)
  const given = Buffer.from(text, 'base64')
  return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
}

// Checks calls that are signed as Standard Webhooks describes: HMAC-SHA-256 over id, time and the exact bytes. The time prevents
// replaying an old call, the id is the key of its receipt. https://www.standardwebhooks.com
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface SignedCall {
  id: string | undefined
  /** Seconds since 1970. */
  timestamp: string | undefined
  /** `v1,<Base64>`, several with blanks between. */
  signature: string | undefined
  body: Uint8Array
}

const toleranceSeconds = 5 * 60
const maxIdLength = 200

/** The id of a call that is signed with the secret (`whsec_…`) and is recent; undefined for any other. */
export function verifiedId(
  secret: string,
  { id, timestamp, signature, body }: SignedCall,
  now: Date,
): string | undefined {
  if (!id || !timestamp || !signature) return undefined
  if (!/^[\x21-\x7e]+$/.test(id) || id.length > maxIdLength || !/^\d{1,12}$/.test(timestamp)) return undefined
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) return undefined
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  const candidates = signature.slice(0, 2_000).split(' ')
  return candidates.some(candidate => isEqual(candidate, expected)) ? id : undefined
}

function isEqual(candidate: string, expected: Buffer): boolean {
  const [version, text = ''] = candidate.split(',', 2)
  const given = Buffer.from(text, 'base64')
  return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
}

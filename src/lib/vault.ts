// Keeps secrets at rest and signs links. Two keys, two jobs: ENCRYPTION_KEY seals what the database stores, JWT_SECRET signs what
// travels through other people's hands. Keys for each purpose are derived, so one token can't be replayed as another.
import { createCipheriv, createDecipheriv, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Random } from './ids'

export interface Vault {
  /** AES-256-GCM; the result is text and bound to `purpose`. */
  seal(purpose: string, plaintext: string): string
  /** The text that was sealed for `purpose`; throws when the key or the purpose differs or the text was changed. */
  open(purpose: string, sealed: string): string
  /** base64url HMAC-SHA-256 of `payload`, bound to `purpose`; 22 characters (132 bits). */
  sign(purpose: string, payload: string): string
  /** Constant-time check of `sign`. */
  verify(purpose: string, payload: string, signature: string): boolean
  /** Secret for session tokens. */
  readonly sessionSecret: Uint8Array
  /** The two keys of an HMAC-SHA-256 over addresses, for statements that calculate it. Goes by the key of what is at rest: it is stored. */
  readonly addressKey: { inner: Buffer; outer: Buffer }
}

const signatureLength = 22

export function makeVault(secrets: { encryptionKey: string; jwtSecret: string }, random: Random): Vault {
  const keys = new Map<string, Buffer>()
  const derive = (secret: string, purpose: string): Buffer => {
    const id = `${secret === secrets.encryptionKey ? 'seal' : 'sign'}:${purpose}`
    const known = keys.get(id)
    if (known) return known
    const key = Buffer.from(hkdfSync('sha256', secret, 'waxwing', id, 32))
    keys.set(id, key)
    return key
  }
  /** That have read their key and nothing else: a copy costs half of a new one or less, and every message needs several. */
  const hmacs = new Map<string, Bun.CryptoHasher>()
  const hmacFor = (purpose: string): Bun.CryptoHasher => {
    const known = hmacs.get(purpose) ?? new Bun.CryptoHasher('sha256', derive(secrets.jwtSecret, purpose))
    hmacs.set(purpose, known)
    return known.copy()
  }
  const sign = (purpose: string, payload: string): string =>
    hmacFor(purpose).update(payload).digest('base64url').slice(0, signatureLength)
  return {
    seal(purpose, plaintext) {
      const iv = random.bytes(12)
      const cipher = createCipheriv('aes-256-gcm', derive(secrets.encryptionKey, purpose), iv)
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
      return `1.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(purpose, sealed) {
      if (!sealed.startsWith('1.')) throw new Error('sealed text of an unknown version')
      const bytes = Buffer.from(sealed.slice(2), 'base64url')
      const decipher = createDecipheriv(
        'aes-256-gcm',
        derive(secrets.encryptionKey, purpose),
        bytes.subarray(0, 12),
      )
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
    sign,
    verify(purpose, payload, signature) {
      const expected = Buffer.from(sign(purpose, payload))
      const given = Buffer.from(signature)
      return expected.length === given.length && timingSafeEqual(expected, given)
    },
    sessionSecret: derive(secrets.jwtSecret, 'session'),
    addressKey: hmacKeys(derive(secrets.encryptionKey, 'erased addresses')),
  }
}

/** The key padded to a block, and combined with the two constants (RFC 2104). */
function hmacKeys(key: Buffer): { inner: Buffer; outer: Buffer } {
  const block = Buffer.alloc(64)
  key.copy(block)
  return { inner: block.map(byte => byte ^ 0x36) as Buffer, outer: block.map(byte => byte ^ 0x5c) as Buffer }
}

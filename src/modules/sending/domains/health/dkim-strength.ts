// How strong a published DKIM key is (RFC 6376, section 3.6.1; RFC 8301 on lengths). Pure.
import { createPublicKey } from 'node:crypto'
import { readTags } from '../check'

export type DkimStrength =
  | { kind: 'strong' | 'short' | 'weak'; bits: number }
  /** Of another kind than RSA, which is Ed25519 (RFC 8463). */
  | { kind: 'modern' }
  /** An empty key says that the selector is no longer in use. */
  | { kind: 'revoked' }
  | { kind: 'unreadable' }

/** No honest key is longer, and reading one takes time. */
const maxKeyLength = 3_000

/** Undefined for a text that is not a key record. */
export function dkimStrength(text: string): DkimStrength | undefined {
  const tags = readTags(text.slice(0, maxKeyLength + 500))
  const key = tags.get('p')
  if (key === undefined) return undefined
  if (key === '') return { kind: 'revoked' }
  if ((tags.get('k') ?? 'rsa').toLowerCase() === 'ed25519') return { kind: 'modern' }
  const bits = key.length <= maxKeyLength ? bitsOf(key) : undefined
  if (bits === undefined) return { kind: 'unreadable' }
  return { kind: bits < 1024 ? 'weak' : bits < 2048 ? 'short' : 'strong', bits }
}

function bitsOf(key: string): number | undefined {
  try {
    const der = Buffer.from(key, 'base64')
    return createPublicKey({ key: der, format: 'der', type: 'spki' }).asymmetricKeyDetails?.modulusLength
  } catch {
    // Whatever a stranger has published there, it is not a key.
    return undefined
  }
}

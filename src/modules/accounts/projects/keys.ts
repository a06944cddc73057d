// API keys: how they look, how they are made, and the hash they are found by. A key is 256 random bits, so a plain SHA-256 is
// enough: there is nothing to guess, and the look-up stays one index probe.
import { createHash } from 'node:crypto'
import { hexToken, type Random } from '../../../lib/ids'
import type { Context } from '../../../platform/context'

/** The two that every project has. */
export type ProjectKeyKind = 'public' | 'secret'
/** `named`: one of those that people make besides the pair, with scopes. */
export type KeyKind = ProjectKeyKind | 'named'

const prefixes: Record<KeyKind, string> = { public: 'pk_', secret: 'sk_', named: 'wk_' }

/** Random bytes of a key; it has twice as many characters. */
const keyBytes = 32

/** Bytes of a webhook secret; Standard Webhooks asks for 24 to 64. */
const webhookSecretBytes = 32

export function makeKey(kind: KeyKind, random: Random): string {
  return prefixes[kind] + hexToken(random, keyBytes)
}

/** The kind that a well-formed key belongs to; undefined for any other text. */
export function kindOfKey(key: string): KeyKind | undefined {
  if (!/^[psw]k_[0-9a-f]{64}$/.test(key)) return undefined
  return key.startsWith(prefixes.named) ? 'named' : key.startsWith(prefixes.public) ? 'public' : 'secret'
}

export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** A signing secret in the form that Standard Webhooks libraries expect. */
export function makeWebhookSecret(random: Random): string {
  return `whsec_${Buffer.from(random.bytes(webhookSecretBytes)).toString('base64')}`
}

/** New keys of a project as they are stored: hashed for look-ups, sealed for members who may copy them. */
export function newKeys(
  ctx: Context,
): Record<'publicKeyHash' | 'secretKeyHash' | 'publicKeySealed' | 'secretKeySealed', string> {
  const publicKey = makeKey('public', ctx.random)
  const secretKey = makeKey('secret', ctx.random)
  return {
    publicKeyHash: hashKey(publicKey),
    secretKeyHash: hashKey(secretKey),
    publicKeySealed: ctx.vault.seal('api-key', publicKey),
    secretKeySealed: ctx.vault.seal('api-key', secretKey),
  }
}

export function newWebhookSecret(ctx: Context): { webhookSecretSealed: string } {
  return { webhookSecretSealed: ctx.vault.seal('webhook-secret', makeWebhookSecret(ctx.random)) }
}

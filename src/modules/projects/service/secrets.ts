// Fresh secrets of a project, as its row keeps them: hashed for look-ups, sealed for those who may copy them.
import type { Context } from '../../../platform/context'
import { hashKey, makeKey, makeWebhookSecret } from '../keys'

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

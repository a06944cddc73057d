// Guards of the public endpoints: each takes one key of the pair, or one with the scope, and no cookie.
import { guard } from '../../../http/guard'
import type { Context } from '../../../platform/context'
import { admit, type GuardOptions, keyAccess } from './access'

/** For `/v1/track` alone: the public key, or one with the scope. */
export function publicKey(ctx: Context, options: GuardOptions = {}) {
  return keyGuard(ctx, 'public', options)
}

/** For `/v1/send` and `/v1/verify`: the secret key, or one with the scope. */
export function secretKey(ctx: Context, options: GuardOptions = {}) {
  return keyGuard(ctx, 'secret', options)
}

function keyGuard(ctx: Context, kind: 'public' | 'secret', options: GuardOptions) {
  return guard({ name: `${kind}-key`, seed: options }, `${kind}Key`, async input => {
    return await admit(ctx, input, await keyAccess(ctx, kind, input.headers['authorization']), options)
  })
}

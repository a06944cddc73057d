// Guards of the public endpoints: each takes one key of the pair, or one with the scope, and no cookie.
import type { Context } from '../../../platform/context'
import { admit, keyAccess, projectGuard } from './access'

/** For `/v1/track` alone: the public key, or one with the scope. */
export function publicKey(ctx: Context) {
  return keyGuard(ctx, 'public')
}

/** For `/v1/send` and `/v1/verify`: the secret key, or one with the scope. */
export function secretKey(ctx: Context) {
  return keyGuard(ctx, 'secret')
}

function keyGuard(ctx: Context, kind: 'public' | 'secret') {
  return projectGuard(`${kind}-key`, `${kind}Key`, async input => {
    return await admit(ctx, input, await keyAccess(ctx, kind, input.headers['authorization']))
  })
}

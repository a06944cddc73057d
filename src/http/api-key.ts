// Guards of the public endpoints: one kind of key each, no cookie. They run before validation, so a wrong key is 401 whatever
// the body says.
import { Elysia } from 'elysia'
import type { Context } from '../platform/context'
import { type Access, admit, type GuardOptions, keyAccess, secured } from './access'

/** For `/v1/track` alone: the public key and nothing else. */
export function publicKey(ctx: Context, options: GuardOptions = {}) {
  return keyGuard(ctx, 'public', options)
}

/** For `/v1/send` and `/v1/verify`: the secret key and nothing else. */
export function secretKey(ctx: Context, options: GuardOptions = {}) {
  return keyGuard(ctx, 'secret', options)
}

function keyGuard(ctx: Context, kind: 'public' | 'secret', options: GuardOptions) {
  return new Elysia({ name: `${kind}-key`, seed: options }).derive(
    { as: 'scoped' },
    secured(`${kind}Key`, async ({ request, route, headers, cookie, set }): Promise<{ access: Access }> => {
      const access = await keyAccess(ctx, kind, headers['authorization'])
      return await admit(ctx, { request, route, headers, cookie, set }, access, options)
    }),
  )
}

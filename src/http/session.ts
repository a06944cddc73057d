// Guard of the routes that belong to a person and not to a project: the session cookie, and no key.
import { Elysia } from 'elysia'
import type { Context } from '../platform/context'
import { requireVerified, type SessionUser, secured, sessionUser } from './access'
import { requestInfo } from './request-id'

export { clearSession, setSession } from './session-token'

export interface SessionOptions {
  /** Also for users who have yet to prove their address where the instance asks for it. */
  unverified?: boolean
}

export function session(ctx: Context, options: SessionOptions = {}) {
  return new Elysia({ name: 'session', seed: options }).derive(
    { as: 'scoped' },
    secured('session', async ({ request, cookie, set }): Promise<{ user: SessionUser }> => {
      const user = await sessionUser(ctx, cookie)
      requestInfo(request).userId = user.id
      if (!options.unverified) requireVerified(ctx, user)
      set.headers['cache-control'] = 'no-store'
      return { user }
    }),
  )
}

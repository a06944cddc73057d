// Guard of the routes that belong to a person and not to a project: the session cookie, and no key.
import { Elysia } from 'elysia'
import type { Context } from '../platform/context'
import { type SessionUser, secured, sessionUser } from './access'
import { requestInfo } from './request-id'

export { clearSession, setSession } from './session-token'

export function session(ctx: Context) {
  return new Elysia({ name: 'session' }).derive(
    { as: 'scoped' },
    secured('session', async ({ request, cookie, set }): Promise<{ user: SessionUser }> => {
      const user = await sessionUser(ctx, cookie)
      requestInfo(request).userId = user.id
      set.headers['cache-control'] = 'no-store'
      return { user }
    }),
  )
}

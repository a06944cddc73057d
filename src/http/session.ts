// Guard of the routes that belong to a person and not to a project: the session cookie, and no key.
import type { Context } from '../platform/context'
import { requireVerified, sessionUser } from './access'
import { guard } from './guard'
import { spendRequest } from './rate-limit'
import { requestInfo } from './request-id'

export { clearSession, readSession, sessionCookieName, setSession } from './session-token'

export interface SessionOptions {
  /** Also for users who have yet to prove their address where the instance asks for it. */
  unverified?: boolean
}

export function session(ctx: Context, options: SessionOptions = {}) {
  return guard({ name: 'session', seed: options }, 'session', async ({ request, cookie, set }) => {
    const user = await sessionUser(ctx, cookie)
    requestInfo(request).userId = user.id
    if (!options.unverified) requireVerified(ctx, user)
    set.headers['cache-control'] = 'no-store'
    await spendRequest(ctx, { kind: 'user', id: user.id }, set.headers)
    return { user }
  })
}

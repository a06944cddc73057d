// Signing in: the session gets its row, and the browser its cookie.
import type { CookieJar } from '../../../http/guard'
import { requestInfo } from '../../../http/request-id'
import type { Context } from '../../../platform/context'
import { shortAgent } from '../agent'
import { noteSession, type SignedIn } from '../service'
import { newSession, setSession } from './token'

/** The parts of a handler's input that a session is opened with. */
export interface Arrival {
  request: Request
  cookie: CookieJar
}

/** Opens a session of the user; the cookie goes out with the answer. */
export async function openSession(ctx: Context, arrival: Arrival, user: SignedIn): Promise<void> {
  const known = newSession(ctx)
  const createdAt = ctx.clock.now()
  const names = { userId: user.id, version: user.sessionVersion }
  await noteSession(ctx, { ...known, ...names, ...traitsOf(ctx, arrival.request), createdAt })
  await setSession(ctx, arrival.cookie, { ...names, known })
}

/** What is kept about the client: little, and the address only where the operator wants it. */
export function traitsOf(ctx: Context, request: Request): { agent: string | null; address: string | null } {
  const { address } = requestInfo(request)
  const isKept = ctx.config.sessionAddresses
  return {
    agent: shortAgent(request.headers.get('user-agent')),
    address: (isKept && address?.slice(0, 64)) || null,
  }
}

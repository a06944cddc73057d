// The guard of routes that belong to a person and not to a project: they take the session cookie, and no key.
import { type CookieJar, type GuardInput, guard, sessionCookieName } from '../../../../http/guard'
import { spendRequest } from '../../../../http/rate-limit'
import { requestInfo } from '../../../../http/request-id'
import { forbidden, unauthorized } from '../../../../lib/errors'
import type { Context } from '../../../../platform/context'
import { shortAgent } from '../agent'
import { findSessionUser, isOperator, noteSession, type SignedIn, sessionVisits } from '../service'
import { newSession, openedAt, readSession, setSession, type UserSession } from './token'

/** The user behind a valid session cookie. */
export interface SessionUser {
  id: string
  email: string
  emailVerified: boolean
  /** Made by an invitation on a closed instance: of no use before the address is proved. */
  mustVerify: boolean
  session: UserSession
}

export interface SessionGuardOptions {
  /** Also for users who have yet to prove their address where the instance asks for it. */
  unverified?: boolean
  /** Only for whoever runs the instance. */
  operator?: boolean
}

export function session(ctx: Context, options: SessionGuardOptions = {}) {
  const security = options.operator ? 'operator' : 'session'
  return guard({ name: 'session', seed: options }, security, async ({ request, cookie, set }) => {
    const user = await sessionUser(ctx, { request, cookie })
    requestInfo(request).userId = user.id
    if (!options.unverified) requireVerified(ctx, user)
    if (options.operator && !(await isOperator(ctx, user.id))) throw notOperator()
    set.headers['cache-control'] = 'no-store'
    await spendRequest(ctx, { kind: 'user', id: user.id }, set.headers)
    return { user }
  })
}

function notOperator(): Error {
  return forbidden('FORBIDDEN', 'This is for the operator of the instance', {
    suggestion: 'The operator is the account that was made first.',
  })
}

/** The signed-in user; 401 UNAUTHORIZED for a cookie that is missing, forged, expired or of an ended session. */
export async function sessionUser(
  ctx: Context,
  { request, cookie }: Pick<GuardInput, 'request' | 'cookie'>,
): Promise<SessionUser> {
  const session = await readSession(ctx, cookie[sessionCookieName]?.value)
  const found = session && (await findSessionUser(ctx, session))
  if (!found)
    throw unauthorized('UNAUTHORIZED', 'You are not signed in', { suggestion: 'Sign in and try again.' })
  const { lastSeenAt, ...user } = found
  const createdAt = openedAt(session.expiresAt)
  sessionVisits(ctx).note({ ...session, ...traitsOf(ctx, request), createdAt }, lastSeenAt)
  return { ...user, session }
}

/** Throws 403 where the user has to prove the address first. Whoever signs in with a provider has done so. */
export function requireVerified(ctx: Context, user: SessionUser): void {
  if (user.emailVerified || !(ctx.config.requireEmailVerification || user.mustVerify)) return
  throw forbidden('EMAIL_VERIFICATION_REQUIRED', 'Your e-mail address is not verified yet', {
    suggestion: 'Follow the link in the mail, or ask for another one: POST /auth/request-verification.',
  })
}

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

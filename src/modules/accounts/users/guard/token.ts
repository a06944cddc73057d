// The session cookie: a JWT with the user's id and session version, signed with the instance's secret and checked against the injected
// clock. Its own id allows ending it alone; a password reset and signing out everywhere raise the version, which ends every older
// session.
import { jwt } from '@elysiajs/jwt'
import { type CookieJar, sessionCookieName } from '../../../../http/guard'
import { after, day } from '../../../../lib/time'
import { type Context, newId } from '../../../../platform/context'

const lifetime = 7 * day

export interface SessionClaims {
  userId: string
  version: number
  /** For a session that exists already: its id, and until when it is valid. */
  known?: { id: string; expiresAt: Date }
}

/** A session that is open. */
export interface UserSession extends Pick<SessionClaims, 'userId' | 'version'> {
  id: string
  expiresAt: Date
}

/** The id and the end of a session that begins now. */
export function newSession(ctx: Context): { id: string; expiresAt: Date } {
  return { id: newId(ctx), expiresAt: after(ctx.clock.now(), lifetime) }
}

/** When a session was opened, computed from its end. */
export function openedAt(expiresAt: Date): Date {
  return after(expiresAt, -lifetime)
}

/** A signed token that is valid for seven days from the context's clock. */
export async function signSession(ctx: Context, claims: SessionClaims): Promise<string> {
  const { id, expiresAt } = claims.known ?? newSession(ctx)
  return await tokens(ctx).sign({
    sub: claims.userId,
    v: claims.version,
    jti: id,
    exp: Math.floor(expiresAt.getTime() / 1000),
    iat: false,
  })
}

/** The claims of a genuine token that has not expired; undefined for anything else. */
export async function readSession(ctx: Context, token: unknown): Promise<UserSession | undefined> {
  if (typeof token !== 'string' || token === '' || token.length > 2_000) return undefined
  const options = {
    currentDate: ctx.clock.now(),
    algorithms: ['HS256'],
    requiredClaims: ['sub', 'exp', 'jti'],
  }
  const payload = await tokens(ctx).verify(token, options)
  if (!payload || typeof payload.sub !== 'string' || typeof payload.v !== 'number') return undefined
  const { sub: userId, v: version, jti: id, exp } = payload
  if (id === undefined || exp === undefined) return undefined
  return { id, userId, version, expiresAt: new Date(exp * 1000) }
}

/** Sends the cookie of a session with the answer. */
export async function setSession(ctx: Context, cookie: CookieJar, claims: SessionClaims): Promise<void> {
  const known = claims.known ?? newSession(ctx)
  const { expiresAt } = known
  cookie[sessionCookieName]?.set({
    ...attributes(ctx),
    value: await signSession(ctx, { ...claims, known }),
    maxAge: Math.max(1, Math.floor((expiresAt.getTime() - ctx.clock.now().getTime()) / 1000)),
    expires: expiresAt,
  })
}

/** Signs the browser out. */
export function clearSession(ctx: Context, cookie: CookieJar): void {
  cookie[sessionCookieName]?.set({ ...attributes(ctx), value: '', maxAge: 0, expires: new Date(0) })
}

/** Host-only on purpose: no Domain attribute. */
function attributes(ctx: Context) {
  return {
    httpOnly: true,
    sameSite: 'lax' as const,
    path: '/',
    secure: ctx.config.baseUrl.startsWith('https:'),
  }
}

/** The plugin is used for its signer only; no route registers it. */
function tokens(ctx: Context) {
  return jwt({ name: 'session', secret: ctx.vault.sessionSecret }).decorator.session
}

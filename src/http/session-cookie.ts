// The cookie that signs a browser in, as far as everything around the routes has to know of it.
import type { Cookie } from 'elysia'

export const sessionCookieName = 'waxwing_session'

/** Elysia's jar, as a handler gets it in `cookie`. */
export type CookieJar = Record<string, Cookie<unknown>>

export function hasSession(cookie: CookieJar): boolean {
  return Boolean(cookie[sessionCookieName]?.value)
}

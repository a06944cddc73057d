// What all guards have in common: the caller is looked up before the body is read, so that a stranger's megabytes are neither received
// nor parsed, and before validation, so that a wrong key is 401 whatever the body says.
import type { Cookie } from 'elysia'
import { Elysia } from 'elysia'

/** The part of Elysia's context that guards read. */
export interface GuardInput {
  request: Request
  route: string
  headers: Record<string, string | undefined>
  cookie: CookieJar
  set: { headers: Record<string, string | number | string[] | undefined> }
  params: unknown
}

const mark = Symbol('security')

/** Which credentials a route takes, for the OpenAPI document. */
export type Security = 'publicKey' | 'secretKey' | 'session' | 'projectAccess' | 'ownProject'

/** Tags a guard's hook, so that the document of all routes can say what each asks for. */
function secured<T extends object>(security: Security, hook: T): T {
  return Object.assign(hook, { [mark]: security })
}

export function securityOf(hook: unknown): Security | undefined {
  return typeof hook === 'function' ? (hook as { [mark]?: Security })[mark] : undefined
}

/** The body of a refused request: nobody reads it, because the next hook throws. */
const unread = {}

/** A plugin that passes what `check` returns to the routes of a module; an error that it throws is the response. */
export function guard<T extends Record<string, unknown>>(
  plugin: { name: string; seed?: unknown },
  security: Security,
  check: (input: GuardInput) => Promise<T>,
) {
  const begun = new WeakMap<Request, Promise<T>>()
  return new Elysia(plugin)
    .onParse({ as: 'scoped' }, async ({ request, route, headers, cookie, set, params }) => {
      const checked = check({ request, route, headers, cookie, set, params })
      begun.set(request, checked)
      // Thrown here, it would be taken for a fault of the body.
      return await checked.then(
        () => undefined,
        () => unread,
      )
    })
    .derive(
      { as: 'scoped' },
      secured(
        security,
        async ({ request, route, headers, cookie, set, params }: GuardInput): Promise<T> =>
          await (begun.get(request) ?? check({ request, route, headers, cookie, set, params })),
      ),
    )
}

export const sessionCookieName = 'waxwing_session'

/** Elysia's jar, as a handler gets it in `cookie`. */
export type CookieJar = Record<string, Cookie<unknown>>

export function hasSession(cookie: CookieJar): boolean {
  return Boolean(cookie[sessionCookieName]?.value)
}

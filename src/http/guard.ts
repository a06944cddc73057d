// What all guards have in common: the caller is looked up before the body is read, so that a stranger's megabytes are neither received
// nor parsed, and before validation, so that a wrong key is 401 whatever the body says.
import type { BaseMacro, Cookie } from 'elysia'
import { Elysia } from 'elysia'
import { type DeclarationOf, type Declared, routeName } from './route'

/** The part of Elysia's context that guards read. */
export interface GuardInput {
  request: Request
  route: string
  headers: Record<string, string | undefined>
  cookie: CookieJar
  set: { headers: Record<string, string | number | string[] | undefined> }
  params: unknown
  /** What the route says of itself. */
  declared: Declared
}

/** As it is before the route is looked up, by what the platform gives to all of them. */
type Arriving = Omit<GuardInput, 'declared'> & { declarationOf?: DeclarationOf }

const mark = Symbol('security')

/** Which credentials a route takes, for the OpenAPI document. */
export type Security =
  | 'publicKey'
  | 'secretKey'
  | 'session'
  | 'operator'
  | 'projectAccess'
  | 'ownProject'
  | 'anyCaller'

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
  const checkOf = ({ declarationOf, ...input }: Arriving): Promise<T> =>
    check({ ...input, declared: declarationOf?.(routeName(input.request.method, input.route)) ?? {} })
  // The framework reads these lists of names: what isn't in them isn't there.
  return new Elysia(plugin)
    .onParse(
      { as: 'scoped' },
      async ({ request, route, headers, cookie, set, params, declarationOf }: Arriving) => {
        const checked = checkOf({ request, route, headers, cookie, set, params, declarationOf })
        begun.set(request, checked)
        // Thrown here, it would be taken for a fault of the body.
        return await checked.then(
          () => undefined,
          () => unread,
        )
      },
    )
    .derive(
      { as: 'scoped' },
      secured(
        security,
        async ({ request, route, headers, cookie, set, params, declarationOf }: Arriving): Promise<T> =>
          await (begun.get(request) ??
            checkOf({ request, route, headers, cookie, set, params, declarationOf })),
      ),
    )
}

/** A guard whose routes don't compile unless their options say what it asks of them, as `Terms` describes it. */
export function asking<Terms extends BaseMacro>() {
  return <Guard>(guard: Guard) => guard as unknown as Asking<Guard, Terms>
}

type Asking<Guard, Terms extends BaseMacro> =
  Guard extends Elysia<infer Path, infer S, infer D, infer Meta, infer Routes, infer Own, infer Above>
    ? Elysia<Path, S, D, Omit<Meta, 'macro'> & { macro: Terms }, Routes, Own, Above>
    : never

export const sessionCookieName = 'waxwing_session'

/** Elysia's jar, as a handler gets it in `cookie`. */
export type CookieJar = Record<string, Cookie<unknown>>

export function hasSession(cookie: CookieJar): boolean {
  return Boolean(cookie[sessionCookieName]?.value)
}

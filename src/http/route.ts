// What a route says of itself beside its schemas. For guards, among its options: `{ scope: 'write', right: 'domains.manage', … }`; for the
// document, in `detail`. Whatever lists routes (guards, the document, the tools of assistants, tests) reads it from the application.
import type { AnyElysia } from 'elysia'

/** What a key with scopes (`wk_...`) may be allowed. */
export const keyScopes = ['send', 'track', 'read', 'write'] as const
export type KeyScope = (typeof keyScopes)[number]

/** Which keys may call: one with this scope, or with all of these; the secret key alone; none. People are asked for a right instead. */
export type RouteScope = KeyScope | readonly KeyScope[] | 'secretKey' | 'people'

/** What guards read. A route that says nothing takes no key with scopes, and nothing while its project is suspended. */
export interface Declared {
  scope?: RouteScope
  /** What the role of the caller must allow; without it, every member may call the route. */
  right?: string
  /** A route that changes something, or is asked by POST, and may be called all the same. */
  whileSuspended?: true
}

declare module 'elysia' {
  interface DocumentDecoration {
    /** Waxwing alone has it, beyond the interface that other servers share. */
    addition?: true
    /** What the handler finds, beyond what follows from guard, parameters and body. */
    errors?: readonly number[]
    /** Answers of checks by hand, which may have the short form. */
    shortErrors?: readonly number[]
    /** Takes the header Idempotency-Key. */
    idempotent?: true
  }
}

/** Of a route by its name, `POST /contacts/lookup`. */
export type DeclarationOf = (name: string) => Declared

/** Finds what a route says; `routes` is asked once, at the first question. */
export function declarations(routes: () => AnyElysia['routes']): DeclarationOf {
  let known: Map<string, Declared> | undefined
  return name => {
    known ??= new Map(routes().map(each => [routeName(each.method, each.path), each.hooks as Declared]))
    return known.get(name) ?? {}
  }
}

/** Without the slash that a prefix may leave at the end; HEAD is answered by the route of GET. */
export function routeName(method: string, path: string): string {
  return `${method === 'HEAD' ? 'GET' : method} ${path.replace(/(.)\/$/, '$1')}`
}

/** What a key needs, all of them; undefined where no key with scopes is taken. */
export function neededScopes({ scope }: Declared): readonly KeyScope[] | undefined {
  if (scope === undefined || scope === 'secretKey' || scope === 'people') return undefined
  return typeof scope === 'string' ? [scope] : scope
}

/** Whether a key with these scopes may call the route; one that says nothing stays closed. */
export function opens(given: readonly KeyScope[], route: Declared): boolean {
  return neededScopes(route)?.every(scope => given.includes(scope)) ?? false
}

// Who may call an operation, as the guards before it say.
import type { AnyElysia } from 'elysia'
import { type Security, securityOf, sessionCookieName } from '../guard'

/** `get /contacts/{id}` -> the guard in front of it. */
export function guardsOf(app: AnyElysia): Map<string, Security> {
  const guards = new Map<string, Security>()
  for (const { method, path, hooks } of app.routes) {
    const transforms: Array<{ fn?: unknown }> = [(hooks as { transform?: never }).transform ?? []].flat()
    const security = transforms.map(hook => securityOf(hook.fn)).find(found => found !== undefined)
    if (security) guards.set(`${method.toLowerCase()} ${path.replace(/:([^/]+)/g, '{$1}')}`, security)
  }
  return guards
}

export const requirements: Record<Security, Array<Record<string, string[]>>> = {
  publicKey: [{ publicKey: [] }],
  secretKey: [{ secretKey: [] }],
  session: [{ session: [] }],
  projectAccess: [{ secretKey: [] }, { session: [], project: [] }],
  ownProject: [{ secretKey: [] }, { session: [] }],
}

export const securitySchemes = {
  publicKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The public key of a project (pk_...), for tracking only, or a key with the scope track (wk_...)',
  },
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The secret key of a project (sk_...), or a key that has all scopes in the `x-waxwing-scopes` of the operation (wk_...)',
  },
  session: { type: 'apiKey', in: 'cookie', name: sessionCookieName, description: 'Set by POST /auth/login' },
  project: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Project-Id',
    description: 'The project a session acts on',
  },
}

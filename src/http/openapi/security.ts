// Who may call an operation, as the guards before it say.
import { type Security, securityOf, sessionCookieName } from '../guard'

/** The guard in front of a route. */
export function securityOfRoute(hooks: { transform?: unknown }): Security | undefined {
  const transforms = [hooks.transform ?? []].flat() as Array<{ fn?: unknown }>
  return transforms.map(hook => securityOf(hook.fn)).find(found => found !== undefined)
}

export const requirements: Record<Security, Array<Record<string, string[]>>> = {
  publicKey: [{ publicKey: [] }],
  secretKey: [{ secretKey: [] }],
  session: [{ session: [] }],
  operator: [{ session: [] }],
  projectAccess: [{ secretKey: [] }, { session: [], project: [] }],
  ownProject: [{ secretKey: [] }, { session: [] }],
  anyCaller: [{ secretKey: [] }, { session: [] }],
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

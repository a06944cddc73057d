// How a request becomes the origin of a change in the ledger of consent.
import { clientAddress } from '../../../http/request-id'
import type { Context } from '../../../platform/context'
import { type Access, isForPages } from '../../accounts/projects'
import type { ConsentOrigin } from './schema'

/** For changes that nobody is named for. */
export const byProgram: ConsentOrigin = { source: 'program' }

/** Whoever makes the request. Of a key for pages, the client is the recipient's. */
export function consentOrigin(ctx: Context, access: Access, request: Request): ConsentOrigin {
  const { actor, project } = access
  if (actor.type === 'user') return { source: 'member', actor: actor.userId }
  if (!isForPages(access)) return { source: 'api', actor: actor.key }
  const client = project.keepsClients ? clientHash(ctx, project.id, request) : undefined
  return { source: 'publicKey', actor: actor.key, ...(client ? { client } : {}) }
}

/** The same for the same client in the same project; who it was can't be read from it. */
export function clientHash(ctx: Context, projectId: string, request: Request): string {
  const program = request.headers.get('user-agent') ?? ''
  return ctx.vault.sign('consent-client', JSON.stringify([projectId, clientAddress(request), program]))
}

// What a guard tells the handler about who acts on a project, and the rules all guards of projects share: how keys are read, what a
// disabled project refuses, and which error says what.
import type { GuardInput } from '../../../http/guard'
import { spendRequest } from '../../../http/rate-limit'
import { requestInfo } from '../../../http/request-id'
import { type AppError, badRequest, forbidden, unauthorized } from '../../../lib/errors'
import type { Context } from '../../../platform/context'
import type { Holder } from '../../../platform/rate/queries'
import { actorOfKey } from '../audit'
import type { KeyKind } from '../keys'
import type { Role } from '../roles'
import { beingReset, findProjectByKey, type ProjectAccessRow, type ProjectActor } from '../service'

/** Of a key, only its beginning is kept. */
export type Actor = { type: 'key'; kind: KeyKind; key: string } | { type: 'user'; userId: string }

/** The project a request acts on, who acts, and with which rights. */
export interface Access {
  project: ProjectAccessRow
  actor: Actor
  role: Role
}

/** Routes are named as they are registered: `POST /contacts/lookup`. */
export interface GuardOptions {
  /** State-changing routes that a disabled project may still call; `all` for every one of the module. */
  openWhileDisabled?: readonly string[] | 'all'
  /** Keys are refused (403). */
  peopleOnly?: boolean
}

/** The key of an Authorization header; 401 MISSING_AUTH for a header that is not `Bearer <key>`. */
function bearerKey(header: string | undefined): string {
  const parts = (header ?? '').split(' ')
  if (parts.length === 2 && /^bearer$/i.test(parts[0]!) && parts[1] !== '') return parts[1]!
  throw missingAuth()
}

export function missingAuth(): AppError {
  return unauthorized('MISSING_AUTH', 'No API key was sent', {
    suggestion: 'Send the header "Authorization: Bearer <API key>".',
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
}

/** The access that a key of that kind gives; 401 INVALID_API_KEY for an unknown key and for one of the other kind alike. */
export async function keyAccess(ctx: Context, kind: KeyKind, header: string | undefined): Promise<Access> {
  const key = bearerKey(header)
  const project = key.length <= 200 ? await findProjectByKey(ctx, kind, key) : undefined
  if (!project) {
    throw unauthorized('INVALID_API_KEY', 'The API key is not valid for this endpoint', {
      suggestion: `Use the project's ${kind} key (${kind === 'public' ? 'pk_' : 'sk_'}...).`,
      headers: { 'WWW-Authenticate': 'Bearer' },
    })
  }
  return {
    project,
    actor: { type: 'key', kind, key: actorOfKey(key) },
    role: kind === 'secret' ? 'ADMIN' : 'MEMBER',
  }
}

/** The caller as services and the audit log know it. */
export function projectActor({ project, actor, role }: Access): ProjectActor {
  return { projectId: project.id, role, by: actor.type === 'user' ? actor.userId : actor.key }
}

export function missingProject(): AppError {
  return badRequest('The header X-Project-Id is missing', {
    suggestion: 'Send the id of the project that this request is for.',
  })
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Throws 403 PROJECT_DISABLED, or 423 during a reset, for a state-changing route that is not listed as open. */
function requireOpen(input: GuardInput, project: ProjectAccessRow, options: GuardOptions): void {
  const { method } = input.request
  const { openWhileDisabled = [] } = options
  const isOpen = !project.disabled && !project.resetting
  if (isOpen || safeMethods.has(method) || openWhileDisabled === 'all') return
  if (openWhileDisabled.includes(`${method} ${input.route.replace(/(.)\/$/, '$1')}`)) return
  if (!project.disabled) throw beingReset()
  throw forbidden('PROJECT_DISABLED', 'This project is disabled', {
    suggestion: 'Reading still works; ask the operator of this instance to enable the project again.',
  })
}

/** What every guard does once it knows who calls: note it for the log, refuse the disabled, count the request. */
export async function admit(
  ctx: Context,
  input: GuardInput,
  access: Access,
  options: GuardOptions,
): Promise<{ access: Access }> {
  const info = requestInfo(input.request)
  info.projectId = access.project.id
  if (access.actor.type === 'user') info.userId = access.actor.userId
  // What needs credentials is for this caller alone, whatever stands between us.
  input.set.headers['cache-control'] = 'no-store'
  requireOpen(input, access.project, options)
  if (options.peopleOnly && access.actor.type === 'key')
    throw forbidden('FORBIDDEN', 'This needs a signed-in member of the project; a key may not do it')
  await spendRequest(ctx, budgetOf(access), input.set.headers)
  return { access }
}

/** A page full of visitors with the public key must not keep the project from sending, nor must its people. */
function budgetOf({ project, actor }: Access): Holder {
  if (actor.type === 'user') return { kind: 'user', id: actor.userId }
  return { kind: actor.kind === 'public' ? 'public' : 'project', id: project.id }
}

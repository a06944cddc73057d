// What a guard tells the handler about who acts on a project, and the rules that all guards of projects share: how keys are read, what a
// disabled project refuses, and which error says what.

import { rpcPath } from '../../../../http/errors'
import { asking, type GuardInput, guard, type Security } from '../../../../http/guard'
import { isOfAssistant, spendRequest } from '../../../../http/rate-limit'
import { requestInfo } from '../../../../http/request-id'
import { type KeyScope, neededScopes, opens, type RouteScope } from '../../../../http/route'
import { type AppError, badRequest, forbidden, unauthorized } from '../../../../lib/errors'
import type { Context } from '../../../../platform/context'
import type { Holder } from '../../../../platform/rate/queries'
import { actorOfKey } from '../audit'
import type { KeyKind, ProjectKeyKind } from '../keys'
import { lockLive } from '../queries'
import { may, neededRights, type Right, type Role, requireRight } from '../roles'
import {
  beingReset,
  findKeyHolder,
  type LiveRule,
  type NamedKey,
  type ProjectAccessRow,
  type ProjectActor,
} from '../service'

/** Of a key, only its beginning is kept. */
export type Actor = { type: 'key'; kind: KeyKind; key: string } | { type: 'user'; userId: string }

/** The project a request acts on, who acts, and with which rights. */
export interface Access {
  project: ProjectAccessRow
  actor: Actor
  role: Role
  /** Only of a key with scopes. */
  named?: NamedKey
}

/** What a route behind a guard of projects says among its options. */
export type ProjectRoute =
  /** Without a right, people need those that the scopes stand for. */
  (
    | { scope: RouteScope; right?: undefined }
    /** People need another right over content than the keys' scopes say. */
    | { scope: KeyScope | readonly KeyScope[]; right: Extract<Right, `content.${string}`> }
    /** What not every member may do: the secret key, which has the rights of an ADMIN, and no key with scopes, which has a MEMBER's. */
    | { scope?: 'people'; right: Right }
  ) & { whileSuspended?: true }

/** A guard of projects; a route behind it that says nothing of keys doesn't compile. */
export function projectGuard<T extends Record<string, unknown>>(
  name: string,
  security: Security,
  check: (input: GuardInput) => Promise<T>,
) {
  return asking<ProjectRoute>()(guard({ name }, security, check))
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

/**
 * The access that a key of that kind gives, or one with scopes in its place; 401 INVALID_API_KEY both for an unknown key and for one of the
 * other kind.
 */
export async function keyAccess(
  ctx: Context,
  kind: ProjectKeyKind,
  header: string | undefined,
): Promise<Access> {
  const key = bearerKey(header)
  const holder = key.length <= 200 ? await findKeyHolder(ctx, kind, key) : undefined
  if (!holder) throw wrongKey(kind)
  const { project, named, hasExpired } = holder
  if (hasExpired) throw invalidKey('The API key has expired', 'Use a key that is still valid.')
  const actor = { type: 'key', kind: named ? 'named' : kind, key: actorOfKey(key) } as const
  // What a role may do beyond the scopes, such as seeing secrets, is not for a key that was given a part of the work.
  return { project, actor, role: kind === 'secret' && !named ? 'ADMIN' : 'MEMBER', named }
}

function wrongKey(kind: ProjectKeyKind): AppError {
  const words = `Use the project's ${kind} key (${kind === 'public' ? 'pk_' : 'sk_'}...).`
  return invalidKey('The API key is not valid for this endpoint', words)
}

function invalidKey(message: string, suggestion: string): AppError {
  return unauthorized('INVALID_API_KEY', message, {
    suggestion,
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
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

/** Throws 403 PROJECT_DISABLED, or 423 during a reset, for a state-changing route that does not say it is open. */
function requireOpen({ request, declared }: GuardInput, project: ProjectAccessRow): void {
  const isOpen = !project.disabled && !project.resetting
  if (isOpen || safeMethods.has(request.method) || declared.whileSuspended) return
  if (!project.disabled) throw beingReset()
  throw forbidden('PROJECT_DISABLED', 'This project is disabled', {
    suggestion: 'Reading still works; ask the operator of this instance to enable the project again.',
  })
}

/** Throws 403 for a key that may not call the route. */
function requireScope({ declared }: GuardInput, { actor, named }: Access): void {
  if (declared.scope === 'people' && actor.type === 'key')
    throw forbidden('FORBIDDEN', 'This needs a signed-in member of the project; a key may not do it')
  if (!named || opens(named.scopes, declared)) return
  const needed = neededScopes(declared)
  if (needed) throw missingScope(needed, named.scopes)
  throw forbidden('FORBIDDEN', 'A key with scopes may not do this', {
    details: { scopes: named.scopes },
    suggestion: 'Use the secret key of the project (sk_...), or a session.',
  })
}

function missingScope(needed: readonly KeyScope[], scopes: readonly KeyScope[]): AppError {
  return forbidden('FORBIDDEN', `This needs a key with the scope ${needed.join(' and ')}`, {
    details: { needed, scopes },
    suggestion: 'Make a key that has it, or use the secret key of the project (sk_...).',
  })
}

/** For what a request asks for beyond its route; throws 403 for a key or a role that may not send. */
function requireSending({ named, role }: Access): void {
  if (named && !named.scopes.includes('send')) throw missingScope(['send'], named.scopes)
  requireRight(role, 'content.send')
}

/** Whether the caller may send, and change what is live. */
export function maySend({ named, role }: Access): boolean {
  return (named === undefined || named.scopes.includes('send')) && may(role, 'content.send')
}

/**
 * The rule of live things for this caller, for a service to ask first in the transaction of its change: throws 403 for a caller that may not
 * send, if what they change is live. Changes that may turn something on exclude those that are refused for it until either commits.
 */
export function liveRule(access: Access): LiveRule {
  const projectId = access.project.id
  if (maySend(access))
    return async (tx, { turnsOn }) => {
      if (turnsOn) await lockLive(tx, projectId, 'turnOn')
    }
  return async (tx, { isLive }) => {
    await lockLive(tx, projectId, 'change')
    if (await isLive(tx)) requireSending(access)
  }
}

/** For what gives data of contacts away; throws 403 for a key that may not read it. */
export function requireReading({ named }: Access): void {
  if (named && !named.scopes.includes('read')) throw missingScope(['read'], named.scopes)
}

/** What every guard does once it knows who calls: note it for the log, refuse the disabled, count the request. */
export async function admit(ctx: Context, input: GuardInput, access: Access): Promise<{ access: Access }> {
  const info = requestInfo(input.request)
  info.projectId = access.project.id
  if (access.actor.type === 'user') info.userId = access.actor.userId
  // What needs credentials is for this caller alone, whatever is between us.
  input.set.headers['cache-control'] = 'no-store'
  requireScope(input, access)
  requireOpen(input, access.project)
  for (const right of neededRights(input.declared)) requireRight(access.role, right)
  await spendRequest(ctx, budgetOf(access, input), input.set.headers)
  return { access }
}

/** Visitors of a page with the public key must not keep the project from sending, nor must its people, its assistants or its other keys. */
function budgetOf(access: Access, input: GuardInput): Holder {
  const { project, actor, named } = access
  if (actor.type === 'user') return { kind: 'user', id: actor.userId }
  if (isForPages(access)) return { kind: 'public', id: project.id }
  if (named) return { kind: 'key', id: named.keyId }
  const isAssistant = isOfAssistant(input.request) || input.route === rpcPath
  return { kind: isAssistant ? 'assistant' : 'project', id: project.id }
}

/** Keys that anybody may hold: the public one, and those that may do no more. */
export function isForPages({ actor, named }: Access): boolean {
  return named
    ? named.scopes.every(scope => scope === 'track')
    : actor.type === 'key' && actor.kind === 'public'
}

/** For `/v1/track` alone: the public key, or one with the scope. */
export function publicKey(ctx: Context) {
  return keyGuard(ctx, 'public')
}

/** For `/v1/send` and `/v1/verify`: the secret key, or one with the scope. */
export function secretKey(ctx: Context) {
  return keyGuard(ctx, 'secret')
}

function keyGuard(ctx: Context, kind: 'public' | 'secret') {
  return projectGuard(`${kind}-key`, `${kind}Key`, async input => {
    return await admit(ctx, input, await keyAccess(ctx, kind, input.headers['authorization']))
  })
}

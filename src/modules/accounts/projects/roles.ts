// Who may do what in a project: one table, and nothing else decides. A secret key acts as an ADMIN of its own project.
import type { Declared, KeyScope } from '../../../http/route'
import { neededScopes } from '../../../http/route'
import { forbidden } from '../../../lib/errors'
import { type Role, roles } from './schema'

export type { Role }

const everyone: readonly Role[] = roles
const writers: readonly Role[] = ['OWNER', 'ADMIN', 'MEMBER', 'EDITOR']
const senders: readonly Role[] = ['OWNER', 'ADMIN', 'MEMBER']
const administrators: readonly Role[] = ['OWNER', 'ADMIN']
const owner: readonly Role[] = ['OWNER']

/** Roles as people read them. An owner is never invited. */
export const roleWords = {
  ADMIN: 'an admin',
  MEMBER: 'a member',
  EDITOR: 'an editor',
  VIEWER: 'a viewer',
} as const satisfies Record<Exclude<Role, 'OWNER'>, string>

/**
 * What each right allows is said by its name; `content` is contacts, templates, campaigns, segments, workflows and uploads. `content.send` is
 * everything that reaches people: sending, turning on, and changing what is live.
 */
const rights = {
  'project.read': everyone,
  'content.write': writers,
  'content.send': senders,
  'domains.check': everyone,
  'project.settings': administrators,
  'project.reset': administrators,
  'project.delete': administrators,
  'secrets.read': administrators,
  'secrets.rotate': administrators,
  'domains.manage': administrators,
  'members.manage': administrators,
  'billing.manage': administrators,
  'audit.read': administrators,
  'secondFactor.require': owner,
  'approval.waive': owner,
} as const satisfies Record<string, readonly Role[]>

export type Right = keyof typeof rights

export const allRights = Object.keys(rights) as Right[]

export function may(role: Role, right: Right): boolean {
  const holders: readonly Role[] = rights[right]
  return holders.includes(role)
}

const rightOfScope: Readonly<Record<KeyScope, Right>> = {
  read: 'project.read',
  write: 'content.write',
  send: 'content.send',
  // An event starts the workflows that wait for it.
  track: 'content.send',
}

/** What a route asks of people: the right that it names, or else the rights that its scopes stand for. */
export function neededRights(declared: Declared): readonly Right[] {
  if (declared.right) return [declared.right as Right]
  return (neededScopes(declared) ?? ['read']).map(scope => rightOfScope[scope])
}

/** Throws 403 if the role lacks the right. */
export function requireRight(role: Role, right: Right): void {
  if (may(role, right)) return
  throw forbidden('FORBIDDEN', 'Your role in this project does not allow this', {
    details: { role, right },
    suggestion: suggestionOf(right),
  })
}

function suggestionOf(right: Right): string {
  if (right === 'content.send') return 'Ask someone who may send: the owner, an admin, or a member.'
  if (right === 'content.write') return 'Ask an admin or the owner of the project for the role EDITOR.'
  return 'Ask an admin or the owner of the project.'
}

/** Whether someone with `actor` may change or remove a member with `target`; the owner is out of everyone's reach. */
export function mayChangeMember(actor: Role, target: Role): boolean {
  return target !== 'OWNER' && may(actor, 'members.manage')
}

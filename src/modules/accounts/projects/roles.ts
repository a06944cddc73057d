// Who may do what in a project: one table, and nothing else decides. A secret key acts as an ADMIN of its own project.
import { forbidden } from '../../../lib/errors'
import { type Role, roles } from './schema'

export type { Role }

const everyone: readonly Role[] = roles
const administrators: readonly Role[] = ['OWNER', 'ADMIN']
const owner: readonly Role[] = ['OWNER']

/** Roles as people read them. An owner is never invited. */
export const roleWords = { ADMIN: 'an admin', MEMBER: 'a member' } as const satisfies Record<
  Exclude<Role, 'OWNER'>,
  string
>

/** What each right allows is said by its name; `content` is contacts, templates, campaigns, segments, workflows and uploads. */
const rights = {
  'project.read': everyone,
  'content.write': everyone,
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
} as const satisfies Record<string, readonly Role[]>

export type Right = keyof typeof rights

export const allRights = Object.keys(rights) as Right[]

export function may(role: Role, right: Right): boolean {
  const holders: readonly Role[] = rights[right]
  return holders.includes(role)
}

/** Throws 403 where the role lacks the right. */
export function requireRight(role: Role, right: Right): void {
  if (may(role, right)) return
  throw forbidden('FORBIDDEN', 'Your role in this project does not allow this', {
    details: { role, right },
    suggestion: 'Ask an admin or the owner of the project.',
  })
}

/** Whether someone with `actor` may change or remove a member with `target`; the owner is out of everyone's reach. */
export function mayChangeMember(actor: Role, target: Role): boolean {
  return target !== 'OWNER' && may(actor, 'members.manage')
}

// What the routes of the application say of themselves, and what follows from it for everybody who may call: the table in
// test/data/routes.txt. `bun scripts/routes.ts` writes it; a reviewer reads what has changed in it, and a test calls every route.
import { join } from 'node:path'
import type { Security } from '../../src/http/guard'
import { securityOfRoute } from '../../src/http/openapi/operation'
import { type Declared, neededScopes, routeName } from '../../src/http/route'
import { may, neededRights, type Role } from '../../src/modules/accounts/projects/roles'
import { buildApp } from '../../src/server/app'
import { testContext } from './context'
import type { TestDatabase } from './database'

export const tableFile = join(import.meta.dir, '../data/routes.txt')

/** Owner, admin, member, editor, viewer and a stranger with a session; the public key, the secret key, the secret key of another project; nobody. */
export const callers = [
  'owner',
  'admin',
  'member',
  'editor',
  'viewer',
  'stranger',
  'public',
  'secret',
  'foreign',
  'nobody',
] as const
export type Caller = (typeof callers)[number]

/** What a caller is told: `in` is anything but 401 and 403, and not 404 either for whoever comes first; `refused` is any error. */
export type Verdict = 'in' | 'refused' | 401 | 403 | 404
export type Verdicts = Record<Caller, Verdict>

export interface RouteRow {
  name: string
  declared: Declared
  /** The schema of its body. */
  body: unknown
  guard: Security | 'signature' | undefined
  verdicts: Verdicts
  /** What a disabled project is told by a route that changes something; undefined for any other. */
  whileSuspended: 'open' | 'closed' | undefined
}

/** As they are registered; the database is not touched. */
export function servedRoutes() {
  return buildApp(testContext({} as TestDatabase).ctx).routes
}

export function routeRows(): RouteRow[] {
  const rows = new Map<string, RouteRow>()
  for (const { method, path, hooks } of servedRoutes()) {
    const name = routeName(method, path)
    const declared: Declared = hooks as object
    // What stands there proves itself by a signature, which none of these callers can.
    const guard = securityOfRoute(hooks) ?? (path.startsWith('/webhooks/') ? 'signature' : undefined)
    const isOfProject = isForKeys({ guard })
    const whileSuspended =
      isOfProject && method !== 'GET' ? (declared.whileSuspended ? 'open' : 'closed') : undefined
    rows.set(name, {
      name,
      declared,
      body: hooks.body,
      guard,
      verdicts: verdictsOf(name, guard, declared),
      whileSuspended,
    })
  }
  return [...rows.values()].sort(({ name: a }, { name: b }) => (spelled(a) < spelled(b) ? -1 : 1))
}

/** By address, then by method. */
const spelled = (name: string): string => name.split(' ').reverse().join(' ')

const verdicts = (...each: Verdict[]): Verdicts =>
  Object.fromEntries(callers.map((caller, index) => [caller, each[index]!])) as Verdicts

/** Whether a key of a project may call it: nobody signs in for it, and no signature is asked for. */
export function isForKeys({ guard }: Pick<RouteRow, 'guard'>): boolean {
  return guard !== undefined && !['session', 'operator', 'signature'].includes(guard)
}

function verdictsOf(name: string, guard: RouteRow['guard'], declared: Declared): Verdicts {
  const { scope } = declared
  const as = (role: Role): Verdict => (neededRights(declared).every(right => may(role, right)) ? 'in' : 403)
  const [member, editor, viewer] = [as('MEMBER'), as('EDITOR'), as('VIEWER')]
  const secret = scope === 'people' ? 403 : 'in'
  const others = scope === 'people' ? 403 : namesId(name) ? 404 : 'in'
  const byGuard: Record<NonNullable<RouteRow['guard']>, Verdicts> = {
    //                  owner admin member editor viewer stranger public secret foreign nobody
    signature: verdicts(...callers.map(() => 'refused' as const)),
    session: verdicts('in', 'in', 'in', 'in', 'in', 'in', 401, 401, 401, 401),
    // The owner of the prepared project has the first account of the instance.
    operator: verdicts('in', 403, 403, 403, 403, 403, 401, 401, 401, 401),
    publicKey: verdicts(401, 401, 401, 401, 401, 401, 'in', 401, 401, 401),
    secretKey: verdicts(401, 401, 401, 401, 401, 401, 401, 'in', 'in', 401),
    anyCaller: verdicts('in', 'in', 'in', 'in', 'in', 'in', 401, 'in', 'in', 401),
    projectAccess: verdicts('in', 'in', member, editor, viewer, 403, 401, secret, others, 401),
    ownProject: verdicts('in', 'in', member, editor, viewer, 404, 401, secret, 404, 401),
  }
  const usual = guard ? byGuard[guard] : verdicts(...callers.map(() => 'in' as const))
  return { ...usual, ...besides[name] }
}

/** A foreign key that asks for something by its id finds nothing; by a name, it finds its own. */
function namesId(name: string): boolean {
  return name.split('/').some(part => part.startsWith(':') && part !== ':eventName' && part !== ':field')
}

/** What no declaration says. */
const besides: Record<string, Partial<Verdicts>> = {
  // Members may remove themselves, and nobody else.
  'DELETE /projects/:id/members/:userId': { member: 403, editor: 403, viewer: 403 },
  // Of a contact that is not theirs, others see an empty list.
  'GET /events/contact/:contactId': { foreign: 'in' },
  // The segment is named by the body.
  'POST /contacts/bulk-add-to-segment': { foreign: 404 },
}

const head = [
  '# Who may call what. Written by `bun scripts/routes.ts` from what the routes say; read what a change makes of it.',
  '# scope: what a key with scopes needs; secretKey: it may not, and people: no key may. right: what the role of a person needs. suspended:',
  '# whether a disabled project may still change this. in: let in; a number: refused with it. foreign: the secret key of another project.',
]

export function routeTable(rows: readonly RouteRow[] = routeRows()): string {
  const titles = ['route', 'guard', 'scope', 'right', 'suspended', ...callers]
  const lines = rows.map(row => {
    const { name, guard = 'open', declared, verdicts: told, whileSuspended } = row
    const scope =
      neededScopes(declared)?.join('+') ?? String(declared.scope ?? (declared.right ? 'secretKey' : ''))
    const right = isForKeys(row) ? neededRights(declared).join('+') : ''
    const facts = [name, guard, scope, right, whileSuspended ?? '']
    return [...facts, ...callers.map(caller => String(told[caller]))]
  })
  const widths = titles.map((title, index) =>
    Math.max(title.length, ...lines.map(line => line[index]!.length)),
  )
  const laidOut = [titles, ...lines].map(line =>
    line
      .map((cell, index) => (cell || '-').padEnd(widths[index]!))
      .join('  ')
      .trimEnd(),
  )
  return `${[...head, '', ...laidOut].join('\n')}\n`
}

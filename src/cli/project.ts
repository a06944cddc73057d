// `waxwing project suspend|resume|limits|list`: suspending a project, resuming it and limiting it, for whoever runs the machine. Works
// alongside a running instance, whose jobs then do the rest.

import { isUuid } from '../lib/ids'
import { allowancesOf, grantLimits, maxLimit, type PerCategory } from '../modules/oversight/billing'
import {
  listProjectStates,
  projectExists,
  reinstateProject,
  suspendProject,
} from '../modules/oversight/security'
import { categories } from '../modules/sending/emails'
import type { Context } from '../platform/context'
import { readArguments, UsageFault } from './arguments'
import { withInstance } from './with-instance'

/** As the audit log calls the command line. */
const actor = 'operator'

const suspendFlags = {
  because: { kind: 'text', value: 'TEXT', description: 'suspend: the reason, which its members are told' },
} as const

const limitFlag = {
  kind: 'text',
  value: 'NUMBER',
  description: 'limits: the most a month; no limit where it is left out',
} as const
const limitFlags = {
  workflows: limitFlag,
  campaigns: limitFlag,
  transactional: limitFlag,
  inbound: limitFlag,
} as const

export const projectFlags = { ...suspendFlags, ...limitFlags }

export async function project(given: string[]): Promise<number> {
  const [action = '', ...rest] = given
  switch (action) {
    case 'suspend': {
      const { names, flags } = readArguments(rest, suspendFlags, ['ID'])
      return await suspend(names[0]!, flags.because)
    }
    case 'resume':
      return await resume(readArguments(rest, {}, ['ID']).names[0]!)
    case 'limits': {
      const { names, flags } = readArguments(rest, limitFlags, ['ID'])
      return await limit(names[0]!, flags)
    }
    case 'list':
      readArguments(rest, {})
      return await list()
    default:
      throw new UsageFault(
        action === '' ? 'suspend, resume, limits or list is missing' : `unknown action: ${action}`,
      )
  }
}

const maxReasonLength = 500

async function suspend(id: string, because: string | undefined): Promise<number> {
  return await onProject(id, async ctx => {
    const findings = because?.trim() ? [because.trim().slice(0, maxReasonLength)] : []
    const done = await suspendProject(ctx, { projectId: id, reason: 'MANUAL', findings, actor })
    console.log(done ? 'suspended; its members get a mail' : 'it is suspended already')
  })
}

async function resume(id: string): Promise<number> {
  return await onProject(id, async ctx => {
    console.log((await reinstateProject(ctx, id, actor)) ? 'it may send again' : 'it is not suspended')
  })
}

/** What is not named has no limit. Where none is named the free tier applies again, unless the project subscribes. */
async function limit(id: string, given: Partial<PerCategory<string>>): Promise<number> {
  const limits = Object.fromEntries(
    categories.map(category => [category, limitOf(category, given[category])]),
  ) as PerCategory<number | null>
  return await onProject(id, async ctx => {
    const shares = Object.entries(allowancesOf(await grantLimits(ctx, id, limits, actor)))
    for (const [category, { limit, usage }] of shares)
      console.log([category, limit ?? 'no limit', `${usage} used this month`].join('\t'))
    if (!ctx.payments) console.log('billing is off, so nothing is limited until it is on')
  })
}

function limitOf(category: string, given: string | undefined): number | null {
  if (given === undefined) return null
  const value = Number(given)
  if (/^\d+$/.test(given) && value >= 1 && value <= maxLimit) return value
  throw new UsageFault(`--${category} must be a whole number from 1 to ${maxLimit}`)
}

async function onProject(id: string, work: (ctx: Context) => Promise<void>): Promise<number> {
  if (!isUuid(id)) throw new UsageFault('ID must be the id of a project; "waxwing project list" shows them')
  return await withInstance({ mayBeNew: false }, async ctx => {
    if (await projectExists(ctx, id)) {
      await work(ctx)
      return 0
    }
    throw new Error(`there is no project ${id}`)
  })
}

/** One line per project: id, name, state, since when it exists. */
async function list(): Promise<number> {
  return await withInstance({ mayBeNew: false }, async ctx => {
    for await (const { id, name, disabled, disabledReason, createdAt } of listProjectStates(ctx))
      console.log(
        [id, name, disabled ? `suspended (${disabledReason})` : 'active', createdAt.toISOString()].join('\t'),
      )
    return 0
  })
}

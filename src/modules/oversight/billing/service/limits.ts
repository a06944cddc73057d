// The limits that subscribers set for themselves or the operator grants, and how much of them is used.
import { badRequest, notFound } from '../../../../lib/errors'
import { type Context, inTransaction } from '../../../../platform/context'
import { type ProjectActor, recordAudit } from '../../../accounts/projects'
import { categories, categoryOf, type Demand, type Excess } from '../../../sending/emails'
import { excessOf, type PerCategory, type UsageState } from '../allowance'
import {
  deleteNotices,
  ensureBilling,
  holdLimits,
  type Limits,
  lockUsage,
  selectBilling,
  selectStandings,
  updateLimits,
} from '../queries'

export interface LimitsState {
  standing: UsageState
  currency: string | null
}

/** Where billing is off nothing limits a project, whatever was set before. */
export async function describeLimits(ctx: Context, projectId: string): Promise<LimitsState> {
  const [standings, billing] = await Promise.all([
    selectStandings(ctx, [projectId], 'always'),
    selectBilling(ctx, projectId),
  ])
  const standing = standings.get(projectId)
  if (!standing) throw notFound('Project', projectId)
  const currency = billing?.currency ?? null
  return ctx.payments ? { standing, currency } : { standing: { ...standing, ...unlimited }, currency }
}

const noLimits: PerCategory<null> = { workflows: null, campaigns: null, transactional: null, inbound: null }
const unlimited = { isSubscribed: true, limits: noLimits }

/** 400 without a subscription. Members are notified anew about the limits that were changed. */
export async function changeLimits(
  ctx: Context,
  { projectId, by }: ProjectActor,
  limits: Limits,
): Promise<LimitsState> {
  return await inTransaction(ctx, async tx => {
    const before = tx.payments && (await holdLimits(tx, projectId, 'subscriber'))
    if (!before) throw badRequest('Limits need a subscription')
    await replaceLimits(tx, { projectId, by }, before, limits)
    return await describeLimits(tx, projectId)
  })
}

/** For whoever runs the instance: limits for a project that need no subscription, and replace the free tier. */
export async function grantLimits(
  ctx: Context,
  projectId: string,
  limits: Limits,
  actor: string,
): Promise<UsageState> {
  return await inTransaction(ctx, async tx => {
    if (!(await ensureBilling(tx, projectId))) throw notFound('Project', projectId)
    const before = (await holdLimits(tx, projectId, 'anybody'))!
    await replaceLimits(tx, { projectId, by: actor }, before, limits)
    return (await selectStandings(tx, [projectId], 'always')).get(projectId)!
  })
}

async function replaceLimits(
  tx: Context,
  { projectId, by }: Pick<ProjectActor, 'projectId' | 'by'>,
  before: Limits,
  limits: Limits,
): Promise<void> {
  const changed = categories.filter(category => before[category] !== limits[category])
  if (changed.length === 0) return
  await updateLimits(tx, projectId, limits)
  await deleteNotices(tx, projectId, changed)
  const details = Object.fromEntries(changed.map(category => [category, limits[category]]))
  await recordAudit(tx, { projectId, actor: by, action: 'billing.limitsChanged', details })
}

/** More than all transactions of all instances make at a time: this far from the limit, none of them can exceed it. */
const farAway = 20_000

/**
 * By how much each demand is too much, in their order; undefined if it may be met. Demands of one project add up, and those that are
 * refused take nothing from the others. Locks the projects that are near a limit until the transaction ends.
 */
export async function excessesOf(
  tx: Context,
  demands: readonly Demand[],
): Promise<Array<Excess | undefined>> {
  if (!tx.payments || demands.length === 0) return demands.map(() => undefined)
  const known = await selectStandings(tx, [...new Set(demands.map(demand => demand.projectId))])
  const near = [...nearLimits(known, demands)]
  if (near.length > 0) for (const [id, standing] of await holdStandings(tx, near)) known.set(id, standing)
  return demands.map(demand => take(known.get(demand.projectId), demand))
}

function nearLimits(known: ReadonlyMap<string, UsageState>, demands: readonly Demand[]): Set<string> {
  const wanted = Map.groupBy(demands, demand => demand.projectId)
  const isNear = ([projectId, own]: [string, Demand[]]): boolean => {
    const standing = known.get(projectId)
    const total = own.reduce((sum, { count }) => sum + count, farAway)
    return own.some(({ sourceType }) => standing && excessOf(standing, categoryOf[sourceType], total))
  }
  return new Set([...wanted].filter(isNear).map(([projectId]) => projectId))
}

/** The second statement sees what the previous holder of the lock committed; sent together, they are one round trip. */
async function holdStandings(tx: Context, projectIds: readonly string[]): Promise<Map<string, UsageState>> {
  const [, standings] = await Promise.all([lockUsage(tx, projectIds), selectStandings(tx, projectIds)])
  return standings
}

function take(standing: UsageState | undefined, { sourceType, count }: Demand): Excess | undefined {
  if (!standing) return undefined
  const category = categoryOf[sourceType]
  const excess = excessOf(standing, category, count)
  if (!excess) standing.used[category] += count
  return excess
}

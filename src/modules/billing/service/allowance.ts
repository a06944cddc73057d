// Whether projects may make more mail this month. Asked in the transaction that makes it. Where billing is off, the database is not
// asked; where nothing limits a project, or the limit is far away, nobody waits for anybody. Near the limit the transactions that make a
// project's mail run one after another, so it is never exceeded.

import type { Context } from '../../../platform/context'
import { categoryOf, type Demand, type Excess } from '../../emails'
import { excessOf, type UsageState } from '../allowance'
import { lockUsage, selectStandings } from '../queries'

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

// Whether projects may make more mail this month. Asked in the transaction that makes it. Where billing is off nothing is asked of the
// database; where nothing limits a project, or the limit is far away, nobody waits for anybody. Near the limit the makers of a
// project's mail go one after the other, so it is never passed.
import type { Context } from '../../../platform/context'
import { categoryOf, type Excess, excessOf, limitReached, type Standing } from '../../billing/allowance'
import { lockUsage, selectStandings } from '../../billing/queries'
import type { SourceType } from '../schema'

export interface Demand {
  projectId: string
  sourceType: SourceType
  /** Messages. */
  count: number
}

/** More than all transactions of all instances have in hand at a moment: so far from the limit none of them can pass it. */
const farAway = 20_000

/**
 * What each demand is too much by, in their order; undefined where it may be met. Demands of one project add up, and those that are
 * refused take nothing from the others. Holds the projects that are near a limit until the transaction ends.
 */
export async function findExcesses(
  tx: Context,
  demands: readonly Demand[],
): Promise<Array<Excess | undefined>> {
  if (!tx.payments || demands.length === 0) return demands.map(() => undefined)
  const known = await selectStandings(tx, [...new Set(demands.map(demand => demand.projectId))])
  const near = [...nearLimits(known, demands)]
  if (near.length > 0) for (const [id, standing] of await holdStandings(tx, near)) known.set(id, standing)
  return demands.map(demand => take(known.get(demand.projectId), demand))
}

function nearLimits(known: ReadonlyMap<string, Standing>, demands: readonly Demand[]): Set<string> {
  const wanted = Map.groupBy(demands, demand => demand.projectId)
  const isNear = ([projectId, own]: [string, Demand[]]): boolean => {
    const standing = known.get(projectId)
    const total = own.reduce((sum, { count }) => sum + count, farAway)
    return own.some(({ sourceType }) => standing && excessOf(standing, categoryOf[sourceType], total))
  }
  return new Set([...wanted].filter(isNear).map(([projectId]) => projectId))
}

/** The second statement sees what the holder before us committed; sent together, they are one round trip. */
async function holdStandings(tx: Context, projectIds: readonly string[]): Promise<Map<string, Standing>> {
  const [, standings] = await Promise.all([lockUsage(tx, projectIds), selectStandings(tx, projectIds)])
  return standings
}

function take(standing: Standing | undefined, { sourceType, count }: Demand): Excess | undefined {
  if (!standing) return undefined
  const category = categoryOf[sourceType]
  const excess = excessOf(standing, category, count)
  if (!excess) standing.used[category] += count
  return excess
}

/** Throws 429 BILLING_LIMIT_EXCEEDED where the demand is too much. */
export async function requireAllowance(tx: Context, demand: Demand): Promise<void> {
  const [excess] = await findExcesses(tx, [demand])
  if (excess) throw limitReached(excess)
}

/**
 * For work whose size is known only when it is done: `most` is as much as it can make, and `work` makes it. Throws as
 * `requireAllowance` does where that was too much, so that the transaction is undone.
 */
export async function withinAllowance<T>(tx: Context, most: Demand, work: () => Promise<T>): Promise<T> {
  const [before] = await findExcesses(tx, [most])
  const result = await work()
  if (!before) return result
  // What was made is in the counts by now.
  const [after] = await findExcesses(tx, [{ ...most, count: 0 }])
  const requested = (after?.usage ?? 0) - before.usage
  if (after && requested > 0) throw limitReached({ ...before, requested })
  return result
}

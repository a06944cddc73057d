// Whether projects may make more mail this month. Asked in the transaction that makes it.
import type { Context } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { type Demand, type Excess, limitReached } from '../allowance'
import { mailAllowance } from '../hooks'

/** By how much each demand is too much, in their order; undefined if it may be met. */
export async function findExcesses(
  tx: Context,
  demands: readonly Demand[],
): Promise<Array<Excess | undefined>> {
  const answers = await callHook(tx, mailAllowance, demands)
  return demands.map((_, index) => answers.map(each => each[index]).find(excess => excess !== undefined))
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

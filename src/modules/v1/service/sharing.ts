// Requests of several projects share transactions, as long as none holds up or undoes what the others wait for: such a project has
// transactions of its own for a while.

import { batcher, type Settled } from '../../../lib/batcher'
import { after as later, minute } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { isConnectionFault, isLockTimeout } from '../../../platform/db/errors'
import { lockPatienceMs } from '../queries'
import { makeIsolation } from './isolation'

export interface Sharing<I, O> {
  /** One answer per item, in order, in one transaction; where others wait for its end, it must not wait long for locks (`boundLockWaits`). */
  work(items: I[], isShared: boolean): Promise<Settled<O>[]>
  maxItems: number
  maxWeight?: number
  /** Transactions of those that share, at once. */
  slots: number
  crowd: number
  afterTurn?: boolean
}

/** The same for projects that are apart: theirs may wait for each other. */
const slotsApart = 2

/** Returned in place of an outcome: the item has to be performed apart. */
class Apart extends Error {}

/** Returns a function that performs one item together with those that wait beside it. */
export function shareTransactions<I extends { projectId: string }, O>(
  ctx: Context,
  { work, slots, ...sizes }: Sharing<I, O>,
): (item: I, weight?: number) => Promise<O> {
  const apart = makeIsolation(ctx)
  const neighbours = watchNeighbours(ctx)

  /** A project by itself, in a moment when others may wait for the slot that it takes. */
  const workForOne = async (items: I[], isShared: boolean): Promise<Settled<O>[]> => {
    const { projectId } = items[0]!
    try {
      return await work(items, isShared)
    } catch (error) {
      if (isConnectionFault(error)) throw error
      apart.learn(projectId, error)
      if (items.length === 1 && !isLockTimeout(error)) return [{ error }]
      return items.map(() => ({ error: new Apart() }))
    }
  }
  const workForAll = async (items: I[]): Promise<Settled<O>[]> => {
    const groups = Map.groupBy(items, ({ projectId }) => projectId)
    if (groups.size === 1) return await workForOne(items, neighbours.any())
    try {
      return await work(items, true)
    } catch (error) {
      // A commit whose answer was lost may have happened; performing it again would do it twice.
      if (isConnectionFault(error)) throw error
      return await oneByOne(items, groups)
    }
  }
  const oneByOne = async (items: I[], groups: Map<string, I[]>): Promise<Settled<O>[]> => {
    const answers = new Map<I, Settled<O>>()
    const settleAll = async (group: I[]): Promise<void> => {
      const settled = await workForOne(group, true).catch(error => group.map(() => ({ error })))
      for (const [index, item] of group.entries()) answers.set(item, settled[index]!)
    }
    await Promise.all([...groups.values()].map(settleAll))
    return items.map(item => answers.get(item)!)
  }
  const together = batcher<I, O>(workForAll, { ...sizes, slots, mayRepeat: () => false })
  const workApart = async (items: I[]): Promise<Settled<O>[]> => {
    const began = performance.now()
    try {
      return await work(items, false)
    } finally {
      // Back among the others, it would hold them up again before it is known.
      if (performance.now() - began > lockPatienceMs)
        for (const { projectId } of items) apart.prolong(projectId)
    }
  }
  const separately = batcher<I, O>(workApart, {
    ...sizes,
    slots: slotsApart,
    mayRepeat: error => !isConnectionFault(error),
  })
  return async (item, weight) => {
    neighbours.see(item.projectId)
    if (apart.has(item.projectId)) return await separately(item, weight)
    try {
      return await together(item, weight)
    } catch (error) {
      if (!(error instanceof Apart)) throw error
      return await separately(item, weight)
    }
  }
}

/** Where there are no others, nothing is bounded for their sake. */
function watchNeighbours({ clock }: Pick<Context, 'clock'>) {
  let last: string | undefined
  let until = 0
  return {
    see(projectId: string): void {
      if (last !== undefined && last !== projectId) until = later(clock.now(), minute).getTime()
      last = projectId
    },
    any: (): boolean => until > clock.now().getTime(),
  }
}

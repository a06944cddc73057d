// Requests of several projects share transactions. One whose requests undo such a transaction, or wait in it for what somebody else holds, has
// transactions of its own for a while, so that its neighbors neither wait for it nor are repeated because of it.

import { batcher, type Settled } from '../../../../lib/batcher'
import { AppError } from '../../../../lib/errors'
import { after, minute } from '../../../../lib/time'
import { TooCostly } from '../../../../liquid/costly'
import type { Context } from '../../../../platform/context'
import { isConnectionFault, isLockTimeout } from '../../../../platform/db/errors'
import { lockPatienceMs } from '../queries'

export interface Sharing<I, O> {
  /** One answer per item, in order, in one transaction; if others wait for its end, it must not wait long for locks (`boundLockWaits`). */
  work(items: I[], isShared: boolean): Promise<Settled<O>[]>
  /** Most items in a transaction. */
  size: number
}

/** A transaction with fewer items starts this long after the one before. */
const delayMs = 15

const separateMs = minute
/** Projects that a process remembers. */
const maxKept = 10_000

/** Returns a function that performs one item together with those that wait beside it. */
export function shareTransactions<I extends { projectId: string }, O>(
  { clock }: Pick<Context, 'clock'>,
  { work, size }: Sharing<I, O>,
): (item: I) => Promise<O> {
  const separateUntil = new Map<string, Date>()
  const separate = (projectId: string): void => {
    separateUntil.delete(projectId)
    separateUntil.set(projectId, after(clock.now(), separateMs))
    if (separateUntil.size > maxKept) separateUntil.delete(separateUntil.keys().next().value!)
  }
  const share = async (items: I[]): Promise<Settled<O>[]> => {
    try {
      return await work(items, true)
    } catch (error) {
      // The items of a batch that fails run again each by itself, which shows whose fault it was.
      if (items.length === 1 && isItsOwnDoing(error)) separate(items[0]!.projectId)
      throw error
    }
  }
  const workSeparately = async (items: I[]): Promise<Settled<O>[]> => {
    const began = performance.now()
    try {
      return await work(items, false)
    } finally {
      // Back among the others, they would hold them up again before that is known.
      if (performance.now() - began > lockPatienceMs) for (const { projectId } of items) separate(projectId)
    }
  }
  const together = batcher(neverRepeated(share), { size, delayMs })
  const separately = batcher(neverRepeated(workSeparately), { size, delayMs })
  return async item => {
    const until = separateUntil.get(item.projectId)
    if (until && until > clock.now()) return await separately(item)
    try {
      return await together(item)
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      return await separately(item)
    }
  }
}

/** A commit whose answer was lost may have happened; performing it again would do it twice. */
function neverRepeated<I, O>(
  run: (items: I[]) => Promise<Settled<O>[]>,
): (items: I[]) => Promise<Settled<O>[]> {
  return items =>
    run(items).catch(error => {
      if (!isConnectionFault(error)) throw error
      return items.map(() => ({ error }))
    })
}

/** And no fault of the database's or of ours. */
function isItsOwnDoing(error: unknown): boolean {
  return (
    error instanceof TooCostly || isLockTimeout(error) || (error instanceof AppError && error.status < 500)
  )
}

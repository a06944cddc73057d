// Addresses that fail again and again: after five soft bounces in a row within thirty days they count as gone, and after five refusals in a row
// that nobody explained, over a week at least.
import { after, day } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { findSoftBounced, findUnexplained, lockAddresses, type Mailed } from '../queries'

const softBouncesInARow = 5
const softBounceSpan = 30 * day

/** Those of the messages (their soft bounces have just been written) whose address counts as gone; exact for parallel callers. */
export async function findWornOut<T extends Mailed>(tx: Context, mails: readonly T[]): Promise<T[]> {
  if (mails.length === 0) return []
  await lockAddresses(tx, mails)
  const since = after(tx.clock.now(), -softBounceSpan)
  const found = new Set((await findSoftBounced(tx, mails, softBouncesInARow, since)).map(nameOf))
  return mails.filter(mail => found.has(nameOf(mail)))
}

const refusalsInARow = 5
const refusalSpan = 7 * day

/** The same for messages that were refused for a reason that nobody gave. */
export async function findRefusedOften<T extends Mailed>(tx: Context, mails: readonly T[]): Promise<T[]> {
  if (mails.length === 0) return []
  await lockAddresses(tx, mails)
  const until = after(tx.clock.now(), -refusalSpan)
  const found = new Set((await findUnexplained(tx, mails, refusalsInARow, until)).map(nameOf))
  return mails.filter(mail => found.has(nameOf(mail)))
}

function nameOf({ projectId, toEmail }: Pick<Mailed, 'projectId' | 'toEmail'>): string {
  return `${projectId} ${toEmail}`
}

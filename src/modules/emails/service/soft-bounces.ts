// Addresses that soft-bounce again and again: after five messages in a row within thirty days they count as gone.
import { after, day } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { findSoftBounced, lockAddresses, type Mailed } from '../queries'

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

function nameOf({ projectId, toEmail }: Pick<Mailed, 'projectId' | 'toEmail'>): string {
  return `${projectId} ${toEmail}`
}

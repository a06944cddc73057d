// Places under frequency caps that no longer count.
import { after, day } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import * as queries from '../queries'

/** Longer than a cap may count. */
const keptMs = 31 * day
const pageSize = 5_000

/** Deletes the places that count for no cap any more. */
export async function dropOldBookings(ctx: Context, signal: AbortSignal): Promise<void> {
  const before = after(ctx.clock.now(), -keptMs)
  while (!signal.aborted && (await queries.deleteBookings(ctx, before, pageSize)) === pageSize);
}

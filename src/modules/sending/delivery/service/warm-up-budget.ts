// Books and counts single messages in the warm-up plans of domains and transports.
import { after, minute, second } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { bookWarmUp, countInWarmUp, startOfNextDay } from '../../domains'

/** Releases or counts a place, by whether a receiver has seen the email. Never rejects: what was sent must be settled. */
type EndOfPlace = (wasSeen: boolean) => Promise<void>

/** Books a place in a plan for today, and resolves with undefined if there is none. What `mustLeave` needs no place, and is counted. */
export async function reserveInWarmUp(
  ctx: Context,
  plan: string,
  mustLeave: boolean,
): Promise<EndOfPlace | undefined> {
  const booking = mustLeave ? undefined : await bookWarmUp(ctx, plan, 1)
  if (booking?.granted === 0) return undefined
  return async wasSeen => {
    try {
      if (booking && !wasSeen) await booking.release(1)
      else if (!booking && wasSeen) await countInWarmUp(ctx, plan, 1)
    } catch (error) {
      askLater(ctx, error)
    }
  }
}

/** A batch that waits for another day looks now and then whether the plan was changed, or given back what others booked. */
const maxWaitMs = 10 * minute

export function soon({ clock }: Context): Date {
  const now = clock.now()
  return new Date(Math.min(startOfNextDay(now).getTime(), after(now, maxWaitMs).getTime()))
}

/** Messages that wait come back a little apart. */
const spreadMs = 10 * minute

export function tomorrow({ clock, random }: Context): Date {
  return after(startOfNextDay(clock.now()), Math.round(random.fraction() * spreadMs))
}

export function askLater({ clock, log }: Context, error: unknown): Date {
  log.warn({ error: String(error) }, 'a message could not be counted in the warm-up of its sender')
  return after(clock.now(), 5 * second)
}

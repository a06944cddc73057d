// Books and counts single messages in the warm-up plans of domains and transports, those of the same moment in one statement.
import { batcher } from '../../../lib/batcher'
import { after, minute, second } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { bookWarmUp, countInWarmUp, startOfNextDay, type WarmUpBooking } from '../../domains'

/** Releases or counts a place, by whether a receiver has seen the email. Never rejects: what was sent must be settled. */
type EndOfPlace = (wasSeen: boolean) => Promise<void>

/**
 * One for each process. Returns a function that books a place in a plan for today, and resolves with undefined if there is none. What
 * `mustLeave` needs no place, and is counted.
 */
export function makeWarmUpBudget(ctx: Context) {
  const book = batcher<string, WarmUpBooking>(plans => bookEach(ctx, plans), { maxItems: 100, slots: 1 })
  const count = batcher<string, void>(plans => countEach(ctx, plans), { maxItems: 100, slots: 1 })
  return async (plan: string, mustLeave: boolean): Promise<EndOfPlace | undefined> => {
    const booking = mustLeave ? undefined : await book(plan)
    if (booking?.granted === 0) return undefined
    return async wasSeen => {
      try {
        if (booking && !wasSeen) await booking.release(1)
        else if (!booking && wasSeen) await count(plan)
      } catch (error) {
        askLater(ctx, error)
      }
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

async function bookEach(ctx: Context, plans: string[]) {
  const bookings = new Map<string, WarmUpBooking>()
  for (const [plan, { length }] of Map.groupBy(plans, plan => plan))
    bookings.set(plan, await bookWarmUp(ctx, plan, length))
  return plans.map(plan => {
    const { granted, release } = bookings.get(plan)!
    bookings.set(plan, { granted: Math.max(0, granted - 1), release })
    return { value: { granted: Math.min(1, granted), release } }
  })
}

async function countEach(ctx: Context, plans: string[]) {
  for (const [plan, { length }] of Map.groupBy(plans, plan => plan)) await countInWarmUp(ctx, plan, length)
  return plans.map(() => ({ value: undefined }))
}

// A message in the warm-up of its sender: one that can wait leaves only while the day allows it, the others are counted.
import { domainOf } from '../../../lib/address'
import { batcher } from '../../../lib/batcher'
import { after, minute, second } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { putBack } from '../../../platform/mail/outcome'
import { bookWarmUp, countInWarmUp, startOfNextDay, type WarmUpBooking, warmUpOf } from '../../domains'
import type { DueEmail, EmailSettlement } from '../queries'
import { factsOf } from './attempt'

/** Sends the message, or settles it as one that waits for another day. */
export type WarmUpGate = (email: DueEmail, send: () => Promise<EmailSettlement>) => Promise<EmailSettlement>

/** One for each process: messages that are sent at the same moment share their statements. */
export function makeWarmUpGate(ctx: Context): WarmUpGate {
  const book = batcher<string, WarmUpBooking>(plans => bookEach(ctx, plans), { maxItems: 100, slots: 1 })
  const count = batcher<string, void>(plans => countEach(ctx, plans), { maxItems: 100, slots: 1 })
  /** Whether it may leave today, and what to do when that is over. */
  const enter = async (email: DueEmail): Promise<((settlement: EmailSettlement) => Promise<void>) | Date> => {
    const plan = await warmUpOf(ctx, email.projectId, domainOf(email.fromEmail))
    if (plan === undefined) return async () => {}
    if (factsOf(email).kind === 'transactional')
      return async settlement => void (hasLeft(settlement) && (await count(plan)))
    const { granted, release } = await book(plan)
    if (granted === 0) return tomorrow(ctx)
    return async settlement => void (!hasLeft(settlement) && (await release(1)))
  }
  return async (email, send) => {
    const entered = await enter(email).catch((error: unknown) => askLater(ctx, error))
    if (entered instanceof Date) return { email, outcome: { ...putBack, nextAttemptAt: entered }, tries: [] }
    const settlement = await send()
    // What has left must be settled, whatever becomes of the count.
    await entered(settlement).catch((error: unknown) => void askLater(ctx, error))
    return settlement
  }
}

/** Whether receivers have seen it, whatever they said: what is tried again later is counted then. */
export function hasLeft({ tries }: EmailSettlement): boolean {
  const last = tries.at(-1)
  return last !== undefined && last.result.outcome !== 'deferred'
}

/** What waits comes back a little apart. */
const spreadMs = 10 * minute

function tomorrow({ clock, random }: Context): Date {
  return after(startOfNextDay(clock.now()), Math.round(random.fraction() * spreadMs))
}

function askLater({ clock, log }: Context, error: unknown): Date {
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

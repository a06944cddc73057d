// How many recipients of a campaign may leave now: by the pace of the project, and by the warm-up of its sender and of its transports.
import { domainOf } from '../../../lib/address'
import { after, minute } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { bookWarmUp, roomOfTransports, startOfNextDay, warmUpOf } from '../../domains'
import { makeBooker } from '../../emails'
import type { SliceFacts } from '../queries'
import { campaignWays } from './ways'

export interface Allotment {
  granted: number
  /** When some may leave again, where none may. */
  nextAt: Date
  /** Gives back what was booked and did not leave. */
  settle(left: number): Promise<void>
}

/** Books up to `count` recipients of the slice. */
export type Allot = (slice: Pick<SliceFacts, 'projectId' | 'fromEmail'>, count: number) => Promise<Allotment>

/** Whoever waits for another day looks now and then whether the plan was changed, or given back what others booked. */
const maxWaitMs = 10 * minute

export function makeAllotments(ctx: Context): Allot {
  const book = makeBooker(ctx)
  return async (slice, asked) => {
    const { projectId, fromEmail } = slice
    const room = await roomOfWays(ctx, slice)
    const count = Math.min(asked, room ?? asked)
    if (count === 0) return { granted: 0, nextAt: soon(ctx), settle: async () => {} }
    const plan = await warmUpOf(ctx, projectId, domainOf(fromEmail))
    if (plan === undefined) return { ...(await book(projectId, count)), settle: async () => {} }
    const { granted: allowed, release } = await bookWarmUp(ctx, plan, count)
    if (allowed === 0) return { granted: 0, nextAt: soon(ctx), settle: async () => {} }
    const { granted, nextAt } = await book(projectId, allowed)
    if (granted === 0) await release(allowed)
    return { granted, nextAt, settle: left => release(allowed - left) }
  }
}

/**
 * What the transports take today, where all that a campaign has are in a warm-up; undefined: nothing bounds it. Each message books its own place when
 * it is handed over: this only keeps recipients from being taken for nothing.
 */
async function roomOfWays(
  ctx: Context,
  slice: Pick<SliceFacts, 'projectId' | 'fromEmail'>,
): Promise<number | undefined> {
  const { plans, isByRecipient } = campaignWays(ctx, slice)
  return isByRecipient || plans.length === 0 ? undefined : await roomOfTransports(ctx, plans)
}

function soon({ clock }: Context): Date {
  const now = clock.now()
  const [tomorrow, later] = [startOfNextDay(now), after(now, maxWaitMs)]
  return new Date(Math.min(tomorrow.getTime(), later.getTime()))
}

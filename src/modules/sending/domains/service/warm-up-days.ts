// What a warm-up plan lets leave today, for everybody who sends: booked in one row, which all workers share.
import { canonicalDomain } from '../../../../lib/domain-name'
import { second } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { perContext } from '../../../../platform/per-context'
import * as queries from '../queries'
import { nextDay, roomOn, utcDateOf, type WarmUpDay, type WarmUpPlan } from '../warm-up'

export interface WarmUpBooking {
  /** How many messages may leave today. */
  granted: number
  /** Gives back those that did not leave. */
  release(count: number): Promise<void>
}

/** Undefined where the domain has no plan that is under way; the answer is remembered for a few seconds. */
export async function warmUpOf(ctx: Context, projectId: string, domain: string): Promise<string | undefined> {
  const canonical = canonicalDomain(domain)
  if (canonical === undefined) return undefined
  return await plansKnown(ctx)(`${projectId} ${canonical}`, () =>
    queries.findWarmUp(ctx, projectId, canonical),
  )
}

/** Likewise for a transport whose settings have a plan. */
export async function warmUpOfTransport(
  ctx: Context,
  transport: string,
  plan: WarmUpPlan,
): Promise<string | undefined> {
  return await plansKnown(ctx)(transport, () => queries.upsertTransportPlan(ctx, transport, plan))
}

const rememberMs = 5 * second
const maxKnown = 1_000

/** One question for a burst of messages: most domains have no plan, and theirs must not cost a statement each. */
const plansKnown = perContext(ctx => {
  const known = new Map<string, { plan: Promise<string | undefined>; until: number }>()
  type Find = () => Promise<Pick<queries.WarmUp, 'id' | 'endedAt'> | undefined>
  return (name: string, find: Find): Promise<string | undefined> => {
    const now = ctx.clock.now().getTime()
    const entry = known.get(name)
    if (entry && entry.until > now) return entry.plan
    if (known.size >= maxKnown) known.clear()
    const plan = find().then(found => (found?.endedAt ? undefined : found?.id))
    known.set(name, { plan, until: now + rememberMs })
    plan.catch(() => known.delete(name))
    return plan
  }
})

/** What has been sent today by the transports that have a plan. */
export async function transportsInWarmUp(ctx: Context): Promise<queries.TransportDay[]> {
  return await queries.selectTransportDays(ctx, utcDateOf(ctx.clock.now()))
}

/** Books up to `count` messages that can wait. All of them, where the plan has ended meanwhile. */
export async function bookWarmUp(ctx: Context, id: string, count: number): Promise<WarmUpBooking> {
  const date = utcDateOf(ctx.clock.now())
  const release = async (left: number): Promise<void> => {
    if (left > 0) await queries.releaseDay(ctx, id, date, left)
  }
  const book = () => queries.bookDay(ctx, id, date, count)
  const granted = (await book()) ?? ((await beginDay(ctx, id, date)) ? await book() : undefined)
  return { granted: granted ?? count, release }
}

/** A transport with a plan. */
export interface TransportPlan {
  transport: string
  plan: WarmUpPlan
}

/** How many messages that can wait these transports take today; undefined where the plan of one of them is over. */
export async function roomOfTransports(
  ctx: Context,
  plans: readonly TransportPlan[],
): Promise<number | undefined> {
  let room = 0
  for (const { transport, plan } of plans) {
    const id = await warmUpOfTransport(ctx, transport, plan)
    const today = id === undefined ? undefined : await dayOf(ctx, id)
    if (!today) return undefined
    room += roomOn(today)
  }
  return room
}

async function dayOf(ctx: Context, id: string): Promise<WarmUpDay | undefined> {
  const date = utcDateOf(ctx.clock.now())
  const newest = async () => (await queries.selectWarmUpDays(ctx, id, 1))[0]
  const last = await newest()
  if (last?.date === date) return last
  return (await beginDay(ctx, id, date)) ? await newest() : undefined
}

/** Counts messages that are never held back, once they have left. */
export async function countInWarmUp(ctx: Context, id: string, count: number): Promise<void> {
  const date = utcDateOf(ctx.clock.now())
  const tally = () => queries.countOnDay(ctx, id, date, count)
  if (!(await tally()) && (await beginDay(ctx, id, date))) await tally()
}

/** False where the plan is over. */
async function beginDay(ctx: Context, id: string, date: string): Promise<boolean> {
  const plan = await queries.findPlan(ctx, id)
  if (!plan || plan.endedAt) return false
  const [last] = await queries.selectWarmUpDays(ctx, id, 1)
  // Somebody else has begun it meanwhile.
  if (last?.date === date) return true
  const today = nextDay(plan, last, date)
  if (today) await queries.insertDay(ctx, id, today)
  else await queries.endWarmUp(ctx, id)
  return today !== undefined
}

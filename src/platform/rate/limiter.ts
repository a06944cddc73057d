// A sliding-window limit of requests a minute that all instances share. Each instance is granted small chunks of the budget from
// the database and spends them in memory, so most requests cost no statement. A grant is good for one short slot only, and all
// of a slot comes back a minute after the slot began: whoever spends the whole budget at once each minute is never refused, and no
// stretch of a minute less one slot sees more than the limit.
import { minute, second } from '../../lib/time'
import type { Context } from '../context'
import { deleteIdleBudgets, farSlots, grantRequests, type Holder } from './queries'

const slotLength = 2 * second
const span = minute / slotLength
const firstChunk = 16
const maxChunk = 256
/** Share of grants that also clear away the rows of holders that fell silent. */
const cleanupShare = 1 / 1_000
/** Holders remembered at most before those that fell silent are forgotten. */
const rememberedHolders = 5_000

export interface RateLimitResult {
  allowed: boolean
  limit: number
  remaining: number
  /** Whole seconds until the whole budget is available again. */
  resetSeconds: number
  /** Whole seconds until a request may succeed again; at least 1. */
  retrySeconds: number
}

/** What one instance holds of one budget. */
interface Holding {
  slot: number
  left: number
  chunk: number
  /** What was free in the database after the last grant. */
  free: number
  oldest: number
  /** No more is asked for in this slot: the database has said no. */
  exhausted: boolean
  /** Granted in earlier slots and not used. */
  returned: Record<string, number>
  asking?: Promise<void>
}

export interface Limiter {
  /** Takes one request of the holder's budget. */
  take(holder: Holder): Promise<RateLimitResult>
}

export function makeLimiter(ctx: Context, limit: number): Limiter {
  const holdings = new Map<string, Holding>()
  const take = async (holder: Holder): Promise<RateLimitResult> => {
    const now = ctx.clock.now().getTime()
    const holding = enterSlot(holdings, nameOf(holder), Math.floor(now / slotLength))
    const { slot } = holding
    while (holding.slot === slot && holding.left === 0 && !holding.exhausted) {
      holding.asking ??= askForGrant(ctx, limit, holder, holding).finally(() => {
        holding.asking = undefined
      })
      await holding.asking
    }
    // The slot passed while this request waited for the database: it is tried again in the new one.
    if (holding.slot !== slot) return await take(holder)
    const allowed = holding.left > 0
    if (allowed) holding.left--
    return verdict(holding, limit, allowed, now)
  }
  return { take }
}

function nameOf({ kind, id }: Holder): string {
  return `${kind} ${id}`
}

async function askForGrant(ctx: Context, limit: number, holder: Holder, holding: Holding): Promise<void> {
  const { slot, returned } = holding
  // Given back at most once, even if the answer is lost: better a little too strict than beyond the limit.
  holding.returned = {}
  const [row] = await grantRequests(ctx, { span, limit }, [{ holder, slot, want: holding.chunk, returned }])
  const { granted, used, oldest } = row!
  if (holding.slot !== slot) {
    if (granted > 0) holding.returned[slot] = granted
    return
  }
  holding.left += granted
  holding.free = Math.max(0, limit - used)
  holding.oldest = oldest ?? slot
  holding.exhausted = granted === 0
  holding.chunk = Math.min(maxChunk, holding.chunk * 2)
  if (ctx.random.fraction() < cleanupShare) void deleteIdleHolders(ctx, slot)
}

async function deleteIdleHolders(ctx: Context, slot: number): Promise<void> {
  try {
    await deleteIdleBudgets(ctx, slot - span)
  } catch (error) {
    ctx.log.warn({ cause: String(error) }, 'idle request budgets were not cleared')
  }
}

function verdict(holding: Holding, limit: number, allowed: boolean, now: number): RateLimitResult {
  const remaining = holding.left + holding.free
  const until = (slot: number): number => Math.max(1, Math.ceil(((slot + span) * slotLength - now) / second))
  return {
    allowed,
    limit,
    remaining,
    resetSeconds: remaining >= limit ? 0 : until(holding.slot),
    retrySeconds: until(holding.oldest),
  }
}

/** What is held under a name in `slot`; what is left of an earlier slot is set aside to be given back. */
function enterSlot(holdings: Map<string, Holding>, name: string, slot: number): Holding {
  const found = holdings.get(name)
  // One from the far future was made while the clock was wrong.
  const known = found && found.slot - slot < farSlots ? found : undefined
  if (known && known.slot >= slot) return known
  if (!known && holdings.size >= rememberedHolders) dropIdle(holdings, slot)
  const holding: Holding = known ?? newHolding(slot)
  if (known) {
    if (holding.left > 0)
      holding.returned[holding.slot] = (holding.returned[holding.slot] ?? 0) + holding.left
    Object.assign(holding, {
      slot,
      left: 0,
      exhausted: false,
      chunk: Math.max(firstChunk, holding.chunk / 2),
    })
  }
  holdings.set(name, holding)
  return holding
}

function newHolding(slot: number): Holding {
  return { slot, left: 0, chunk: firstChunk, free: 0, oldest: slot, exhausted: false, returned: {} }
}

function dropIdle(holdings: Map<string, Holding>, slot: number): void {
  for (const [name, holding] of holdings) {
    if (holding.slot < slot - span && !holding.asking) holdings.delete(name)
  }
}

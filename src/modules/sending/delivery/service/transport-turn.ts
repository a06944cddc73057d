// An email's turn at one of several transports: at its rate, and within what its warm-up allows for today.
import { second } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { perContext } from '../../../../platform/per-context'
import type { RoutePace, RouteTurn } from '../../../../platform/transports/hand-over'
import type { MailRoute } from '../../../../platform/transports/several/several'
import { warmUpOfTransport } from '../../domains'
import { type PaceClass, sharedPacer } from './pace'
import { askLater, reserveInWarmUp, tomorrow } from './warm-up-budget'

/** Transactional mail with no other transport is sent regardless, and counted. */
export function transportTurnFor(ctx: Context, paceClass: PaceClass): RoutePace {
  const enter = async (route: MailRoute, isLastResort: boolean): Promise<RouteTurn> => {
    // Asked first: where there is no answer, nothing has been booked.
    const rate = await route.rate()
    const turn = await enterWarmUp(ctx, route, isLastResort && paceClass === 'transactional')
    if (!rate || turn.fullUntil) return turn
    const heldUntil = await sharedPacer(ctx)(`transport ${route.entry.name}`, rate, paceClass)
    if (!heldUntil) return turn
    await turn.end?.(undefined)
    return { heldUntil }
  }
  return (route, isLastResort) =>
    enter(route, isLastResort).catch(error => ({ heldUntil: askLater(ctx, error) }))
}

/** Transports just found to be full: otherwise a campaign would ask again for each of its recipients. */
const fullSince = perContext(() => new Map<string, Date>())
const believedMs = 5 * second

async function enterWarmUp(ctx: Context, { entry }: MailRoute, mustLeave: boolean): Promise<RouteTurn> {
  const plan = entry.warmUp && (await warmUpOfTransport(ctx, entry.name, entry.warmUp))
  if (plan === undefined) return {}
  const now = ctx.clock.now()
  const since = fullSince(ctx).get(plan)
  const isFull = since && now >= since && now.getTime() < since.getTime() + believedMs
  const end = isFull && !mustLeave ? undefined : await reserveInWarmUp(ctx, plan, mustLeave)
  if (end) return { end: result => end(result !== undefined && result.outcome !== 'deferred') }
  if (!isFull) fullSince(ctx).set(plan, now)
  return { fullUntil: tomorrow(ctx) }
}

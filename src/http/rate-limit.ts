// The request limit of the interface, 1000 a minute and project by default, spent by the guards after authentication and before
// anything is claimed. Routes without a guard (health, public list management, receivers) are exempt.
import { tooMany } from '../lib/errors'
import type { Context } from '../platform/context'
import { type Limiter, makeLimiter, type Verdict } from '../platform/rate/limiter'

/** One limiter a context: all guards of an application draw on the same holdings. */
const limiters = new WeakMap<Context, Limiter>()

function limiterOf(ctx: Context): Limiter {
  const known = limiters.get(ctx)
  if (known) return known
  const limiter = makeLimiter(ctx, ctx.config.rateLimitPerMinute)
  limiters.set(ctx, limiter)
  return limiter
}

type Headers = Record<string, string | number | string[] | undefined>

/** Counts a request of the project and sets the RateLimit headers; throws 429 when the minute's budget is spent. */
export async function spendRequest(ctx: Context, projectId: string, headers: Headers): Promise<void> {
  if (ctx.config.rateLimitPerMinute === 0) return
  const verdict = await limiterOf(ctx).take(projectId)
  setHeaders(headers, verdict)
  if (verdict.allowed) return
  throw tooMany(`This project may make ${verdict.limit} requests a minute`, verdict.retrySeconds)
}

function setHeaders(headers: Headers, verdict: Verdict): void {
  headers['ratelimit-limit'] = String(verdict.limit)
  headers['ratelimit-remaining'] = String(verdict.remaining)
  headers['ratelimit-reset'] = String(verdict.resetSeconds)
}

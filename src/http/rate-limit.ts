// The request limit of the interface, 1000 a minute and project by default, spent by the guards after authentication and before
// anything is claimed. Routes without a guard (health, public list management, receivers) are exempt.
import { tooMany } from '../lib/errors'
import type { Context } from '../platform/context'
import { perContext } from '../platform/per-context'
import { type Limiter, makeLimiter, type Verdict } from '../platform/rate/limiter'

/** All guards of an application draw on the same holdings. */
const limiterOf = perContext<Limiter>(ctx => makeLimiter(ctx, ctx.config.rateLimitPerMinute))

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

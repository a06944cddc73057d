// The request limit of the interface, 1000 a minute by default, spent by the guards after authentication and before anything is
// claimed. A project has one budget for its secret key and one for its public key, which anybody may hold; a signed-in user has one
// for all projects. Routes without a guard (health, public list management, receivers) are exempt.
import { tooMany } from '../lib/errors'
import type { Context } from '../platform/context'
import { perContext } from '../platform/per-context'
import { type Limiter, makeLimiter, type RateLimitResult } from '../platform/rate/limiter'
import type { Holder } from '../platform/rate/queries'

/** All guards of an application draw on the same holdings. */
const limiterOf = perContext<Limiter>(ctx => makeLimiter(ctx, ctx.config.rateLimitPerMinute))

type Headers = Record<string, string | number | string[] | undefined>

/** Counts a request of the holder and sets the RateLimit headers; throws 429 when the minute's budget is spent. */
export async function spendRequest(ctx: Context, holder: Holder, headers: Headers): Promise<void> {
  if (ctx.config.rateLimitPerMinute === 0) return
  const verdict = await limiterOf(ctx).take(holder)
  setHeaders(headers, verdict)
  if (verdict.allowed) return
  throw tooMany(`${names[holder.kind]} may make ${verdict.limit} requests a minute`, verdict.retrySeconds)
}

const names: Record<Holder['kind'], string> = {
  project: 'This project',
  public: 'The public key of this project',
  user: 'Each signed-in user',
}

function setHeaders(headers: Headers, verdict: RateLimitResult): void {
  headers['ratelimit-limit'] = String(verdict.limit)
  headers['ratelimit-remaining'] = String(verdict.remaining)
  headers['ratelimit-reset'] = String(verdict.resetSeconds)
}

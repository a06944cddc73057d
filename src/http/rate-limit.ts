// The request limit of the interface, 1000 a minute by default, spent by the guards after authentication and before anything is
// claimed. A project has one budget for its secret key and one for its public key, which anybody may hold; a signed-in user has one
// for all projects. Each key with scopes, and assistants with the secret key, have half as much each: a loop of theirs must not keep the
// project from sending. Routes without a guard (health, public list management, receivers) are exempt.
import { tooMany } from '../lib/errors'
import type { Context } from '../platform/context'
import { perContext } from '../platform/per-context'
import { type Limiter, makeLimiter, type RateLimitResult } from '../platform/rate/limiter'
import type { Holder } from '../platform/rate/queries'

/** All guards of an application draw on the same holdings. */
const limiters = perContext<Record<'whole' | 'half', Limiter>>(ctx => {
  const { rateLimitPerMinute: limit } = ctx.config
  return { whole: makeLimiter(ctx, limit), half: makeLimiter(ctx, Math.ceil(limit / 2)) }
})

/** Requests that a tool of `/mcp` makes in this process, with the key that it was called with. */
const ofAssistants = new WeakSet<Request>()

export function asAssistant(request: Request): Request {
  ofAssistants.add(request)
  return request
}

export function isOfAssistant(request: Request): boolean {
  return ofAssistants.has(request)
}

type Headers = Record<string, string | number | string[] | undefined>

/** Counts a request of the holder and sets the RateLimit headers; throws 429 when the minute's budget is spent. */
export async function spendRequest(ctx: Context, holder: Holder, headers: Headers): Promise<void> {
  if (ctx.config.rateLimitPerMinute === 0) return
  const { whole, half } = limiters(ctx)
  const verdict = await (halved.has(holder.kind) ? half : whole).take(holder)
  setHeaders(headers, verdict)
  if (verdict.allowed) return
  throw tooMany(`${names[holder.kind]} may make ${verdict.limit} requests a minute`, verdict.retrySeconds)
}

const halved: ReadonlySet<Holder['kind']> = new Set(['assistant', 'key'])

const names: Record<Holder['kind'], string> = {
  project: 'This project',
  public: 'The public key of this project',
  assistant: 'Assistants with the secret key of this project',
  key: 'A key with scopes',
  user: 'Each signed-in user',
}

function setHeaders(headers: Headers, verdict: RateLimitResult): void {
  headers['ratelimit-limit'] = String(verdict.limit)
  headers['ratelimit-remaining'] = String(verdict.remaining)
  headers['ratelimit-reset'] = String(verdict.resetSeconds)
}

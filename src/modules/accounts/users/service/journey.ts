// Somebody's way to a provider and back: what is remembered of it travels in a sealed cookie, which only that browser can bring back.
import { hexToken } from '../../../../lib/ids'
import { isSameText } from '../../../../lib/same-text'
import { after, minute } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { type Journey, pageOfDashboard, type SignInProvider } from '../oauth'

const purpose = 'oauth-journey'

/** How long somebody may take at the provider. */
export const journeyMs = 10 * minute

export function startJourney(ctx: Context, provider: SignInProvider, next: string | null): Journey {
  const page = pageOfDashboard(ctx.config.baseUrl, next)
  return {
    provider,
    state: hexToken(ctx.random, 32),
    verifier: hexToken(ctx.random, 32),
    nonce: hexToken(ctx.random, 32),
    until: after(ctx.clock.now(), journeyMs).getTime(),
    ...(page === undefined ? {} : { next: page }),
  }
}

export function sealJourney(ctx: Context, journey: Journey): string {
  return ctx.vault.seal(purpose, JSON.stringify(journey))
}

/** The sign-in that this browser began, while it is still valid. */
export function readJourney(
  ctx: Context,
  provider: SignInProvider,
  cookie: unknown,
  state: string | null,
): Journey | undefined {
  if (typeof cookie !== 'string' || cookie.length > 2_000 || state === null) return undefined
  const journey = opened(ctx, cookie)
  if (journey?.provider !== provider || journey.until <= ctx.clock.now().getTime()) return undefined
  return isSameText(state, journey.state) ? journey : undefined
}

function opened(ctx: Context, cookie: string): Journey | undefined {
  try {
    return JSON.parse(ctx.vault.open(purpose, cookie)) as Journey
  } catch {
    // Sealed with another key, or not by us at all.
    return undefined
  }
}

export function redirectUri(ctx: Context, provider: SignInProvider): string {
  return `${ctx.config.baseUrl}/oauth/${provider}/callback`
}

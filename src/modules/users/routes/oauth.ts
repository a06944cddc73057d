// The two ends of signing in with a provider. The browser is only ever sent to the configured provider or to our own pages.
import { Elysia } from 'elysia'
import type { CookieJar } from '../../../http/guard'
import { isLocalClient } from '../../../http/request-id'
import type { Context } from '../../../platform/context'
import { openSession } from '../guard'
import { type Provider, providers } from '../oauth'
import { beginJourney, endJourney, journeyMs } from '../service'

const journeyCookie = 'waxwing_oauth'

export function oauthRoutes(ctx: Context) {
  const routes = new Elysia({ prefix: '/oauth', tags: ['Authentication'] })
  for (const provider of providers) routes.use(providerRoutes(ctx, provider))
  return routes
}

const names: Record<Provider, string> = { github: 'GitHub', google: 'Google' }

function providerRoutes(ctx: Context, provider: Provider) {
  return new Elysia({ prefix: `/${provider}`, tags: ['Authentication'] })
    .get(
      '/outbound',
      ({ cookie, set }) => {
        const journey = beginJourney(ctx, provider)
        writeJourney(ctx, cookie, journey.cookie)
        return sendTo(set, journey.url)
      },
      { detail: { summary: `Sign in with ${names[provider]}: goes to the provider` } },
    )
    .get(
      '/callback',
      async ({ cookie, request, set }) => {
        const query = new URL(request.url).searchParams
        const code = query.get('code')?.slice(0, 2_000)
        const state = query.get('state')?.slice(0, 200)
        const isLocal = isLocalClient(request)
        const back = { code, state, cookie: cookie[journeyCookie]?.value, isLocal }
        const result = await endJourney(ctx, provider, back)
        writeJourney(ctx, cookie, '')
        const { baseUrl } = ctx.config
        if (typeof result === 'string') return sendTo(set, `${baseUrl}/auth/login?message=${result}`)
        await openSession(ctx, { request, cookie }, result)
        return sendTo(set, `${baseUrl}/`)
      },
      { detail: { summary: `Sign in with ${names[provider]}: comes back from the provider` } },
    )
}

/** The addresses in this exchange hold codes and states, so they must not leak. */
function sendTo(set: { status?: number | string; headers: Record<string, unknown> }, url: string): string {
  set.status = 302
  Object.assign(set.headers, { location: url, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  return ''
}

/** For this one callback, and for as long as the sign-in may take. Lax, because it is the provider's page that leads back. */
function writeJourney(ctx: Context, cookie: CookieJar, value: string): void {
  cookie[journeyCookie]?.set({
    value,
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: ctx.config.baseUrl.startsWith('https:'),
    maxAge: value === '' ? 0 : journeyMs / 1_000,
  })
}

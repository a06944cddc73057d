// The two ends of signing in with a provider. The browser is only ever sent to the configured provider or to our own pages,
// whatever the query says.
import { Elysia } from 'elysia'
import type { CookieJar } from '../../../../http/guard'
import { redirect } from '../../../../http/openapi/media'
import { isLocalClient } from '../../../../http/request-id'
import type { Context } from '../../../../platform/context'
import { openSession } from '../guard'
import { type SignInProvider, signInProviders } from '../oauth'
import { beginJourney, endJourney, journeyMs } from '../service'

const answers = { 302: redirect('On to the provider, or back to the dashboard') }

const journeyCookie = 'waxwing_oauth'

export function oauthRoutes(ctx: Context) {
  const routes = new Elysia({ prefix: '/oauth', tags: ['Authentication'] })
  for (const provider of signInProviders) routes.use(providerRoutes(ctx, provider))
  return routes
}

const names: Record<SignInProvider, string> = {
  github: 'GitHub',
  google: 'Google',
  oidc: 'a provider of OpenID Connect',
}

/** Described only: one that can't be followed is left out of account, so that nobody is kept from signing in by it. */
const nextParameter = {
  name: 'next',
  in: 'query' as const,
  required: false,
  description: 'The page of the dashboard to show then, as a path below BASE_URL: /app/…',
  schema: { type: 'string' as const },
}

function providerRoutes(ctx: Context, provider: SignInProvider) {
  const { baseUrl } = ctx.config
  return new Elysia({ prefix: `/${provider}`, tags: ['Authentication'], detail: { addition: true } })
    .get(
      '/outbound',
      async ({ cookie, request, set }) => {
        const next = new URL(request.url).searchParams.get('next')
        const journey = await beginJourney(ctx, provider, next)
        if (typeof journey === 'string') return sendTo(set, `${baseUrl}/auth/login?message=${journey}`)
        writeJourney(ctx, cookie, journey.cookie)
        return sendTo(set, journey.url)
      },
      {
        detail: {
          summary: `Sign in with ${names[provider]}: goes to the provider`,
          description:
            'Send the browser here; the provider sends it back to the callback. 404 where the provider is not configured.',
          parameters: [nextParameter],
          errors: [404],
          responses: answers,
        },
      },
    )
    .get(
      '/callback',
      async ({ cookie, request, set }) => {
        const query = new URL(request.url).searchParams
        const back = { query, cookie: cookie[journeyCookie]?.value, isLocal: isLocalClient(request) }
        const result = await endJourney(ctx, provider, back)
        writeJourney(ctx, cookie, '')
        if (typeof result === 'string') return sendTo(set, `${baseUrl}/auth/login?message=${result}`)
        await openSession(ctx, { request, cookie }, result.user)
        return sendTo(set, result.next)
      },
      {
        detail: {
          summary: `Sign in with ${names[provider]}: comes back from the provider`,
          description:
            'Opens a session and goes on to the dashboard, or back to the sign-in page with the reason. Only an address that the provider calls verified counts; 404 where the provider is not configured.',
          errors: [404],
          responses: answers,
        },
      },
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

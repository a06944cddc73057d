// Signing in with a company's own provider, against a real one (oidc-provider) on this machine.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { minute } from '../../src/lib/time'
import type { Context } from '../../src/platform/context'
import { makeMetrics } from '../../src/platform/metrics'
import { networkWebhooks } from '../../src/platform/webhook/network'
import { buildApp } from '../../src/server/app'
import type { Config } from '../../src/settings/config'
import { openAccounts } from '../support/accounts'
import { type Claims, type OidcProvider, oidcClient, startOidcProvider } from '../support/oidc-provider'
import { type Answer, request } from '../support/request'

type World = Awaited<ReturnType<typeof openAccounts>>
type Settings = NonNullable<Config['oidc']>
const redirectUri = 'http://localhost:3000/oauth/oidc/callback'
let world: World
let provider: OidcProvider

beforeAll(async () => {
  provider = await startOidcProvider({ redirectUri, claimsIn: 'userinfo' })
  world = await openAccounts()
})
afterAll(async () => {
  await world.close()
  provider.stop()
})
beforeEach(() => provider.breakWith(undefined))

/** An instance of its own, which knows nothing of the provider yet. */
function appWith(oidc: Partial<Settings> = {}, changes: Partial<Config> = {}): AnyElysia {
  const settings: Settings = {
    issuer: provider.issuer,
    ...oidcClient,
    label: 'Acme',
    domains: [],
    trustsAddresses: false,
    signUp: false,
    ...oidc,
  }
  const ctx: Context = {
    ...world.ctx,
    metrics: makeMetrics(),
    config: { ...world.ctx.config, oidc: settings, ...changes },
    providers: networkWebhooks({ dns: world.dns, allowPrivate: true }),
  }
  return buildApp(ctx)
}

let count = 0
const somebody = (): string => `oidc-${++count}@example.com`

async function leave(app: AnyElysia): Promise<{ url: string; cookie: string }> {
  const answer = await request(app, 'GET', '/oauth/oidc/outbound')
  expect(answer.status).toBe(302)
  return { url: answer.headers.get('location')!, cookie: answer.cookies['waxwing_oauth']! }
}

const verified = (email: string): Claims => ({ email, email_verified: true })

/** The whole journey of one browser. */
async function travel(app: AnyElysia, claims: Claims, from: OidcProvider = provider): Promise<Answer> {
  const { url, cookie } = await leave(app)
  const back = await from.consent(url, `subject-${++count}`, claims)
  return await request(app, 'GET', back, { cookie })
}

function expectRefusal(answer: Answer, reason: string): void {
  expect(answer.status).toBe(302)
  expect(answer.headers.get('location')).toBe(`http://localhost:3000/auth/login?message=${reason}`)
  expect(answer.cookies['waxwing_session']).toBeUndefined()
}

async function expectSession(app: AnyElysia, answer: Answer, email: string): Promise<string> {
  expect(answer.headers.get('location')).toBe('http://localhost:3000/')
  const me = await request(app, 'GET', '/users/@me', { cookie: answer.cookies['waxwing_session']! })
  expect(me.body).toMatchObject({ email, type: 'OIDC', emailVerified: true })
  return me.body.id
}

describe('somebody with a verified address', () => {
  test('gets an account at the first time and the same one later', async () => {
    const app = appWith({}, { requireEmailVerification: true })
    const email = somebody()
    const id = await expectSession(app, await travel(app, verified(email.toUpperCase())), email)
    expect(await expectSession(app, await travel(app, verified(email)), email)).toBe(id)
  })

  test.each([
    ['shows its secret in the body', { claimsIn: 'id token', secretIn: 'client_secret_post' }],
    ['has no secret', { claimsIn: 'id token', secretIn: 'none' }],
  ] as const)('gets in where the address is in the ID token and the client %s', async (_, options) => {
    const other = await startOidcProvider({ redirectUri, ...options })
    const secret = options.secretIn === 'none' ? { clientSecret: undefined } : {}
    const app = appWith({ issuer: other.issuer, ...secret } as Partial<Settings>)
    const email = somebody()
    await expectSession(app, await travel(app, verified(email), other), email)
    expect(other.asked).not.toContain('/me')
    other.stop()
  })

  test('gets in after the provider has changed its key, at once', async () => {
    const app = appWith()
    await travel(app, verified(somebody()))
    provider.rotateKey()
    const email = somebody()
    await expectSession(app, await travel(app, verified(email)), email)
  })

  test('comes out at the page of the dashboard that was asked for', async () => {
    const app = appWith()
    const out = await request(app, 'GET', '/oauth/oidc/outbound?next=%2Fapp%2Fcontacts%3Fsearch%3Dada')
    const back = await provider.consent(
      out.headers.get('location')!,
      `subject-${++count}`,
      verified(somebody()),
    )
    const answer = await request(app, 'GET', back, { cookie: out.cookies['waxwing_oauth']! })
    expect(answer.headers.get('location')).toBe('http://localhost:3000/app/contacts?search=ada')
    expect(answer.cookies['waxwing_session']).toBeDefined()
  })

  test('comes into a closed instance where its provider may let people in', async () => {
    const closed = { disableSignups: true }
    expectRefusal(await travel(appWith({}, closed), verified(somebody())), 'closed')
    const email = somebody()
    const app = appWith({ signUp: true }, closed)
    await expectSession(app, await travel(app, verified(email)), email)
  })
})

describe('nobody gets in', () => {
  test('with an address that is not verified, or none', async () => {
    const app = appWith()
    const email = somebody()
    expectRefusal(await travel(app, { email, email_verified: false }), 'unverified')
    expectRefusal(await travel(app, { email }), 'unverified')
    expectRefusal(await travel(app, {}), 'unverified')
    expect(await world.database.sql`select 1 from users where email = ${email}`).toHaveLength(0)
  })

  test('with an address that is called unverified, even where the provider is trusted', async () => {
    const app = appWith({ trustsAddresses: true })
    const email = somebody()
    expectRefusal(await travel(app, { email, email_verified: false }), 'unverified')
    await expectSession(app, await travel(app, { email }), email)
  })

  test('to an account that signs in another way', async () => {
    const email = somebody()
    await world.signUp(email)
    expectRefusal(await travel(appWith(), verified(email)), 'otherMethod')
  })

  test('from a domain that is not named', async () => {
    const app = appWith({ domains: ['acme.example'] })
    expectRefusal(await travel(app, verified('ada@elsewhere.acme.example')), 'otherDomain')
    await expectSession(app, await travel(app, verified('ada@Acme.example')), 'ada@acme.example')
  })

  test('with a proof that was made for another nonce', async () => {
    const app = appWith()
    const { url, cookie } = await leave(app)
    const other = url.replace(/nonce=[^&]*/, 'nonce=another')
    const back = await provider.consent(other, `subject-${++count}`, verified(somebody()))
    expectRefusal(await request(app, 'GET', back, { cookie }), 'unproved')
  })

  test('with the state of another browser, or none', async () => {
    const app = appWith()
    const { url, cookie } = await leave(app)
    const back = await provider.consent(url, `subject-${++count}`, verified(somebody()))
    const theirs = await leave(app)
    expectRefusal(await request(app, 'GET', back), 'expired')
    expectRefusal(await request(app, 'GET', back, { cookie: theirs.cookie }), 'expired')
    expectRefusal(await request(app, 'GET', back.replace(/state=[^&]*/, 'state=x'), { cookie }), 'expired')
  })

  test('with a code that was used, or that says it is from another provider', async () => {
    const app = appWith()
    const { url, cookie } = await leave(app)
    const back = await provider.consent(url, `subject-${++count}`, verified(somebody()))
    expectRefusal(
      await request(app, 'GET', back.replace(/iss=[^&]*/, 'iss=http://other'), { cookie }),
      'unproved',
    )
    expect((await request(app, 'GET', back, { cookie })).cookies['waxwing_session']).toBeDefined()
    expectRefusal(await request(app, 'GET', back, { cookie }), 'cancelled')
  })

  test('who says no at the provider, or takes too long', async () => {
    const app = appWith()
    const { url, cookie } = await leave(app)
    const state = new URL(url).searchParams.get('state')
    const denied = `/oauth/oidc/callback?error=access_denied&state=${state}`
    expectRefusal(await request(app, 'GET', denied, { cookie }), 'cancelled')
    const back = await provider.consent(url, `subject-${++count}`, verified(somebody()))
    world.clock.advance(10 * minute)
    expectRefusal(await request(app, 'GET', back, { cookie }), 'expired')
  })
})

describe('a provider that is out of order', () => {
  test('sends nobody away with an error page', async () => {
    const app = appWith()
    provider.breakWith(503)
    expectRefusal(await request(app, 'GET', '/oauth/oidc/outbound'), 'unreachable')
    provider.breakWith(undefined)
    const { url, cookie } = await leave(app)
    const back = await provider.consent(url, `subject-${++count}`, verified(somebody()))
    provider.breakWith(502)
    expectRefusal(await request(app, 'GET', back, { cookie }), 'unreachable')
  })

  test('does so where nothing answers at all', async () => {
    const app = appWith({ issuer: 'http://127.0.0.1:9' })
    expectRefusal(await request(app, 'GET', '/oauth/oidc/outbound'), 'unreachable')
  })

  test('does so where it calls itself otherwise, has no description, or sends us elsewhere', async () => {
    const port = new URL(provider.issuer).port
    const misnamed = appWith({ issuer: `http://localhost:${port}` })
    expectRefusal(await request(misnamed, 'GET', '/oauth/oidc/outbound'), 'unproved')
    const pathless = appWith({ issuer: `${provider.issuer}/nowhere` })
    expectRefusal(await request(pathless, 'GET', '/oauth/oidc/outbound'), 'unproved')
    const elsewhere = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => Response.redirect(`${provider.issuer}/.well-known/openid-configuration`),
    })
    const sent = appWith({ issuer: `http://127.0.0.1:${elsewhere.port}` })
    expectRefusal(await request(sent, 'GET', '/oauth/oidc/outbound'), 'unreachable')
    await elsewhere.stop(true)
  })
})

test('the browser leaves with a challenge, a state and a nonce; what the provider says of itself is asked once in ten minutes', async () => {
  const app = appWith()
  provider.asked.length = 0
  const [first, second] = [await leave(app), await leave(app)]
  expect(provider.asked).toEqual(['/.well-known/openid-configuration'])
  const query = Object.fromEntries(new URL(first.url).searchParams)
  expect(query).toMatchObject({
    client_id: 'waxwing',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email',
    code_challenge_method: 'S256',
  })
  const other = Object.fromEntries(new URL(second.url).searchParams)
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(query[name]!.length).toBeGreaterThan(40)
    expect(other[name]).not.toBe(query[name]!)
    expect(first.cookie).not.toContain(query[name]!)
  }
  world.clock.advance(10 * minute)
  await leave(app)
  expect(provider.asked).toHaveLength(2)
})

test('it is told with its label where it is set, and does not exist where it is not', async () => {
  const app = appWith({ label: 'Acme & Sons' })
  expect((await request(app, 'GET', '/auth/login')).body).toContain(
    '<a href="../oauth/oidc/outbound">Sign in with Acme &amp; Sons</a>',
  )
  const oidc = { label: 'Acme & Sons' }
  expect((await request(app, 'GET', '/auth/oauth-config')).body.data).toEqual({
    github: false,
    google: false,
    oidc,
  })
  expect((await request(app, 'GET', '/config')).body.features.authProviders).toEqual({
    github: false,
    google: false,
    oidc,
  })
  for (const path of ['/oauth/oidc/outbound', '/oauth/oidc/callback?code=x&state=y'])
    expect((await world.call('GET', path)).status).toBe(404)
  expect((await world.call('GET', '/config')).body.features.authProviders).not.toHaveProperty('oidc')
})

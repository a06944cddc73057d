// Signing in with GitHub and Google, against a provider on this machine that checks what the real ones check.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { minute } from '../../src/lib/time'
import type { Context } from '../../src/platform/context'
import { networkWebhooks } from '../../src/platform/webhook/network'
import { buildApp } from '../../src/server/app'
import type { Config, Provider } from '../../src/settings/config'
import { openAccounts, password } from '../support/accounts'
import { client, type OAuthProvider, type Person, startOAuthProvider } from '../support/oauth-provider'
import { type Answer, request } from '../support/request'

type World = Awaited<ReturnType<typeof openAccounts>>
let world: World
let provider: OAuthProvider

beforeAll(async () => {
  provider = startOAuthProvider()
  world = await openAccounts()
})
afterAll(async () => {
  await world.close()
  await provider.stop()
})
beforeEach(() => provider.breakWith(undefined))

const both = (): Config['oauth'] => ({
  github: { ...client, baseUrl: provider.url },
  google: { ...client, baseUrl: provider.url },
})

/** The application with providers configured. */
function appWith(changes: Partial<Context['config']> = {}, oauth = both()): AnyElysia {
  const ctx: Context = {
    ...world.ctx,
    config: { ...world.ctx.config, oauth, ...changes },
    providers: networkWebhooks({ dns: world.dns, allowPrivate: true }),
  }
  return buildApp(ctx)
}

let count = 0
const address = (): string => `oauth-${++count}@example.com`
const githubPerson = (email: string, verified = true): Person => ({
  emails: [
    { email: `other-${email}`, primary: false, verified: true },
    { email, primary: true, verified },
  ],
})
const googlePerson = (email: string, verified: unknown = true): Person => ({
  userinfo: { sub: '1', email, email_verified: verified },
})

async function leave(app: AnyElysia, name: Provider): Promise<{ url: string; cookie: string }> {
  const answer = await request(app, 'GET', `/oauth/${name}/outbound`)
  expect(answer.status).toBe(302)
  return { url: answer.headers.get('location')!, cookie: answer.cookies['waxwing_oauth']! }
}

/** The whole journey of one browser. */
async function travel(app: AnyElysia, name: Provider, person: Person): Promise<Answer> {
  const { url, cookie } = await leave(app, name)
  return await request(app, 'GET', provider.consent(url, person), { cookie })
}

function expectRefusal(answer: Answer, reason: string): void {
  expect(answer.status).toBe(302)
  expect(answer.headers.get('location')).toBe(`http://localhost:3000/auth/login?message=${reason}`)
  expect(answer.cookies['waxwing_session']).toBeUndefined()
}

describe('somebody with a verified address', () => {
  test.each([
    ['github', 'GITHUB_OAUTH', githubPerson],
    ['google', 'GOOGLE_OAUTH', googlePerson],
  ] as const)(
    'gets an account by %s at the first time and the same one later',
    async (name, type, person) => {
      const app = appWith({ requireEmailVerification: true })
      const email = address()
      const first = await travel(app, name, person(email.toUpperCase()))
      expect(first.status).toBe(302)
      expect(first.headers.get('location')).toBe('http://localhost:3000/')
      const me = await request(app, 'GET', '/users/@me', { cookie: first.cookies['waxwing_session']! })
      expect(me.body).toMatchObject({ email, type, emailVerified: true })
      const cookie = (await travel(app, name, person(email))).cookies['waxwing_session']!
      expect((await request(app, 'GET', '/users/@me', { cookie })).body.id).toBe(me.body.id)
      const body = { name: 'Acme' }
      expect((await request(app, 'POST', '/users/@me/projects', { cookie, body })).status).toBe(201)
    },
  )

  test('joins the projects that invited the address', async () => {
    const app = appWith({ disableSignups: true })
    const owner = await world.signUp(address())
    const project = (
      await world.call('POST', '/users/@me/projects', { cookie: owner, body: { name: 'Acme' } })
    ).body
    const email = address()
    const body = { email }
    await request(app, 'POST', `/projects/${project.id}/members`, { cookie: owner, body })
    const cookie = (await travel(app, 'github', githubPerson(email))).cookies['waxwing_session']!
    const projects = await request(app, 'GET', '/users/@me/projects', { cookie })
    expect(projects.body.map((one: { id: string }) => one.id)).toEqual([project.id])
  })
})

describe('the page that somebody wanted to see', () => {
  async function arrive(next: string, changes: Partial<Config> = {}): Promise<string | null> {
    const app = appWith(changes)
    const out = await request(app, 'GET', `/oauth/github/outbound?next=${encodeURIComponent(next)}`)
    expect(out.headers.get('location')).toStartWith(provider.url)
    const back = provider.consent(out.headers.get('location')!, githubPerson(address()))
    const cookie = out.cookies['waxwing_oauth']!
    // A proxy takes off the path of the address.
    const path = back.slice(back.indexOf('/oauth/'))
    return (await request(app, 'GET', path, { cookie })).headers.get('location')
  }

  test('is shown after the sign-in, with its query', async () => {
    const page = '/app/0190c2a4-0000-7000-8000-000000000000/contacts?search=ada%40example.com&status=x#top'
    expect(await arrive(page)).toBe(`http://localhost:3000${page}`)
    const below = { baseUrl: 'https://Acme.example:443/mail' }
    expect(await arrive('/app/campaigns', below)).toBe('https://acme.example/mail/app/campaigns')
  })

  test.each([
    ['https://evil.example/app/'],
    ['//evil.example/app/'],
    ['/\\evil.example/app/'],
    ['/app/../../evil'],
    ['/app/%2e%2e/oauth/github/outbound'],
    ['/app/..\\auth/login'],
    ['/\t/evil.example/app/'],
    ['@evil.example/app/'],
    ['.evil.example/app/'],
    ['/apple'],
    ['javascript:alert(1)'],
    [`/app/${'a'.repeat(800)}`],
    [''],
  ])('is the start page where the link says %j', async next => {
    expect(await arrive(next)).toBe('http://localhost:3000/')
  })

  test('stays in the dashboard, however it is written', async () => {
    expect(await arrive('/app//evil.example/')).toBe('http://localhost:3000/app//evil.example/')
    expect(await arrive('/app/a\r\nx: y')).toBe('http://localhost:3000/app/ax:%20y')
  })
})

describe('nobody gets in', () => {
  test('with an address that the provider has not verified', async () => {
    const app = appWith()
    const email = address()
    expectRefusal(await travel(app, 'github', githubPerson(email, false)), 'unverified')
    expectRefusal(await travel(app, 'google', googlePerson(email, false)), 'unverified')
    expectRefusal(await travel(app, 'google', googlePerson(email, 'true')), 'unverified')
    expectRefusal(await travel(app, 'google', { userinfo: { email_verified: true } }), 'unverified')
    expectRefusal(await travel(app, 'google', googlePerson('no address')), 'unverified')
    expectRefusal(await travel(app, 'github', { emails: { message: 'rate limited' } }), 'unverified')
    expect(await world.database.sql`select 1 from users where email = ${email}`).toHaveLength(0)
  })

  test('to an account that signs in another way', async () => {
    const app = appWith()
    const email = address()
    await world.signUp(email)
    expectRefusal(await travel(app, 'github', githubPerson(email)), 'otherMethod')
    const other = address()
    await travel(app, 'github', githubPerson(other))
    expectRefusal(await travel(app, 'google', googlePerson(other)), 'otherMethod')
    expect((await world.signIn(email, password)).status).toBe(200)
  })

  test('as a new user of a closed instance', async () => {
    const app = appWith({ disableSignups: true })
    await world.signUp(address())
    expectRefusal(await travel(app, 'github', githubPerson(address())), 'closed')
  })

  test('without the cookie of the journey, with that of another one, or with a changed one', async () => {
    const app = appWith()
    const [mine, theirs] = [await leave(app, 'github'), await leave(app, 'github')]
    const back = provider.consent(theirs.url, githubPerson(address()))
    expectRefusal(await request(app, 'GET', back), 'expired')
    expectRefusal(await request(app, 'GET', back, { cookie: mine.cookie }), 'expired')
    expectRefusal(await request(app, 'GET', back, { cookie: `${theirs.cookie.slice(0, -3)}abc` }), 'expired')
    expectRefusal(await request(app, 'GET', back.replace(/state=[^&]*/, 'state='), theirs), 'expired')
    const google = back.replace('/github/', '/google/')
    expectRefusal(await request(app, 'GET', google, { cookie: theirs.cookie }), 'expired')
    expect(
      (await request(app, 'GET', back, { cookie: theirs.cookie })).cookies['waxwing_session'],
    ).toBeDefined()
  })

  test('after ten minutes at the provider', async () => {
    const app = appWith()
    const { url, cookie } = await leave(app, 'github')
    const back = provider.consent(url, githubPerson(address()))
    world.clock.advance(10 * minute)
    expectRefusal(await request(app, 'GET', back, { cookie }), 'expired')
  })

  test('by a code that was used, stolen or refused', async () => {
    const app = appWith()
    const { url, cookie } = await leave(app, 'google')
    const back = provider.consent(url, googlePerson(address()))
    expect((await request(app, 'GET', back, { cookie })).cookies['waxwing_session']).toBeDefined()
    expectRefusal(await request(app, 'GET', back, { cookie }), 'cancelled')
    // A code that was made for another browser does not go with this one's verifier.
    const [mine, theirs] = [await leave(app, 'google'), await leave(app, 'google')]
    const stolen = new URLSearchParams(provider.consent(theirs.url, googlePerson(address())).split('?')[1])
    stolen.set('state', new URL(mine.url).searchParams.get('state')!)
    const forged = await request(app, 'GET', `/oauth/google/callback?${stolen}`, { cookie: mine.cookie })
    expectRefusal(forged, 'cancelled')
    const denied = await leave(app, 'github')
    const state = new URL(denied.url).searchParams.get('state')
    const path = `/oauth/github/callback?error=access_denied&state=${state}`
    expectRefusal(await request(app, 'GET', path, { cookie: denied.cookie }), 'cancelled')
  })

  test('while the provider is out of order', async () => {
    const app = appWith()
    const { url, cookie } = await leave(app, 'github')
    const back = provider.consent(url, githubPerson(address()))
    provider.breakWith(503)
    expectRefusal(await request(app, 'GET', back, { cookie }), 'unreachable')
  })
})

test('the browser is sent to the provider with a challenge and a state, and gets a cookie that only we can read', async () => {
  const app = appWith({}, { github: client, google: client })
  const github = await leave(app, 'github')
  const google = await leave(app, 'google')
  expect(github.url).toStartWith('https://github.com/login/oauth/authorize?')
  expect(google.url).toStartWith('https://accounts.google.com/o/oauth2/v2/auth?')
  const query = Object.fromEntries(new URL(github.url).searchParams)
  expect(query).toMatchObject({
    client_id: client.clientId,
    redirect_uri: 'http://localhost:3000/oauth/github/callback',
    scope: 'user:email',
    code_challenge_method: 'S256',
  })
  expect(query['state']).toHaveLength(64)
  expect(github.cookie).not.toContain(query['state']!)
  const answer = await request(app, 'GET', '/oauth/github/outbound')
  const line = answer.headers.getSetCookie().find(text => text.startsWith('waxwing_oauth='))
  for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Max-Age=600']) expect(line).toContain(attribute)
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('the cookie of the journey goes when it ends', async () => {
  const answer = await travel(appWith(), 'github', githubPerson(address()))
  const line = answer.headers.getSetCookie().find(text => text.startsWith('waxwing_oauth='))
  expect(line).toContain('Max-Age=0')
})

test('what is configured is told, and what is not does not exist', async () => {
  const some = appWith({}, { github: client })
  expect((await request(some, 'GET', '/auth/oauth-config')).body.data).toEqual({
    github: true,
    google: false,
  })
  const config = await request(some, 'GET', '/config')
  expect(config.body.features.authProviders).toEqual({ github: true, google: false })
  const page = await request(some, 'GET', '/auth/login')
  expect(page.body).toContain('Sign in with GitHub')
  expect(page.body).not.toContain('Google')
  for (const path of ['/oauth/google/outbound', '/oauth/google/callback?code=x&state=y'])
    expect((await request(some, 'GET', path)).status).toBe(404)
})

describe('the page to sign in by', () => {
  const post = (form: Record<string, string>) =>
    world.call('POST', '/auth/login/form', { body: new URLSearchParams(form) })

  test("shows our own words and nobody else's", async () => {
    expect((await world.call('GET', '/auth/login?message=closed')).body).toContain('Sign-up is closed')
    const foreign = await world.call('GET', '/auth/login?message=%3Cb%3ECall%20555%3C/b%3E&x=__proto__')
    expect(foreign.status).toBe(200)
    expect(foreign.body).not.toContain('555')
    expect(foreign.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test('signs in, and says what is wrong', async () => {
    const email = address()
    await world.signUp(email)
    const wrong = await post({ email, password: 'a wrong one' })
    expect([wrong.status, String(wrong.body).includes('Wrong e-mail address or password')]).toEqual([
      401,
      true,
    ])
    expect((await post({ email: 'nobody', password })).status).toBe(422)
    const done = await post({ email, password })
    expect([done.status, done.headers.get('location')]).toEqual([303, '../../'])
    const cookie = done.cookies['waxwing_session']!
    expect((await world.call('GET', '/users/@me', { cookie })).body.email).toBe(email)
  })
})

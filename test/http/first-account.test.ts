// Who may make the first account of an instance, and who may sign up once there is one.
import { afterAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { reserve } from '../../src/http/server'
import { day, minute } from '../../src/lib/time'
import { createUser, ensureSetupLink, signUp } from '../../src/modules/accounts/users/service'
import { networkWebhooks } from '../../src/platform/webhook/network'
import { buildApp } from '../../src/server/app'
import type { Config } from '../../src/settings/config'
import { testConfig, testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { client, startOAuthProvider } from '../support/oauth-provider'
import { type Answer, request } from '../support/request'

const opened: TestDatabase[] = []
afterAll(() => Promise.all(opened.map(database => database.drop())))

/** What DISABLE_SIGNUPS is when nobody says anything, whatever other tests say. */
const unset: Partial<Config> = { disableSignups: true }

/** An instance without any account. `from` is the other end of each connection. */
async function openWorld(changes: Partial<Config> = unset, from = '203.0.113.9') {
  const database = await cloneDatabase({ max: 16 })
  opened.push(database)
  const { ctx, clock, dns } = testContext(database, changes)
  const app = buildApp(ctx)
  reachedFrom(app, from)
  const join = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
    request(app, 'POST', '/auth/signup', { body, headers })
  const isClosed = async (): Promise<boolean> =>
    (await request(app, 'GET', '/config')).body.features.signup.signupsDisabled
  return { database, ctx, clock, dns, app, join, isClosed }
}

function reachedFrom(app: AnyElysia, address: string): void {
  app.server = { requestIP: () => ({ address, family: 'IPv4', port: 1 }) } as unknown as typeof app.server
}

const password = 'correct horse battery'
const person = (name: string, setupToken?: string) => ({ email: `${name}@example.com`, password, setupToken })

const tokenIn = (text: string | undefined): string =>
  /"setupToken":"([0-9a-f]{64})"/.exec(text ?? '')?.[1] ?? ''

const countOf = async (database: TestDatabase): Promise<number> =>
  (await database.sql`select 1 from users`).length

describe('while there is no account', () => {
  test.each([
    ['127.0.0.1', false],
    ['203.0.113.9', true],
  ])('/config tells a caller from %s whether the token is needed: %p', async (from, needsSetupToken) => {
    const { app } = await openWorld(unset, from)
    const { body } = await request(app, 'GET', '/config')
    expect(body.features.signup).toEqual({ signupsDisabled: false, isFirstAccount: true, needsSetupToken })
  })

  test.each<[string, string, Record<string, string>, number]>([
    ['from this machine', '127.0.0.1', {}, 200],
    ['from another loopback address', '127.8.0.1', {}, 200],
    ['from this machine over IPv6', '::1', {}, 200],
    ['from this machine in IPv6 spelling', '::ffff:127.0.0.1', {}, 200],
    ['from elsewhere', '203.0.113.9', {}, 403],
    ['from the private network', '192.168.1.20', {}, 403],
    ['from the host of a container', '172.17.0.1', {}, 403],
    ['from elsewhere over IPv6', '2001:db8::1', {}, 403],
    ['from an address that begins alike', '127.0.0.1.example', {}, 403],
    ['through a proxy on this machine', '127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }, 403],
    ['through one that says it in another way', '127.0.0.1', { forwarded: 'for=203.0.113.9' }, 403],
    ['through one that tells the scheme only', '::1', { 'x-forwarded-proto': 'https' }, 403],
    ['through one that names the client', '127.0.0.1', { 'x-real-ip': '203.0.113.9' }, 403],
    ['from a page whose name was made to lead here', '127.0.0.1', { host: 'rebind.evil.example:3000' }, 403],
    ['with a claim to be local', '203.0.113.9', { 'x-forwarded-for': '127.0.0.1' }, 403],
  ])('a sign-up %s without the set-up token', async (_, from, headers, status) => {
    const world = await openWorld({ ...unset, trustProxy: from === '203.0.113.9' }, from)
    const answer = await world.join(person('first'), headers)
    expect(answer.status).toBe(status)
    expect(await countOf(world.database)).toBe(status === 200 ? 1 : 0)
    if (status === 200) return
    expect(answer.body.error).toMatchObject({
      code: 'FORBIDDEN',
      message: 'The first account of this instance needs the setup token',
      suggestion: expect.stringContaining('waxwing user create'),
    })
    const token = tokenIn(await ensureSetupLink(world.ctx))
    expect((await world.join(person('first', token), headers)).status).toBe(200)
  })

  test('a sign-up over a real connection from this machine needs no token', async () => {
    const world = await openWorld()
    const server = reserve('127.0.0.1', 0)
    server.open(world.app)
    const join = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${server.url}/auth/signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(person('first')),
      })
    expect((await join({ 'x-forwarded-for': '127.0.0.1' })).status).toBe(403)
    expect((await join({})).status).toBe(200)
    await server.stop()
  })

  test('DISABLE_SIGNUPS=false changes nothing about that', async () => {
    const world = await openWorld({ disableSignups: false })
    expect((await world.join(person('first'))).status).toBe(403)
    const token = tokenIn(await ensureSetupLink(world.ctx))
    expect((await world.join(person('first', token))).status).toBe(200)
    expect((await world.join(person('second'))).status).toBe(200)
  })

  test('nobody from elsewhere gets in by a sign-in provider', async () => {
    const provider = startOAuthProvider()
    const world = await openWorld({ oauth: { github: { ...client, baseUrl: provider.url } } })
    const providers = networkWebhooks({ dns: world.dns, allowPrivate: true })
    const app = buildApp({ ...world.ctx, providers })
    const visit = async (): Promise<string | null> => {
      const out = await request(app, 'GET', '/oauth/github/outbound')
      const emails = [{ email: 'first@example.com', primary: true, verified: true }]
      const back = provider.consent(out.headers.get('location')!, { emails })
      const cookie = out.cookies['waxwing_oauth']
      return (await request(app, 'GET', back, { cookie })).headers.get('location')
    }
    reachedFrom(app, '203.0.113.9')
    expect(await visit()).toContain('message=closed')
    expect(await countOf(world.database)).toBe(0)
    reachedFrom(app, '127.0.0.1')
    expect(await visit()).toBe('http://localhost:3000/')
    expect(await countOf(world.database)).toBe(1)
    await provider.stop()
  })

  test('the set-up token makes the first account, verified, and then is void', async () => {
    const world = await openWorld()
    const token = tokenIn(await ensureSetupLink(world.ctx))
    expect((await world.join(person('owner', '0'.repeat(64)))).status).toBe(403)
    const made = await world.join(person('owner', token))
    expect(made.status).toBe(200)
    const me = await request(world.app, 'GET', '/users/@me', { cookie: Object.values(made.cookies)[0] })
    expect(me.body.emailVerified).toBe(true)
    expect((await world.join(person('late', token))).status).toBe(403)
    expect(await ensureSetupLink(world.ctx)).toBeUndefined()
    expect(await world.database.sql`select 1 from setup_tokens`).toHaveLength(0)
  })

  test('once the operator made one, the token makes nothing, also where sign-up is open', async () => {
    const world = await openWorld({ disableSignups: false })
    const token = tokenIn(await ensureSetupLink(world.ctx))
    await createUser(world.ctx, person('somebody'))
    expect((await world.join(person('late', token))).status).toBe(403)
  })

  test('tokens of instances that started together are all good, and only one account comes of them', async () => {
    const world = await openWorld()
    const tokens = await Promise.all(
      Array.from({ length: 3 }, async () => tokenIn(await ensureSetupLink(world.ctx))),
    )
    expect(new Set(tokens).size).toBe(3)
    const answers = await Promise.all(
      tokens.map((token, index) => world.join(person(`starter-${index}`, token))),
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 403, 403])
  })

  test('a start drops tokens older than a day, and no token is kept in the clear', async () => {
    const world = await openWorld()
    const old = tokenIn(await ensureSetupLink(world.ctx))
    world.clock.advance(day + minute)
    const fresh = tokenIn(await ensureSetupLink(world.ctx))
    const rows = await world.database.sql`select * from setup_tokens`
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(fresh)
    expect((await world.join(person('owner', old))).status).toBe(403)
    expect((await world.join(person('owner', fresh))).status).toBe(200)
  })
})

describe('once there is an account', () => {
  test('sign-up is closed unless DISABLE_SIGNUPS=false is said, also from this machine', async () => {
    const world = await openWorld(unset, '127.0.0.1')
    expect(await world.isClosed()).toBe(false)
    expect((await world.join(person('first'))).status).toBe(200)
    expect(await world.isClosed()).toBe(true)
    const second = await world.join(person('second'))
    expect([second.status, second.body.error.code]).toEqual([403, 'FORBIDDEN'])
    expect(second.body.error.suggestion).toContain('invitation')
    const again = await request(world.app, 'POST', '/auth/login', { body: person('first') })
    expect(again.status).toBe(200)
    const open = buildApp({ ...world.ctx, config: testConfig({ disableSignups: false }) })
    expect((await request(open, 'POST', '/auth/signup', { body: person('second') })).status).toBe(200)
    const config = await request(open, 'GET', '/config')
    expect(config.body.features.signup).toMatchObject({ signupsDisabled: false, isFirstAccount: false })
  })

  test('of many first sign-ups at once exactly one succeeds', async () => {
    const world = await openWorld()
    const attempts = Array.from({ length: 12 }, (_, index) =>
      // Hashes are cheap in tests, so the racers reach the database together.
      signUp(world.ctx, { ...person(`racer-${index}`), clientAddress: '', isLocal: true }).then(
        () => 200,
        error => error.status,
      ),
    )
    expect((await Promise.all(attempts)).sort()).toEqual([200, ...Array(11).fill(403)])
    expect(await countOf(world.database)).toBe(1)
  })
})

// Accounts over HTTP: signing up, signing in, and the limits on guessing.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { day, minute } from '../../src/lib/time'
import { usersRoutes } from '../../src/modules/accounts/users/routes'
import { pruneEndedSessions } from '../../src/modules/accounts/users/service'
import { buildApp } from '../../src/server/app'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { makeProject, makeUser } from '../support/make'
import { type Answer, request } from '../support/request'

const opened: TestDatabase[] = []
afterAll(() => Promise.all(opened.map(database => database.drop())))

/** An instance that has an operator; several clients reach it through a proxy. */
async function openWorld() {
  const database = await cloneDatabase({ max: 16 })
  opened.push(database)
  const { ctx, clock } = testContext(database, { trustProxy: true })
  await makeUser({ ctx })
  const app = buildApp(ctx, [usersRoutes])
  const post = (path: string, body: unknown, client = '203.0.113.1'): Promise<Answer> =>
    request(app, 'POST', path, { body, headers: { 'x-forwarded-for': client } })
  return { database, ctx, clock, app, post }
}

const password = 'correct horse battery'

/** What differs between two answers of the same meaning. */
function withoutStamps({ body }: Answer): unknown {
  const { requestId: _, ...error } = body.error
  return { ...body, error, timestamp: '' }
}

const statuses = (answers: Answer[]): number[] => answers.map(answer => answer.status).sort()

describe('signing up and in', () => {
  let world: Awaited<ReturnType<typeof openWorld>>
  beforeAll(async () => {
    world = await openWorld()
  })

  test('a sign-up answers with the account and starts a session', async () => {
    const answer = await world.post('/auth/signup', { email: ' Ada@Example.com ', password })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ success: true, data: { id: expect.any(String), email: 'ada@example.com' } })
    const cookie = answer.headers.getSetCookie()[0]
    for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=604800'])
      expect(cookie).toContain(attribute)
    expect(cookie).not.toContain('Domain')
    const me = await request(world.app, 'GET', '/users/@me', { cookie: Object.values(answer.cookies)[0] })
    expect(me.status).toBe(200)
    expect(me.body).toEqual({
      id: answer.body.data.id,
      email: 'ada@example.com',
      type: 'PASSWORD',
      emailVerified: false,
      operator: false,
      createdAt: '2026-03-01T12:00:00.000Z',
    })
  })

  test('a password is kept as an argon2id hash and nothing else', async () => {
    const { id } = (await world.post('/auth/signup', { email: 'kept@example.com', password })).body.data
    const [row] = await world.database.sql`select * from users where id = ${id}`
    expect(row!['password_hash']).toStartWith('$argon2id$')
    expect(JSON.stringify(row)).not.toContain(password)
  })

  test('an address is taken in any casing, and the account that has it stays as it is', async () => {
    await world.post('/auth/signup', { email: 'taken@example.com', password })
    const second = await world.post('/auth/signup', {
      email: 'TAKEN@example.com',
      password: 'another password',
    })
    expect(second.status).toBe(409)
    expect(second.body.error.code).toBe('CONFLICT')
    expect(second.cookies).toEqual({})
    expect((await world.post('/auth/login', { email: 'taken@example.com', password })).status).toBe(200)
  })

  test('of two sign-ups with one address at once, one gets it', async () => {
    const both = await Promise.all(
      ['race@example.com', 'Race@example.com'].map(email => world.post('/auth/signup', { email, password })),
    )
    expect(statuses(both)).toEqual([200, 409])
    const rows = await world.database.sql`select 1 from users where email = 'race@example.com'`
    expect(rows).toHaveLength(1)
  })

  test.each([
    [
      'a password of seven characters',
      { email: 'a@example.com', password: '1234567' },
      'password',
      'too_small',
    ],
    ['a password of 201', { email: 'a@example.com', password: 'x'.repeat(201) }, 'password', 'too_big'],
    ['no password', { email: 'a@example.com' }, 'password', 'invalid_type'],
    [
      'a password that is a number',
      { email: 'a@example.com', password: 12345678 },
      'password',
      'invalid_type',
    ],
    ['no address', { password }, 'email', 'invalid_type'],
    ['an address without a domain', { email: 'ada', password }, 'email', 'invalid_string'],
    ['an address with a line break', { email: 'a\r\n@example.com', password }, 'email', 'invalid_string'],
    ['an endless address', { email: `${'a'.repeat(400)}@example.com`, password }, 'email', 'too_big'],
    [
      'a set-up token of the wrong length',
      { email: 'a@example.com', password, setupToken: 'x' },
      'setupToken',
      'too_small',
    ],
  ])('sign-up refuses %s', async (_, body, field, code) => {
    const answer = await world.post('/auth/signup', body)
    expect(answer.status).toBe(422)
    expect(answer.body.error).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field, code }] })
    expect(answer.cookies).toEqual({})
  })

  test('malformed JSON is 400', async () => {
    const answer = await request(world.app, 'POST', '/auth/login', { body: '{"email":' })
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('VALIDATION_ERROR')
  })

  test('signing in works with any casing and starts a session', async () => {
    const user = await makeUser(world)
    const answer = await world.post('/auth/login', {
      email: user.email.toUpperCase(),
      password: user.password,
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ success: true, data: { id: user.id, email: user.email } })
    expect(Object.keys(answer.cookies)).toHaveLength(1)
  })

  test('a wrong password, an unknown address and an account without a password answer alike', async () => {
    const user = await makeUser(world)
    const oauth = await makeUser(world)
    await world.database
      .sql`update users set type = 'GITHUB_OAUTH', password_hash = null where id = ${oauth.id}`
    const answers = await Promise.all([
      world.post('/auth/login', { email: user.email, password: 'wrong password' }),
      world.post('/auth/login', { email: 'nobody@example.com', password }),
      world.post('/auth/login', { email: oauth.email, password: oauth.password }),
    ])
    for (const answer of answers) {
      expect(answer.status).toBe(401)
      expect(answer.body.error.code).toBe('INVALID_CREDENTIALS')
      expect(answer.cookies).toEqual({})
      expect(withoutStamps(answer)).toEqual(withoutStamps(answers[0]!))
    }
  })

  test.each(['GET', 'POST'])('%s /auth/logout ends the cookie without asking who calls', async method => {
    const answer = await request(world.app, method, '/auth/logout')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ success: true })
    expect(answer.headers.getSetCookie()[0]).toContain('Max-Age=0')
  })

  test.each(['GET', 'POST'])(
    '%s /auth/logout ends that session everywhere, and no other one',
    async method => {
      const user = await makeUser(world)
      const signIn = async () => Object.values((await world.post('/auth/login', user)).cookies)[0]!
      const [mine, other] = [await signIn(), await signIn()]
      const status = async (cookie: string) =>
        (await request(world.app, 'GET', '/users/@me', { cookie })).status
      for (let again = 0; again < 2; again++) {
        const answer = await request(world.app, method, '/auth/logout', { cookie: mine })
        expect([answer.status, await status(mine), await status(other)]).toEqual([200, 401, 200])
      }
    },
  )

  test('ended sessions are forgotten when they would be over anyway', async () => {
    const cookie = Object.values((await world.post('/auth/login', await makeUser(world))).cookies)[0]!
    await pruneEndedSessions(world.ctx)
    await request(world.app, 'POST', '/auth/logout', { cookie })
    world.clock.advance(7 * day - minute)
    await pruneEndedSessions(world.ctx)
    expect((await request(world.app, 'GET', '/users/@me', { cookie })).status).toBe(401)
    world.clock.advance(minute)
    expect(await pruneEndedSessions(world.ctx)).toBeGreaterThan(0)
  })

  test('no sign-in provider is configured', async () => {
    const answer = await request(world.app, 'GET', '/auth/oauth-config')
    expect(answer.body).toEqual({ success: true, data: { github: false, google: false } })
  })

  test('the own account needs a session: no cookie, a false one and a key are 401', async () => {
    const project = await makeProject(world)
    const attempts = [{}, { cookie: 'waxwing_session=eyJhbGciOiJub25lIn0.e30.' }, { key: project.secretKey }]
    for (const options of attempts) {
      const answer = await request(world.app, 'GET', '/users/@me', options)
      expect(answer.status).toBe(401)
      expect(answer.body.error.code).toBe('UNAUTHORIZED')
    }
  })

  test('a session ends after seven days, and when its version is over', async () => {
    const user = await makeUser(world)
    const signIn = async () => Object.values((await world.post('/auth/login', user)).cookies)[0]!
    const status = async (cookie: string) =>
      (await request(world.app, 'GET', '/users/@me', { cookie })).status
    const old = await signIn()
    world.clock.advance(7 * day - minute)
    expect(await status(old)).toBe(200)
    world.clock.advance(2 * minute)
    expect(await status(old)).toBe(401)
    const ended = await signIn()
    await world.database.sql`update users set session_version = session_version + 1 where id = ${user.id}`
    expect(await status(ended)).toBe(401)
    expect(await status(await signIn())).toBe(200)
  })
})

describe('guessing passwords', () => {
  let world: Awaited<ReturnType<typeof openWorld>>
  beforeAll(async () => {
    world = await openWorld()
  })

  const guess = (email: string, client?: string) =>
    world.post('/auth/login', { email, password: 'a wrong guess' }, client)
  async function guessTimes(count: number, email: string): Promise<void> {
    for (let index = 0; index < count; index++) expect((await guess(email)).status).toBe(401)
  }

  test('after four wrong passwords the right one signs in and the count starts anew', async () => {
    const user = await makeUser(world)
    await guessTimes(4, user.email)
    expect((await world.post('/auth/login', user)).status).toBe(200)
    await guessTimes(4, user.email)
    expect((await world.post('/auth/login', user)).status).toBe(200)
  })

  test('after five, even the right one is 429 with Retry-After, in any casing and from any client', async () => {
    const user = await makeUser(world)
    await guessTimes(5, user.email)
    for (const [email, client] of [
      [user.email, '203.0.113.1'],
      [user.email.toUpperCase(), '198.51.100.9'],
    ] as const) {
      const answer = await world.post('/auth/login', { email, password: user.password }, client)
      expect(answer.status).toBe(429)
      expect(answer.body.error.code).toBe('RATE_LIMIT_EXCEEDED')
      expect(answer.headers.get('retry-after')).toBe('900')
      expect(answer.cookies).toEqual({})
    }
  })

  test('an unknown address is limited exactly like a known one', async () => {
    await guessTimes(5, 'unknown@example.com')
    expect((await guess('unknown@example.com')).status).toBe(429)
  })

  test('further attempts do not lengthen the window', async () => {
    const user = await makeUser(world)
    await guessTimes(1, user.email)
    world.clock.advance(10 * minute)
    await guessTimes(4, user.email)
    const late = await guess(user.email)
    expect(late.status).toBe(429)
    expect(late.headers.get('retry-after')).toBe('300')
    world.clock.advance(5 * minute)
    expect((await world.post('/auth/login', user)).status).toBe(200)
  })

  test('of fifteen wrong guesses at once exactly five are evaluated', async () => {
    const user = await makeUser(world)
    const answers = await Promise.all(Array.from({ length: 15 }, () => guess(user.email)))
    expect(statuses(answers)).toEqual([...Array(5).fill(401), ...Array(10).fill(429)])
    expect((await world.post('/auth/login', user)).status).toBe(429)
  })

  test('a hundred failures over many addresses close that client and no other', async () => {
    const user = await makeUser(world)
    const client = '192.0.2.77'
    const answers = await Promise.all(
      Array.from({ length: 130 }, (_, index) => guess(`spread-${index}@example.com`, client)),
    )
    expect(answers.filter(answer => answer.status === 401)).toHaveLength(100)
    expect(answers.filter(answer => answer.status === 429)).toHaveLength(30)
    expect((await world.post('/auth/login', user, client)).status).toBe(429)
    expect((await world.post('/auth/login', user, '192.0.2.78')).status).toBe(200)
  })

  test('successful sign-ins never count against the client', async () => {
    const user = await makeUser(world)
    const client = '192.0.2.90'
    for (let index = 0; index < 110; index++)
      expect((await world.post('/auth/login', user, client)).status).toBe(200)
  })

  test('windows that are over are swept, and no address can be read from those that are not', async () => {
    await guess('swept@example.com')
    world.clock.advance(16 * minute)
    for (let index = 0; index < 20; index++) await guess(`sweeper-${index}@example.com`, `10.0.0.${index}`)
    const now = world.clock.now()
    const [count] = await world.database
      .sql`select count(*) as over from account_attempts where closes_at <= ${now}`
    expect(count).toEqual({ over: 0 })
    const rows = await world.database.sql`select * from account_attempts`
    expect(rows).toHaveLength(40)
    expect(JSON.stringify(rows)).not.toContain('sweeper')
  })
})

describe('signing up without end', () => {
  test('three hundred in an hour close that client and no other', async () => {
    const world = await openWorld()
    const [client, other] = ['192.0.2.33', '192.0.2.34']
    const signUpFrom = (name: string, from: string): Promise<Answer> =>
      world.post('/auth/signup', { email: `${name}@example.com`, password }, from)
    expect((await signUpFrom('one', client)).status).toBe(200)
    await world.database.sql`update account_attempts set failures = 299`
    expect((await signUpFrom('one', client)).status).toBe(409)
    const refused = await signUpFrom('two', client)
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect(refused.headers.get('retry-after')).toBe('3600')
    expect(refused.cookies).toEqual({})
    expect((await signUpFrom('three', other)).status).toBe(200)
    world.clock.advance(60 * minute)
    expect((await signUpFrom('two', client)).status).toBe(200)
  })
})

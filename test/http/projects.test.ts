// Projects over HTTP: who sees which of them and which secrets, changing settings, and replacing keys while they are in use.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { publicKey, secretKey } from '../../src/modules/accounts/projects/guard'
import { projectCreated } from '../../src/modules/accounts/projects/hooks'
import { projectsRoutes } from '../../src/modules/accounts/projects/routes'
import { signSession } from '../../src/modules/accounts/users/guard'
import type { Context } from '../../src/platform/context'
import { type Listener, on } from '../../src/platform/hooks'
import { buildApp } from '../../src/server/app'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { withHooks } from '../support/hooks'
import { type MadeProject, type MadeUser, makeMember, makeProject, makeUser } from '../support/make'
import { type Answer, type RequestOptions, request } from '../support/request'

let database: TestDatabase
beforeAll(async () => {
  database = await cloneDatabase({ max: 16 })
})
afterAll(() => database.drop())

function probes(ctx: Context) {
  return new Elysia()
    .use(new Elysia().use(secretKey(ctx)).get('/secret', ({ access }) => access.project.id))
    .use(new Elysia().use(publicKey(ctx)).get('/public', ({ access }) => access.project.id))
}

/** The routes under test, and one route for each kind of key to try keys on. */
function openWorld(created?: Listener<{ id: string; name: string }>) {
  const { ctx: base, clock } = testContext(database, { rateLimitPerMinute: 0 })
  const ctx = created ? withHooks(base, on(projectCreated, created)) : base
  const app = buildApp(ctx, [projectsRoutes, probes])
  const call = (method: string, path: string, options?: RequestOptions): Promise<Answer> =>
    request(app, method, path, options)
  const cookieOf = async (user: { id: string; sessionVersion?: number }) =>
    `waxwing_session=${await signSession(ctx, { userId: user.id, version: user.sessionVersion ?? 1 })}`
  return { ctx, clock, app, call, cookieOf }
}

let world: ReturnType<typeof openWorld>
beforeAll(() => {
  world = openWorld()
})

const pathOf = (project: { id: string }, action = ''): string => `/users/@me/projects/${project.id}${action}`
const keyStatus = async (path: '/public' | '/secret', key: string): Promise<number> =>
  (await world.call('GET', path, { key })).status
const storedName = async (project: MadeProject): Promise<string> =>
  (await database.sql`select name from projects where id = ${project.id}`)[0]!['name']

describe('creating and listing', () => {
  test('a new project comes with its owner, its keys and the defaults', async () => {
    const user = await makeUser(world)
    const answer = await world.call('POST', '/users/@me/projects', {
      cookie: await world.cookieOf(user),
      body: { name: 'Newsletter' },
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Newsletter',
      role: 'OWNER',
      public: expect.stringMatching(/^pk_[0-9a-f]{64}$/),
      secret: expect.stringMatching(/^sk_[0-9a-f]{64}$/),
      webhookSecret: expect.stringMatching(/^whsec_/),
      disabled: false,
      disabledReason: null,
      tracking: 'ENABLED',
      language: 'en',
      defaultSender: null,
      keepsOptOuts: false,
      keepsClients: false,
      offersData: true,
      timeZone: null,
      timeZoneField: null,
      quietHours: null,
      mailCap: null,
      approvalRequired: false,
      sendDelaySeconds: 60,
      secondFactorRequired: false,
      createdAt: '2026-03-01T12:00:00.000Z',
      updatedAt: '2026-03-01T12:00:00.000Z',
    })
    expect(await keyStatus('/public', answer.body.public)).toBe(200)
    expect(await keyStatus('/secret', answer.body.secret)).toBe(200)
  })

  test('no key and no webhook secret is stored in the clear', async () => {
    const user = await makeUser(world)
    const { body } = await world.call('POST', '/users/@me/projects', {
      cookie: await world.cookieOf(user),
      body: { name: 'Kept' },
    })
    const stored = JSON.stringify(await database.sql`select * from projects where id = ${body.id}`)
    for (const secret of [body.public, body.secret, body.webhookSecret])
      expect(stored).not.toContain(secret.slice(6))
  })

  test('what other modules add to a new project is part of its making', async () => {
    const seen: string[] = []
    const hooked = openWorld(async (tx, project) => void seen.push(`${project.name} ${'begin' in tx.sql}`))
    const cookie = await hooked.cookieOf(await makeUser(hooked))
    await hooked.call('POST', '/users/@me/projects', { cookie, body: { name: 'Hooked' } })
    expect(seen).toEqual(['Hooked false'])
  })

  test('when that fails there is no project', async () => {
    const failing = openWorld(() => Promise.reject(new Error('no domain')))
    const cookie = await failing.cookieOf(await makeUser(failing))
    const answer = await failing.call('POST', '/users/@me/projects', { cookie, body: { name: 'Half made' } })
    expect(answer.status).toBe(500)
    expect(JSON.stringify(answer.body)).not.toContain('no domain')
    expect(await database.sql`select 1 from projects where name = 'Half made'`).toHaveLength(0)
  })

  test.each([
    ['no name', {}, 'invalid_type'],
    ['an empty name', { name: '' }, 'too_small'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'too_big'],
    ['a name that is a number', { name: 7 }, 'invalid_type'],
    ['a zero-width space', { name: 'Pay\u200bPal' }, 'invalid_string'],
    ['a bidi override', { name: 'gnp\u202e.exe' }, 'invalid_string'],
    ['decorative letters', { name: '𝐏𝐚𝐲𝐏𝐚𝐥' }, 'invalid_string'],
  ])('%s is 422 at name', async (_, body, code) => {
    const user = await makeUser(world)
    const cookie = await world.cookieOf(user)
    const answer = await world.call('POST', '/users/@me/projects', { cookie, body })
    expect(answer.status).toBe(422)
    expect(answer.body.error.errors).toMatchObject([{ field: 'name', code }])
    expect((await world.call('GET', '/users/@me/projects', { cookie })).body).toEqual([])
  })

  test('a list shows the own projects in the order of joining, a MEMBER without secrets', async () => {
    const own = await makeProject(world, { name: 'Own' })
    const user = { id: own.ownerId }
    world.clock.advance(1_000)
    const admined = await makeProject(world, { name: 'As admin' })
    const joined = await makeProject(world, { name: 'As member' })
    await makeMember(world, admined.id, 'ADMIN', user as MadeUser)
    world.clock.advance(1_000)
    await makeMember(world, joined.id, 'MEMBER', user as MadeUser)
    await makeProject(world, { name: 'Foreign' })
    const { status, body } = await world.call('GET', '/users/@me/projects', {
      cookie: await world.cookieOf(user),
    })
    expect(status).toBe(200)
    expect(body).toMatchObject([
      { id: own.id, role: 'OWNER', public: own.publicKey, secret: own.secretKey },
      { id: admined.id, role: 'ADMIN', public: admined.publicKey, secret: admined.secretKey },
      { id: joined.id, role: 'MEMBER', public: joined.publicKey },
    ])
    expect(body[2]).not.toHaveProperty('secret')
    expect(body[2]).not.toHaveProperty('webhookSecret')
  })

  test.each([
    ['GET', undefined],
    ['POST', { name: 'x' }],
  ])('%s takes a session: without one, and with a key, it is 401', async (method, body) => {
    const project = await makeProject(world)
    for (const options of [{ body }, { body, key: project.secretKey }]) {
      const answer = await world.call(method, '/users/@me/projects', options)
      expect(answer.status).toBe(401)
      expect(answer.body.error.code).toBe('UNAUTHORIZED')
    }
  })

  test('a user owns at most MAX_PROJECTS_PER_USER, however many are asked for at once', async () => {
    const { ctx } = testContext(database, { rateLimitPerMinute: 0, maxProjectsPerUser: 3 })
    const app = buildApp(ctx, [projectsRoutes])
    const user = await makeUser({ ctx })
    await makeMember({ ctx }, (await makeProject({ ctx })).id, 'ADMIN', user)
    const cookie = await world.cookieOf(user)
    const make = () => request(app, 'POST', '/users/@me/projects', { cookie, body: { name: 'One more' } })
    const answers = await Promise.all(Array.from({ length: 8 }, make))
    expect(answers.filter(answer => answer.status === 201)).toHaveLength(3)
    const refused = answers.filter(answer => answer.status === 403)
    expect(refused).toHaveLength(5)
    expect(refused[0]!.body.error.suggestion).toContain('MAX_PROJECTS_PER_USER')
    await database.sql`delete from memberships where user_id = ${user.id} and role = 'OWNER'
      and project_id = (select project_id from memberships where user_id = ${user.id} and role = 'OWNER' limit 1)`
    expect((await make()).status).toBe(201)
  })

  test('a name that mail programs would make a link of is 422', async () => {
    const cookie = await world.cookieOf(await makeUser(world))
    const body = { name: 'Verify at evil.com/login' }
    const answer = await world.call('POST', '/users/@me/projects', { cookie, body })
    expect([answer.status, answer.body.error.errors[0].field]).toEqual([422, 'name'])
    const project = await makeProject(world)
    const renamed = await world.call('PATCH', pathOf(project), { key: project.secretKey, body })
    expect(renamed.status).toBe(422)
  })

  test('a change that says what it is based on is 409 once somebody else was quicker', async () => {
    const project = await makeProject(world)
    const key = project.secretKey
    const change = (body: object) => {
      world.clock.advance(1)
      return world.call('PATCH', pathOf(project), { key, body })
    }
    const read = async () => (await change({})).body
    const { updatedAt } = await read()
    expect((await change({ language: 'fr', expectedUpdatedAt: updatedAt })).status).toBe(200)
    const late = await change({ name: 'Mine', expectedUpdatedAt: updatedAt })
    expect([late.status, late.body.error.code]).toEqual([409, 'CONFLICT'])
    expect(await read()).toMatchObject({ name: 'Test project', language: 'fr' })
    const again = await change({ name: 'Mine', expectedUpdatedAt: (await read()).updatedAt })
    expect([again.status, again.body.name]).toEqual([200, 'Mine'])
    expect((await change({ name: 'Late' })).status).toBe(200)
    const wrong = await change({ name: 'Mine', expectedUpdatedAt: 'yesterday' })
    expect([wrong.status, wrong.body.error.errors[0].field]).toEqual([422, 'expectedUpdatedAt'])
  })

  test('a member of a disabled project may not make another', async () => {
    const disabled = await makeProject(world)
    await database.sql`update projects set disabled = true, disabled_reason = 'EMAIL_REPUTATION' where id = ${disabled.id}`
    const member = await makeMember(world, disabled.id, 'MEMBER')
    const answer = await world.call('POST', '/users/@me/projects', {
      cookie: await world.cookieOf(member),
      body: { name: 'Fresh start' },
    })
    expect(answer.status).toBe(403)
    expect(answer.body.error.code).toBe('PROJECT_DISABLED')
  })
})

describe('settings', () => {
  test('an owner, an admin and the secret key change what they name, and the rest stays', async () => {
    const project = await makeProject(world, { name: 'Before' })
    const admin = await makeMember(world, project.id, 'ADMIN')
    const owner = await world.cookieOf({ id: project.ownerId })
    world.clock.advance(5_000)
    const steps: [RequestOptions, object, string][] = [
      [{ cookie: owner }, { name: 'After' }, 'OWNER'],
      [{ cookie: await world.cookieOf(admin) }, { tracking: 'MARKETING_ONLY' }, 'ADMIN'],
      [{ key: project.secretKey }, { language: 'pt-BR' }, 'ADMIN'],
    ]
    for (const [options, body, role] of steps) {
      const answer = await world.call('PATCH', pathOf(project), { ...options, body })
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ ...body, role, updatedAt: world.clock.now().toISOString() })
    }
    const [listed] = (await world.call('GET', '/users/@me/projects', { cookie: owner })).body
    expect(listed).toMatchObject({
      name: 'After',
      tracking: 'MARKETING_ONLY',
      language: 'pt-BR',
      secret: project.secretKey,
    })
  })

  test.each([
    ['a bad name', { name: 'a\u200bb', tracking: 'DISABLED' }, 'name'],
    ['an unknown tracking', { name: 'New', tracking: 'SOMETIMES' }, 'tracking'],
    ['a language in capitals', { name: 'New', language: 'EN' }, 'language'],
    ['a language with a line break', { name: 'New', language: 'en\n' }, 'language'],
    ['a null', { name: null }, 'name'],
  ])('%s is 422 and changes nothing', async (_, body, field) => {
    const project = await makeProject(world, { name: 'Unchanged' })
    const answer = await world.call('PATCH', pathOf(project), { key: project.secretKey, body })
    expect(answer.status).toBe(422)
    expect(answer.body.error.errors[0].field).toBe(field)
    const rows = await database.sql`select name, tracking, language from projects where id = ${project.id}`
    expect([...rows]).toEqual([{ name: 'Unchanged', tracking: 'ENABLED', language: 'en' }])
  })

  test('a disabled project can still be renamed and its keys replaced', async () => {
    const project = await makeProject(world)
    await database.sql`update projects set disabled = true where id = ${project.id}`
    const { secretKey: key } = project
    expect((await world.call('PATCH', pathOf(project), { key, body: { name: 'Renamed' } })).status).toBe(200)
    expect((await world.call('POST', pathOf(project, '/regenerate-keys'), { key })).status).toBe(200)
  })
})

describe('who may act on a project', () => {
  const actions: [string, string, unknown][] = [
    ['PATCH', '', { name: 'Taken over' }],
    ['POST', '/regenerate-keys', undefined],
    ['POST', '/rotate-webhook-secret', undefined],
  ]

  test.each(actions)('%s %s: refusals by caller', async (method, action, body) => {
    const project = await makeProject(world, { name: 'Mine' })
    const other = await makeProject(world)
    const stranger = await world.cookieOf(await makeUser(world))
    const member = await world.cookieOf(await makeMember(world, project.id, 'MEMBER'))
    const callers: [RequestOptions, number, string][] = [
      [{}, 401, 'MISSING_AUTH'],
      [{ key: project.publicKey }, 401, 'INVALID_API_KEY'],
      [{ key: `sk_${'0'.repeat(64)}` }, 401, 'INVALID_API_KEY'],
      [{ key: other.secretKey }, 404, 'RESOURCE_NOT_FOUND'],
      [{ cookie: stranger }, 404, 'RESOURCE_NOT_FOUND'],
      [{ cookie: member }, 403, 'FORBIDDEN'],
    ]
    for (const [options, status, code] of callers) {
      const answer = await world.call(method, pathOf(project, action), { ...options, body })
      expect([answer.status, answer.body.error.code]).toEqual([status, code])
      expect(JSON.stringify(answer.body)).not.toContain(project.secretKey)
    }
    expect(await storedName(project)).toBe('Mine')
    expect(await keyStatus('/secret', project.secretKey)).toBe(200)
  })

  test.each(actions)(
    '%s %s: a path that is no UUID is 422, an unknown one 404',
    async (method, action, body) => {
      const { secretKey: key } = await makeProject(world)
      expect((await world.call(method, pathOf({ id: 'mine' }, action), { key, body })).status).toBe(422)
      const unknown = { id: '01900000-0000-7000-8000-000000000000' }
      expect((await world.call(method, pathOf(unknown, action), { key, body })).status).toBe(404)
    },
  )
})

describe('keys', () => {
  test('a key opens only what its prefix says', async () => {
    const project = await makeProject(world)
    expect(await keyStatus('/secret', project.publicKey)).toBe(401)
    expect(await keyStatus('/public', project.secretKey)).toBe(401)
    expect(await keyStatus('/secret', project.secretKey.toUpperCase())).toBe(401)
    expect(await keyStatus('/secret', project.secretKey.replace('sk_', 'pk_'))).toBe(401)
  })

  test('regenerating replaces both keys at once, and the webhook secret stays', async () => {
    const project = await makeProject(world)
    const cookie = await world.cookieOf({ id: project.ownerId })
    const before = (await world.call('GET', '/users/@me/projects', { cookie })).body[0]
    const { status, body } = await world.call('POST', pathOf(project, '/regenerate-keys'), { cookie })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, public: body.public, secret: body.secret, updatedAt: body.updatedAt })
    expect(await keyStatus('/public', project.publicKey)).toBe(401)
    expect(await keyStatus('/secret', project.secretKey)).toBe(401)
    expect(await keyStatus('/public', body.public)).toBe(200)
    expect(await keyStatus('/secret', body.secret)).toBe(200)
  })

  test('a key that is replaced while it is in use never works after the answer', async () => {
    const project = await makeProject(world)
    let answered = false
    const late: number[] = []
    const user = async () => {
      for (let index = 0; index < 60; index++) {
        const startedAfter = answered
        const status = await keyStatus('/secret', project.secretKey)
        if (startedAfter) late.push(status)
      }
    }
    const replace = async () => {
      const answer = await world.call('POST', pathOf(project, '/regenerate-keys'), { key: project.secretKey })
      answered = true
      return answer
    }
    const [answer] = await Promise.all([replace(), user(), user(), user()])
    expect(answer.status).toBe(200)
    expect(late.length).toBeGreaterThan(0)
    expect(late.every(status => status === 401)).toBe(true)
    expect(await keyStatus('/secret', answer.body.secret)).toBe(200)
  })

  test('of keys regenerated at once exactly one pair is left, and it belongs together', async () => {
    const project = await makeProject(world)
    const cookie = await world.cookieOf({ id: project.ownerId })
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => world.call('POST', pathOf(project, '/regenerate-keys'), { cookie })),
    )
    const alive = []
    for (const { body } of answers)
      alive.push([await keyStatus('/public', body.public), await keyStatus('/secret', body.secret)].join())
    expect(alive.sort()).toEqual(['200,200', ...Array(5).fill('401,401')])
  })

  test('rotating the webhook secret replaces it and nothing else', async () => {
    const project = await makeProject(world)
    const cookie = await world.cookieOf({ id: project.ownerId })
    const before = (await world.call('GET', '/users/@me/projects', { cookie })).body[0]
    const { body } = await world.call('POST', pathOf(project, '/rotate-webhook-secret'), { cookie })
    expect(body.webhookSecret).toMatch(/^whsec_/)
    expect(body.webhookSecret).not.toBe(before.webhookSecret)
    expect(body).toEqual({ ...before, webhookSecret: body.webhookSecret })
    expect(await keyStatus('/secret', project.secretKey)).toBe(200)
  })
})

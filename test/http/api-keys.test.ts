// Keys beside the pair: what each may do, from where, until when, and how it ends. Which scope opens which route is the test of the
// role matrix.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTransport } from 'nodemailer'
import { day, hour, minute, second } from '../../src/lib/time'
import { noteKeyUses } from '../../src/modules/accounts/projects/queries'
import { buildApp } from '../../src/server/app'
import { makeMember } from '../support/make'
import { type Answer, type RequestOptions, request } from '../support/request'
import { openSubmission } from '../support/submission'
import { until } from '../support/until'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let app: ReturnType<typeof buildApp>
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
afterAll(() => world.close())

const call = (method: string, path: string, options: RequestOptions = {}): Promise<Answer> =>
  request(app, method, path, { key: world.project.secretKey, ...options })
const keysOf = (project = world.project): string => `/projects/${project.id}/api-keys`

async function make(body: object = {}, project = world.project): Promise<{ id: string; key: string }> {
  const answer = await call('POST', keysOf(project), {
    key: project.secretKey,
    body: { name: 'Shop', scopes: ['send'], ...body },
  })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body
}

const letter = { to: 'ada@example.com', from: sender, subject: 'Hello', body: '<p>Hello</p>' }
const send = (key: string, body: object = {}) =>
  call('POST', '/v1/send', { key, body: { ...letter, ...body } })
const listed = async (project = world.project) =>
  (await call('GET', keysOf(project), project.secretKey ? { key: project.secretKey } : {})).body

describe('making one', () => {
  test('tells it once, keeps its hash, and notes it without telling it', async () => {
    const project = await world.newProject()
    const answer = await call('POST', keysOf(project), {
      key: project.secretKey,
      body: { name: ' Shop ', scopes: ['track', 'send', 'send'] },
    })
    expect(answer.status).toBe(201)
    const { key, ...shown } = answer.body
    expect(key).toMatch(/^wk_[0-9a-f]{64}$/)
    expect(shown).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Shop',
      kind: 'NAMED',
      start: key.slice(0, 11),
      scopes: ['send', 'track'],
      domains: null,
      expiresAt: null,
      lastUsedAt: null,
      createdAt: world.clock.now().toISOString(),
    })
    expect(await listed(project)).toEqual([shown])
    const log = (await call('GET', `/projects/${project.id}/audit-log`, { key: project.secretKey })).body
    expect(log.data[0]).toMatchObject({
      action: 'key.created',
      subject: shown.start,
      details: { name: 'Shop', scopes: 'send track', domains: null, expiresAt: null },
    })
    const rows = await world.ctx.sql`select * from api_keys where project_id = ${project.id}`
    for (const text of [JSON.stringify(rows), JSON.stringify(log), JSON.stringify(await listed(project))])
      expect(text).not.toContain(key.slice(11))
  })

  test.each<[string, object, string, string]>([
    ['no name', { name: undefined }, 'name', 'invalid_type'],
    ['a name of spaces', { name: '  ' }, 'name', 'too_small'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name', 'too_big'],
    ['no scopes', { scopes: undefined }, 'scopes', 'invalid_type'],
    ['an empty list of scopes', { scopes: [] }, 'scopes', 'too_small'],
    ['a scope that is none', { scopes: ['admin'] }, 'scopes.0', 'invalid_enum_value'],
    ['a domain that is none', { domains: ['acme.example', 'a b'] }, 'domains.1', 'invalid_string'],
    ['no domain', { domains: [] }, 'domains', 'too_small'],
    [
      'domains of a key that may not send',
      { scopes: ['read'], domains: ['acme.example'] },
      'domains',
      'custom',
    ],
    [
      'domains of a key that may write',
      { scopes: ['send', 'write'], domains: ['a.example'] },
      'domains',
      'custom',
    ],
    ['an end that is no date', { expiresAt: 'soon' }, 'expiresAt', 'invalid_string'],
    ['an end in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt', 'invalid_string'],
    ['an end in the far future', { expiresAt: '+200000-01-01T00:00:00Z' }, 'expiresAt', 'invalid_string'],
  ])('%s is 422', async (_, body, field, code) => {
    const answer = await call('POST', keysOf(), { body: { name: 'Shop', scopes: ['send'], ...body } })
    expect([answer.status, answer.body.error?.errors]).toEqual([
      422,
      [expect.objectContaining({ field, code })],
    ])
  })

  test('a project has 100 at most, however many are asked for at once', async () => {
    const project = await world.newProject()
    for (let n = 0; n < 97; n++) await make({ name: `Key ${n}` }, project)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        call('POST', keysOf(project), { key: project.secretKey, body: { name: 'K', scopes: ['read'] } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409])
    const rotated = await call('POST', `/users/@me/projects/${project.id}/regenerate-keys`, {
      key: project.secretKey,
      body: { overlapHours: 1 },
    })
    expect(rotated.status).toBe(409)
  })
})

describe('who may see and make them', () => {
  test('administrators of the project, and no other project', async () => {
    const { id } = await make({}, world.project)
    const member = await makeMember(world, world.project.id, 'MEMBER')
    const { signSession } = await import('../../src/modules/accounts/users/guard')
    const cookie = `waxwing_session=${await signSession(world.ctx, { userId: member.id, version: 1 })}`
    const other = await world.newProject()
    const named = (await make({ scopes: ['send', 'track', 'read', 'write'] })).key
    const callers: [RequestOptions, number][] = [
      [{ key: undefined, cookie }, 403],
      [{ key: other.secretKey }, 404],
      [{ key: world.project.publicKey }, 401],
      [{ key: named }, 403],
    ]
    for (const [options, status] of callers) {
      const body = { name: 'K', scopes: ['send'] }
      expect((await call('GET', keysOf(), options)).status).toBe(status)
      expect((await call('POST', keysOf(), { ...options, body })).status).toBe(status)
      expect((await call('DELETE', `${keysOf()}/${id}`, options)).status).toBe(status)
    }
    const across = await call('DELETE', `${keysOf(other)}/${id}`, { key: other.secretKey })
    expect([across.status, across.body.error.code]).toEqual([404, 'RESOURCE_NOT_FOUND'])
    expect((await listed()).some((key: { id: string }) => key.id === id)).toBe(true)
  })

  test('one that reads sees the project, and none of its secrets', async () => {
    const { key } = await make({ scopes: ['read', 'write'] })
    for (const path of ['/projects', `/projects/${world.project.id}`]) {
      const { status, body } = await call('GET', path, { key })
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toContain(world.project.secretKey)
      expect(JSON.stringify(body)).not.toContain('whsec_')
    }
  })
})

describe('sending', () => {
  test('one that may only send sends, and is told what else would take', async () => {
    const { key } = await make()
    expect((await send(key)).status).toBe(200)
    const { status, body } = await call('GET', '/contacts', { key })
    expect([status, body.success, body.error]).toEqual([
      403,
      false,
      expect.objectContaining({
        code: 'FORBIDDEN',
        message: 'This needs a key with the scope read',
        details: { needed: ['read'], scopes: ['send'] },
      }),
    ])
  })

  test('one that is bound sends from its domains alone: single, batched, by a template', async () => {
    const project = world.project
    for (const domain of ['other.example', 'bound.example', 'news.bound.example'])
      await call('POST', '/domains', { body: { projectId: project.id, domain } })
    const { key } = await make({ scopes: ['send', 'read'], domains: ['Bound.Example.'] })
    const from = async (address: string) => (await send(key, { from: address })).status
    expect(await from('a@bound.example')).toBe(200)
    expect(await from('a@BOUND.example')).toBe(200)
    expect(await from('a@news.bound.example')).toBe(403)
    const refused = await send(key, { from: 'a@other.example' })
    expect([refused.status, refused.body.error]).toEqual([
      403,
      expect.objectContaining({ code: 'FORBIDDEN', details: { domains: ['bound.example'] } }),
    ])
    const template = (
      await call('POST', '/templates', {
        body: { name: 'T', subject: 'S', body: 'B', from: 'a@other.example' },
      })
    ).body.id
    const byTemplate = { to: 'ada@example.com', template }
    expect((await call('POST', '/v1/send', { key, body: byTemplate })).status).toBe(403)
    const messages = [
      { ...letter, from: 'a@bound.example' },
      { ...letter, from: 'a@other.example' },
    ]
    const batch = await call('POST', '/v1/send/batch', { key, body: { messages } })
    expect(batch.body.data.results.map((one: { statusCode: number }) => one.statusCode)).toEqual([200, 403])
    const [count] = await world.ctx.sql`
      select count(*)::int as found from emails where project_id = ${project.id} and from_email like '%@other.example'`
    expect(count!['found']).toBe(0)
  })

  test('by SMTP: with the scope, from the domains, and not after its end', async () => {
    const submission = await openSubmission(world)
    const from = async (key: string, address = sender): Promise<string> => {
      const transport = createTransport({
        ...{ host: '127.0.0.1', port: submission.port, ignoreTLS: true },
        auth: { user: 'any', pass: key },
      })
      return await transport.sendMail({ from: address, to: 'ada@example.com', subject: 'S', text: 'T' }).then(
        ({ response }) => response.slice(0, 3),
        (error: { responseCode: number }) => String(error.responseCode),
      )
    }
    try {
      const bound = await make({ domains: ['bound.example'], expiresAt: '2026-03-01T13:00:00Z' })
      expect(await from((await make()).key)).toBe('250')
      expect(await from((await make({ scopes: ['track', 'read', 'write'] })).key)).toBe('550')
      expect(await from(bound.key, 'a@bound.example')).toBe('250')
      expect(await from(bound.key)).toBe('550')
      await call('DELETE', `${keysOf()}/${bound.id}`)
      expect(await from(bound.key, 'a@bound.example')).toBe('535')
    } finally {
      await submission.stop()
    }
  })
})

describe('writing', () => {
  test('one that may not send can draw a workflow, and not switch it on', async () => {
    const [writer, both] = [await make({ scopes: ['write'] }), await make({ scopes: ['write', 'send'] })]
    const body = { name: 'Welcome', eventName: 'seen' }
    const drawn = await call('POST', '/workflows', { key: writer.key, body })
    const change = (key: string, enabled: boolean) =>
      call('PATCH', `/workflows/${drawn.body.id}`, { key, body: { enabled } })
    const refused = await change(writer.key, true)
    expect(refused.status).toBe(403)
    expect(refused.body.error.details).toEqual({ needed: ['send'], scopes: ['write'] })
    expect((await change(both.key, true)).status).toBe(200)
    expect((await change(writer.key, false)).status).toBe(200)
  })
})

describe('tracking', () => {
  test('one that may track does what the public key does, and takes from its budget; others have their own', async () => {
    const { key } = await make({ scopes: ['track'] })
    const body = { email: 'ada@example.com', event: 'seen' }
    expect((await call('POST', '/v1/track', { key, body })).status).toBe(200)
    expect((await call('POST', '/v1/track', { key: (await make()).key, body })).status).toBe(403)
    const limited = { ...world.ctx, config: { ...world.ctx.config, rateLimitPerMinute: 3 } }
    const narrow = buildApp(limited)
    const remaining = async (path: string, as: string, what: object) =>
      (await request(narrow, 'POST', path, { key: as, body: what })).headers.get('ratelimit-remaining')
    expect(await remaining('/v1/track', key, body)).toBe('2')
    expect(await remaining('/v1/track', world.project.publicKey, body)).toBe('1')
    const [one, two] = [await make(), await make()]
    expect(await remaining('/v1/send', one.key, letter)).toBe('1')
    expect(await remaining('/v1/send', one.key, letter)).toBe('0')
    expect(await remaining('/v1/send', two.key, letter)).toBe('1')
    expect(await remaining('/v1/send', world.project.secretKey, letter)).toBe('2')
    const over = await request(narrow, 'POST', '/v1/send', { key: one.key, body: letter })
    expect(over.status).toBe(429)
  })
})

describe('its end', () => {
  test('comes at the moment that was chosen, with a word why', async () => {
    const expiresAt = new Date(world.clock.now().getTime() + hour).toISOString()
    const { key, id } = await make({ expiresAt })
    world.clock.advance(hour - second)
    expect((await send(key)).status).toBe(200)
    world.clock.advance(second)
    const { status, body } = await send(key)
    expect([status, body.error.code, body.error.message]).toEqual([
      401,
      'INVALID_API_KEY',
      'The API key has expired',
    ])
    expect((await listed()).find((one: { id: string }) => one.id === id)).toMatchObject({ expiresAt })
  })

  test('of one that is revoked comes with the answer, for every process, and for this one alone', async () => {
    const [one, other] = [await make(), await make()]
    const second = buildApp({ ...world.ctx })
    const there = (key: string) => request(second, 'POST', '/v1/send', { key, body: letter })
    expect((await there(one.key)).status).toBe(200)
    expect((await call('DELETE', `${keysOf()}/${one.id}`)).status).toBe(204)
    expect((await there(one.key)).status).toBe(401)
    expect((await send(one.key)).status).toBe(401)
    expect((await send(other.key)).status).toBe(200)
    expect((await call('DELETE', `${keysOf()}/${one.id}`)).status).toBe(404)
    const log = (await call('GET', `/projects/${world.project.id}/audit-log?action=key.revoked`)).body.data
    expect(log[0]).toMatchObject({ subject: one.key.slice(0, 11), details: { name: 'Shop' } })
  })

  test('a deleted project takes its keys along, a reset leaves them', async () => {
    const project = await world.newProject()
    const { key } = await make({ scopes: ['send', 'read'] }, project)
    await call('POST', `/users/@me/projects/${project.id}/reset`, { key: project.secretKey })
    await world.drain()
    expect((await call('GET', '/contacts', { key })).status).toBe(200)
    await call('DELETE', `/users/@me/projects/${project.id}`, { key: project.secretKey })
    expect((await call('GET', '/contacts', { key })).status).toBe(401)
    await world.drain()
    expect(await world.ctx.sql`select from api_keys where project_id = ${project.id}`).toHaveLength(0)
  })
})

describe('its last use', () => {
  const stored = async (id: string): Promise<string | null> =>
    (await listed()).find((key: { id: string }) => key.id === id).lastUsedAt

  test('is written beside the request, once a minute', async () => {
    const { key, id } = await make({ scopes: ['read'] })
    const use = () => call('GET', '/contacts', { key })
    const first = world.clock.now().toISOString()
    await use()
    await until('the first use is written', async () => (await stored(id)) === first)
    world.clock.advance(59 * second)
    await use()
    // What would have been written is written by the time that another one is.
    const other = await make({ scopes: ['read'] })
    await call('GET', '/contacts', { key: other.key })
    await until('a later use is written', async () => (await stored(other.id)) !== null)
    expect(await stored(id)).toBe(first)
    world.clock.advance(2 * second)
    await use()
    await until(
      'the next minute is written',
      async () => (await stored(id)) === world.clock.now().toISOString(),
    )
  })

  test('is not moved by one who comes with an older reading', async () => {
    const { key, id } = await make({ scopes: ['read'] })
    await call('GET', '/contacts', { key })
    await until('the use is written', async () => (await stored(id)) !== null)
    const before = await stored(id)
    world.clock.advance(10 * second)
    const aMinuteAgo = new Date(world.clock.now().getTime() - minute)
    await noteKeyUses(world.ctx, [{ projectId: world.project.id, id }], aMinuteAgo)
    expect(await stored(id)).toBe(before)
  })
})

describe('replacing the pair', () => {
  const rotate = (project: { id: string }, key: string, body?: object) =>
    call('POST', `/users/@me/projects/${project.id}/regenerate-keys`, { key, body })
  const works = async (secret: string, publicKey: string): Promise<string> => {
    const track = { email: 'ada@example.com', event: 'seen' }
    const one = await call('GET', '/contacts', { key: secret })
    const two = await call('POST', '/v1/track', { key: publicKey, body: track })
    return `${one.status} ${two.status}`
  }

  test('with an overlap lets the old one work until then, as it did, and shows it', async () => {
    const project = await world.newProject()
    const { body } = await rotate(project, project.secretKey, { overlapHours: 24 })
    expect(await works(body.secret, body.public)).toBe('200 200')
    expect(await works(project.secretKey, project.publicKey)).toBe('200 200')
    expect(await works(project.publicKey, project.secretKey)).toBe('401 401')
    const until = new Date(world.clock.now().getTime() + day).toISOString()
    expect(await listed({ ...project, secretKey: body.secret })).toMatchObject([
      { kind: 'SECRET', start: project.secretKey.slice(0, 11), scopes: [], expiresAt: until },
      { kind: 'PUBLIC', start: project.publicKey.slice(0, 11), scopes: [], expiresAt: until },
    ])
    world.clock.advance(day)
    expect(await works(project.secretKey, project.publicKey)).toBe('401 401')
    expect(await listed({ ...project, secretKey: body.secret })).toEqual([])
    expect(await works(body.secret, body.public)).toBe('200 200')
  })

  test('the old ones can be ended before, each alone, and their rows go', async () => {
    const project = await world.newProject()
    const { body } = await rotate(project, project.secretKey, { overlapHours: 1 })
    const [secret] = await listed({ ...project, secretKey: body.secret })
    await call('DELETE', `${keysOf(project)}/${secret.id}`, { key: body.secret })
    expect(await works(project.secretKey, project.publicKey)).toBe('401 200')
    world.clock.advance(2 * hour)
    const { projectKinds } = await import('../../src/modules/accounts/projects/kinds')
    const { enqueue } = await import('../../src/platform/jobs/enqueue')
    await enqueue(world.ctx, projectKinds.clean, {})
    await world.drain()
    expect(await world.ctx.sql`select from api_keys where project_id = ${project.id}`).toHaveLength(0)
  })

  test('without one ends all before it, and leaves keys with scopes alone', async () => {
    const project = await world.newProject()
    const named = await make({ scopes: ['read'] }, project)
    const first = await rotate(project, project.secretKey, { overlapHours: 24 })
    const second = await rotate(project, project.secretKey, {})
    expect(await works(project.secretKey, project.publicKey)).toBe('401 401')
    expect(await works(first.body.secret, first.body.public)).toBe('401 401')
    expect(await works(second.body.secret, second.body.public)).toBe('200 200')
    expect((await call('GET', '/contacts', { key: named.key })).status).toBe(200)
  })

  test.each([[{ overlapHours: -1 }], [{ overlapHours: 2_161 }], [{ overlapHours: 'a day' }]])(
    '%j is 422, and the keys stay',
    async body => {
      expect((await rotate(world.project, world.project.secretKey, body)).status).toBe(422)
      expect((await call('GET', '/contacts')).status).toBe(200)
    },
  )
})

// What every route inherits: ids, errors, origin rules, body bounds, guards. Probe routes stand in for the modules.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { type AnyElysia, Elysia } from 'elysia'
import { makeApplication } from '../../src/http/application'
import { AppError, shortBadRequest } from '../../src/lib/errors'
import { day } from '../../src/lib/time'
import { ownProject, projectAccess, publicKey, secretKey } from '../../src/modules/accounts/projects/guard'
import { clearSession, session, setSession, signSession } from '../../src/modules/accounts/users/guard'
import type { Context } from '../../src/platform/context'
import type { Logger } from '../../src/platform/log'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { type MadeProject, type MadeUser, makeProject, makeUser } from '../support/make'
import { request } from '../support/request'
import { until } from '../support/until'

let database: TestDatabase
let world: ReturnType<typeof testContext>
let ctx: Context
let app: AnyElysia
let user: MadeUser
let project: MadeProject
let other: MadeProject
let cookie: string
const lines: string[] = []

const collecting: Logger = {
  debug: (fields, message) => void lines.push(JSON.stringify({ level: 'debug', ...fields, message })),
  info: (fields, message) => void lines.push(JSON.stringify({ level: 'info', ...fields, message })),
  warn: (fields, message) => void lines.push(JSON.stringify({ level: 'warn', ...fields, message })),
  error: (fields, message) => void lines.push(JSON.stringify({ level: 'error', ...fields, message })),
  child: () => collecting,
}

const anything = Type.Record(Type.String(), Type.Unknown())

function openRoutes(ctx: Context) {
  return new Elysia({ prefix: '/open' })
    .post('/json', ({ body }) => body, {
      body: Type.Object({ n: Type.Integer(), data: Type.Optional(anything) }),
    })
    .post('/raw', async ({ request }) => ({ length: (await request.text()).length }), { parse: 'none' })
    .post('/text', ({ body }) => ({ body }), { parse: 'text' })
    .get('/find', ({ query }) => ({ q: query['q'] }))
    .get('/boom', () => {
      throw new Error('the secret /etc/passwd at db.internal')
    })
    .get('/full', () => {
      throw new AppError(503, 'SERVICE_UNAVAILABLE', 'Too much at once', { byClient: true })
    })
    .get('/gone', () => {
      throw new DOMException('The connection was closed.', 'AbortError')
    })
    .get('/short', () => {
      throw shortBadRequest('Name is required')
    })
    .get('/sql', async () => await ctx.sql`select * from no_such_table where email = ${'ada@example.com'}`)
    .get('/nul', async () => await ctx.sql`select ${'a\0b'}::text as text`)
    .get('/answer', () => ({ right: 'no' }) as never, { response: Type.Object({ right: Type.Boolean() }) })
    .post('/sign-in', async ({ cookie }) => {
      await setSession(ctx, cookie, { userId: user.id, version: user.sessionVersion })
      return 'in'
    })
    .post('/sign-out', ({ cookie }) => {
      clearSession(ctx, cookie)
      return 'out'
    })
    .delete('/thing', ({ status }) => status(204, undefined))
}

const keyed = (ctx: Context) =>
  new Elysia({ prefix: '/v1' })
    .use(new Elysia().use(publicKey(ctx)).post('/track', ({ access }) => access))
    .use(
      new Elysia()
        .use(secretKey(ctx))
        .post('/send', ({ access }) => access, { scope: 'send', body: Type.Object({ to: Type.String() }) })
        .post('/verify', ({ access }) => access, { scope: 'read', whileSuspended: true }),
    )
const shared = (ctx: Context) =>
  new Elysia({ prefix: '/things' })
    .use(projectAccess(ctx))
    .get('/', ({ access }) => access)
    .post('/', ({ access }) => access)
    .post('/lookup', ({ access }) => access, { scope: 'read', whileSuspended: true })
const own = (ctx: Context) =>
  new Elysia({ prefix: '/projects' })
    .use(ownProject(ctx))
    .patch('/:id', ({ access }) => access, { scope: 'secretKey', whileSuspended: true })
const personal = (ctx: Context) =>
  new Elysia({ prefix: '/users' }).use(session(ctx)).get('/@me', ({ user }) => user)

beforeAll(async () => {
  database = await cloneDatabase()
  world = testContext(database, { rateLimitPerMinute: 100_000 })
  ctx = { ...world.ctx, log: collecting }
  app = makeApplication(ctx, [openRoutes, keyed, shared, own, personal])
  user = await makeUser(world)
  project = await makeProject(world, { ownerId: user.id })
  other = await makeProject(world)
  cookie = `waxwing_session=${await signSession(ctx, { userId: user.id, version: user.sessionVersion })}`
})
afterAll(async () => await database.drop())

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

describe('a line of the log', () => {
  const hungUp = (path: string): Request => {
    const controller = new AbortController()
    const request = new Request(`http://localhost${path}`, { signal: controller.signal })
    controller.abort()
    return request
  }
  const plain = (path: string): Request => new Request(`http://localhost${path}`)
  test.each<[string, () => Request, string]>([
    ["no such page is the client's", () => plain('/nowhere'), 'info'],
    ["a share that the client has used up is the client's", () => plain('/open/full'), 'info'],
    ["a connection that the client closed is the client's", () => hungUp('/open/gone'), 'info'],
    ['an abort of ours is an error', () => plain('/open/gone'), 'error'],
    ['a failure of ours is an error, also where the client has gone', () => hungUp('/open/boom'), 'error'],
    ['an answer of the wrong shape is an error', () => plain('/open/answer'), 'error'],
  ])('about %s', async (_, make, level) => {
    lines.length = 0
    await app.handle(make())
    await until('it is written', () => lines.some(line => line.includes('"message":"request"')))
    const levels = new Set(lines.map(line => (JSON.parse(line) as { level: string }).level))
    expect(levels).toEqual(new Set([level]))
  })
})

describe('the request id', () => {
  const cases: Array<[string, string, string, number, object]> = [
    ['a success', 'POST', '/open/json', 200, { body: { n: 1 } }],
    ['an answer without a body', 'DELETE', '/open/thing', 204, {}],
    ['an unknown route', 'GET', '/nowhere', 404, {}],
    ['a wrong method', 'GET', '/open/json', 404, {}],
    ['a preflight', 'OPTIONS', '/v1/track', 200, {}],
    ['a malformed body', 'POST', '/open/json', 400, { body: '{"n":' }],
    ['a faulty body', 'POST', '/open/json', 422, { body: { n: 'x' } }],
    ['a missing key', 'POST', '/v1/track', 401, {}],
    [
      'a body that is too large',
      'POST',
      '/open/json',
      413,
      { body: { n: 1, data: { a: 'x'.repeat(2_200_000) } } },
    ],
    ['a body of members without end', 'POST', '/open/json', 422, { body: `[${'1,'.repeat(90_000)}1]` }],
    ['a foreign origin', 'POST', '/auth/login', 403, { headers: { origin: 'https://evil.example' } }],
    ['an unexpected error', 'GET', '/open/boom', 500, {}],
  ]
  test.each(cases)('is on %s', async (_name, method, path, status, options) => {
    const answer = await request(app, method, path, {
      ...options,
      headers: { 'x-request-id': 'mine', ...(options as { headers?: object }).headers },
    })
    expect(answer.status).toBe(status)
    const id = answer.headers.get('x-request-id') ?? ''
    expect(id).toMatch(uuid)
    if (status >= 400) expect(answer.body.error.requestId).toBe(id)
  })
})

describe('an error', () => {
  test('has the documented envelope and leaves out what it has no value for', async () => {
    const { body, headers } = await request(app, 'GET', '/nowhere')
    expect(headers.get('content-type')).toContain('application/json')
    expect(body).toEqual({
      success: false,
      error: {
        code: 'RESOURCE_NOT_FOUND',
        message: expect.any(String),
        statusCode: 404,
        requestId: expect.stringMatching(uuid),
        details: { resource: 'route' },
        suggestion: expect.any(String),
      },
      timestamp: '2026-03-01T12:00:00.000Z',
    })
  })

  test('of a malformed body is 400 VALIDATION_ERROR without items', async () => {
    const { status, body } = await request(app, 'POST', '/open/json', { body: '{"n": 1,}' })
    expect(status).toBe(400)
    expect(body.error.code).toBe('VALIDATION_ERROR')
    expect(body.error.errors).toBeUndefined()
  })

  test('may take the short form where it is documented', async () => {
    const { status, body } = await request(app, 'GET', '/open/short')
    expect({ status, body }).toEqual({ status: 400, body: { error: 'Name is required' } })
  })

  const hidden: Array<[string, string]> = [
    ['an exception', '/open/boom'],
    ['a failed statement', '/open/sql'],
    ['an answer that breaks its schema', '/open/answer'],
  ]
  test.each(hidden)('tells nothing of %s', async (_name, path) => {
    const { status, body } = await request(app, 'GET', path)
    expect(status).toBe(500)
    expect(body.error.code).toBe('INTERNAL_SERVER_ERROR')
    expect(body.error.message).toBe('An unexpected error occurred')
    const text = JSON.stringify(body)
    for (const word of ['passwd', 'internal', 'select', 'no_such_table', 'ada@', 'relation', '.ts', 'right'])
      expect(text).not.toContain(word)
  })

  test('of text that the database refuses is the client’s: 400', async () => {
    const { status, body } = await request(app, 'GET', '/open/nul')
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
  })

  test('of a lost database is 503 with Retry-After', async () => {
    const lost = await cloneDatabase({ empty: true })
    const { ctx } = testContext(lost)
    const deaf = makeApplication(ctx, [openRoutes])
    await lost.drop()
    const { status, body, headers } = await request(deaf, 'GET', '/open/sql')
    expect({ status, code: body.error.code }).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('a body', () => {
  test('loses a __proto__ key and pollutes nothing', async () => {
    const body = '{"n":1,"data":{"__proto__":{"admin":true},"a":{"__proto__":{"admin":true}}}}'
    const answer = await request(app, 'POST', '/open/json', { body })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ n: 1, data: { a: {} } })
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  const deep = (levels: number) => `{"n":1,"data":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`
  test('of 90 levels passes', async () => {
    expect((await request(app, 'POST', '/open/json', { body: deep(90) })).status).toBe(200)
  })
  test.each([101, 5_000, 20_000])('of %d levels is refused as the client’s fault', async levels => {
    const { status, body } = await request(app, 'POST', '/open/json', { body: deep(levels) })
    expect([400, 422]).toContain(status)
    expect(body.error.code).toBe('VALIDATION_ERROR')
  })

  const unstorable: Array<[string, string, string]> = [
    ['NUL in a value', '{"n":1,"data":{"a":"x\\u0000y"}}', 'data.a'],
    ['NUL in a key', '{"n":1,"data":{"x\\u0000y":1}}', 'data'],
    ['half a surrogate pair', '{"n":1,"data":{"a":["\\ud800"]}}', 'data.a.0'],
  ]
  test.each(unstorable)('with %s is 422 at that field', async (_name, body, field) => {
    const answer = await request(app, 'POST', '/open/json', { body })
    expect(answer.status).toBe(422)
    expect(answer.body.error.errors).toEqual([{ field, message: expect.any(String), code: 'invalid_string' }])
  })

  test('that is raw reaches its route byte by byte', async () => {
    const body = '{"a": 1,\n "b":"\\u0000"}'
    expect(
      (await request(app, 'POST', '/open/text', { body, headers: { 'content-type': 'text/plain' } })).body,
    ).toEqual({ body })
    expect((await request(app, 'POST', '/open/raw', { body })).body).toEqual({ length: body.length })
  })

  test('of unknown length is counted while it is read', async () => {
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(256 * 1024))
      },
    })
    const answer = await request(app, 'POST', '/open/raw', { body: endless })
    expect(answer.status).toBe(413)
    expect(answer.body.error.code).toBe('PAYLOAD_TOO_LARGE')
    expect(pulled).toBeLessThan(20)
  })
})

describe('odd headers never make a 500', () => {
  test.each([
    ['a broken escape in a cookie', 401, { cookie: 'waxwing_session=%E0%A4%A' }],
    ['a cookie that is JSON', 401, { cookie: 'waxwing_session={"a":1}' }],
    ['a cookie named __proto__', 401, { cookie: '__proto__=x; waxwing_session=y' }],
    ['an endless cookie', 401, { cookie: `waxwing_session=${'x'.repeat(9_000)}` }],
    ['a project header that is no id', 401, { cookie: 'waxwing_session=x', 'x-project-id': "' or 1=1" }],
  ] as Array<[string, number, Record<string, string>]>)('%s', async (_name, status, headers) => {
    expect((await request(app, 'GET', '/things?__proto__=1&constructor=2', { headers })).status).toBe(status)
  })

  test.each([
    ['form data without a boundary', 'multipart/form-data'],
    ['form data that is none', 'multipart/form-data; boundary=x'],
    ['an unknown type', 'application/x-nothing'],
    ['the type that forms of any page may send', 'text/plain'],
    ['no type', ''],
  ])('a body of %s', async (_name, type) => {
    const { status, body } = await request(app, 'POST', '/open/json', {
      body: '{"n":1}',
      headers: { 'content-type': type },
    })
    expect([400, 422]).toContain(status)
    expect(body.error.code).toBe('VALIDATION_ERROR')
  })
})

describe('an address', () => {
  test.each(['/open/find?q=%00', '/open/%00', '/open/find?q=%E0%A4%A'])('%s is 400', async path => {
    const { status, body } = await request(app, 'GET', path)
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'BAD_REQUEST' })
  })
})

describe('origins', () => {
  const ask = (method: string, path: string, headers: Record<string, string>) =>
    request(app, method, path, { headers })

  test('any page may call /v1, also with an Idempotency-Key, and read the limits', async () => {
    const { status, body, headers } = await ask('OPTIONS', '/v1/track', {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
    })
    expect({ status, body }).toEqual({ status: 200, body: undefined as never })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-headers')).toContain('Idempotency-Key')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    const answer = await ask('POST', '/v1/track', { origin: 'https://shop.example' })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Request-ID')
  })

  test('only the own origin may call the rest, with credentials', async () => {
    const mine = await ask('OPTIONS', '/things', { origin: 'http://localhost:3000' })
    expect(mine.headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
    expect(mine.headers.get('access-control-allow-credentials')).toBe('true')
    expect(mine.headers.get('access-control-allow-headers')).toContain('X-Project-Id')
    const foreign = await ask('OPTIONS', '/things', { origin: 'https://evil.example' })
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
    expect(foreign.headers.get('vary')).toBe('Origin')
  })

  const refusals: Array<[string, number, Record<string, string>]> = [
    [
      'from a foreign page with the cookie is refused',
      403,
      { origin: 'https://evil.example', cookie: 'waxwing_session=x' },
    ],
    ['from nowhere (null) with the cookie is refused', 403, { origin: 'null', cookie: 'waxwing_session=x' }],
    [
      'from a name that begins like ours is refused',
      403,
      { origin: 'http://localhost:3000.evil.example', cookie: 'waxwing_session=x' },
    ],
    [
      'from another port of the same machine is refused',
      403,
      { origin: 'http://localhost:3001', cookie: 'waxwing_session=x' },
    ],
    [
      'from the own host by another scheme is refused',
      403,
      { origin: 'file://localhost:3000', cookie: 'waxwing_session=x' },
    ],
    [
      'from the own page with the cookie goes on',
      401,
      { origin: 'http://localhost:3000', cookie: 'waxwing_session=x' },
    ],
    [
      'from the page of the same host goes on',
      401,
      { origin: 'http://box:81', host: 'box:81', cookie: 'waxwing_session=x' },
    ],
    ['without an origin goes on', 401, { cookie: 'waxwing_session=x' }],
    [
      'from a foreign page with a key goes on',
      401,
      { origin: 'https://evil.example', cookie: 'waxwing_session=x', authorization: 'Bearer sk_x' },
    ],
  ]
  test.each(refusals)('a state change %s', async (_name, status, headers) => {
    const answer = await request(app, 'POST', '/things', {
      headers: { 'x-project-id': project.id, ...headers },
    })
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.body.error.code).toBe('FORBIDDEN')
  })
})

describe('a key', () => {
  const track = (headers: Record<string, string>) => request(app, 'POST', '/v1/track', { headers })

  test.each([
    ['no header', {}],
    ['another scheme', { authorization: 'Basic abc' }],
    ['a scheme without a key', { authorization: 'Bearer' }],
    ['an empty key', { authorization: 'Bearer ' }],
    ['three parts', { authorization: 'Bearer a b' }],
    ['a cookie only', { cookie: 'waxwing_session=x' }],
  ] as Array<[string, Record<string, string>]>)(
    'is missing with %s: 401 MISSING_AUTH',
    async (_name, headers) => {
      const { status, body } = await track(headers)
      expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'MISSING_AUTH' })
    },
  )

  test('is wrong when unknown, of the other kind, or endless: 401 INVALID_API_KEY', async () => {
    for (const key of ['pk_unknown', `pk_${'0'.repeat(64)}`, project.secretKey, `pk_${'0'.repeat(9_000)}`]) {
      const { status, body } = await track({ authorization: `Bearer ${key}` })
      expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'INVALID_API_KEY' })
    }
    const send = await request(app, 'POST', '/v1/send', { key: project.publicKey, body: { to: 'x' } })
    expect(send.body.error.code).toBe('INVALID_API_KEY')
  })

  test('is checked before the body is: 401, not 422', async () => {
    expect((await request(app, 'POST', '/v1/send', { key: 'sk_x', body: { to: 5 } })).status).toBe(401)
    expect((await request(app, 'POST', '/v1/send', { key: project.secretKey, body: { to: 5 } })).status).toBe(
      422,
    )
  })

  test('opens its project, whatever the case of the scheme', async () => {
    const { status, body } = await track({ authorization: `bEARER ${project.publicKey}` })
    expect(status).toBe(200)
    expect(body).toMatchObject({ project: { id: project.id }, actor: { type: 'key' }, role: 'MEMBER' })
    expect(JSON.stringify(body)).not.toContain(project.publicKey.slice(0, 16))
  })
})

describe('project access', () => {
  const list = (options: Parameters<typeof request>[3]) => request(app, 'GET', '/things', options)
  const code = async (options: Parameters<typeof request>[3]) => {
    const { status, body } = await list(options)
    return `${status} ${body.error?.code ?? body.project.id}`
  }

  test('takes the secret key as an ADMIN', async () => {
    expect((await list({ key: project.secretKey })).body).toMatchObject({
      project: { id: project.id },
      role: 'ADMIN',
    })
  })
  test('takes a member’s session with the project header', async () => {
    const { body } = await list({ cookie, headers: { 'x-project-id': project.id } })
    expect(body).toMatchObject({
      project: { id: project.id },
      actor: { type: 'user', userId: user.id },
      role: 'OWNER',
    })
  })
  test('says which part is missing or wrong', async () => {
    expect(await code({})).toBe('401 MISSING_AUTH')
    expect(await code({ cookie: 'waxwing_session=x', headers: { 'x-project-id': project.id } })).toBe(
      '401 UNAUTHORIZED',
    )
    expect(await code({ cookie })).toBe('400 BAD_REQUEST')
    expect(await code({ cookie, headers: { 'x-project-id': other.id } })).toBe('403 PROJECT_ACCESS_DENIED')
    expect(await code({ cookie, headers: { 'x-project-id': 'x' } })).toBe('403 PROJECT_ACCESS_DENIED')
    expect(await code({ key: project.publicKey })).toBe('401 INVALID_API_KEY')
  })
  test('lets a key win over a cookie, also a wrong one', async () => {
    const headers = { 'x-project-id': project.id }
    expect(await code({ cookie, headers, key: other.secretKey })).toBe(`200 ${other.id}`)
    expect(await code({ cookie, headers, key: 'sk_wrong' })).toBe('401 INVALID_API_KEY')
  })
})

describe('the project of a path', () => {
  const patch = async (id: string, options: Parameters<typeof request>[3]) => {
    const { status, body } = await request(app, 'PATCH', `/projects/${id}`, options)
    return `${status} ${body.error?.code ?? body.role}`
  }
  test('opens to its members and its own key', async () => {
    expect(await patch(project.id, { cookie })).toBe('200 OWNER')
    expect(await patch(project.id.toUpperCase(), { cookie })).toBe('200 OWNER')
    expect(await patch(project.id, { key: project.secretKey })).toBe('200 ADMIN')
  })
  test('is 404 to others, 422 where it is no id, 401 without credentials', async () => {
    expect(await patch(other.id, { cookie })).toBe('404 RESOURCE_NOT_FOUND')
    expect(await patch(other.id, { key: project.secretKey })).toBe('404 RESOURCE_NOT_FOUND')
    expect(await patch('nonsense', { key: project.secretKey })).toBe('422 VALIDATION_ERROR')
    expect(await patch(project.id, {})).toBe('401 MISSING_AUTH')
    expect(await patch('nonsense', {})).toBe('401 MISSING_AUTH')
  })
})

describe('a disabled project', () => {
  test('may read and do what is left open, nothing else', async () => {
    const closed = await makeProject(world)
    await ctx.sql`update projects set disabled = true where id = ${closed.id}`
    const ask = async (method: string, path: string, key: string, body?: unknown) => {
      const answer = await request(app, method, path, { key, body })
      return `${answer.status} ${answer.body.error?.code ?? ''}`
    }
    expect(await ask('GET', '/things', closed.secretKey)).toBe('200 ')
    expect(await ask('POST', '/things', closed.secretKey)).toBe('403 PROJECT_DISABLED')
    expect(await ask('POST', '/things/lookup', closed.secretKey)).toBe('200 ')
    expect(await ask('POST', '/v1/send', closed.secretKey, { to: 5 })).toBe('403 PROJECT_DISABLED')
    expect(await ask('POST', '/v1/track', closed.publicKey)).toBe('403 PROJECT_DISABLED')
    expect(await ask('POST', '/v1/verify', closed.secretKey)).toBe('200 ')
    expect(await ask('PATCH', `/projects/${closed.id}`, closed.secretKey)).toBe('200 ')
  })
})

describe('a session', () => {
  const me = async (value: string) => {
    const { status, body } = await request(app, 'GET', '/users/@me', { cookie: value })
    return `${status} ${body.error?.code ?? body.email}`
  }

  test('is a host-only cookie that scripts can’t read', async () => {
    const { headers, cookies } = await request(app, 'POST', '/open/sign-in')
    const line = headers.getSetCookie()[0] ?? ''
    for (const part of ['HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=604800']) expect(line).toContain(part)
    expect(line).not.toMatch(/Domain|Secure/)
    expect(await me(cookies['waxwing_session']!)).toBe(`200 ${user.email}`)
  })

  test('is Secure where BASE_URL is https, and is cleared by signing out', async () => {
    const secure = { ...ctx, config: { ...ctx.config, baseUrl: 'https://mail.example.com' } }
    const away = await request(makeApplication(secure, [openRoutes]), 'POST', '/open/sign-out')
    expect(away.headers.getSetCookie()[0]).toMatch(/waxwing_session=;.*Max-Age=0.*Secure/)
  })

  test('is 401 UNAUTHORIZED when missing, forged, of another algorithm, or with a key instead', async () => {
    const [head, claims] = cookie.split('=')[1]!.split('.')
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`
    const [long, rsa] = ['HS512', 'RS256'].map(alg => {
      const text = `${Buffer.from(JSON.stringify({ alg })).toString('base64url')}.${claims}`
      const hash = alg === 'HS512' ? 'sha512' : 'sha256'
      return `${text}.${createHmac(hash, ctx.vault.sessionSecret).update(text).digest('base64url')}`
    })
    for (const value of [
      '',
      'waxwing_session=',
      'waxwing_session=x',
      `waxwing_session=${head}.${claims}.AAAA`,
      `waxwing_session=${none}`,
      `waxwing_session=${long}`,
      `waxwing_session=${rsa}`,
    ])
      expect(await me(value)).toBe('401 UNAUTHORIZED')
    const { body } = await request(app, 'GET', '/users/@me', { key: project.secretKey })
    expect(body.error.code).toBe('UNAUTHORIZED')
  })

  test('ends with its seven days and with a new version', async () => {
    const token = (version: number) => signSession(ctx, { userId: user.id, version })
    expect(await me(`waxwing_session=${await token(user.sessionVersion + 1)}`)).toBe('401 UNAUTHORIZED')
    const value = `waxwing_session=${await token(user.sessionVersion)}`
    world.clock.advance(7 * day - 2_000)
    expect(await me(value)).toBe(`200 ${user.email}`)
    world.clock.advance(4_000)
    expect(await me(value)).toBe('401 UNAUTHORIZED')
  })
})

describe('the log', () => {
  /** Lines are written after the answer is out. */
  const lineOf = async (answer: { headers: Headers }) => {
    const id = answer.headers.get('x-request-id')!
    const written = () =>
      lines.map(line => JSON.parse(line)).find(line => line.requestId === id && line.message === 'request')
    while (!written()) await new Promise(resolve => setImmediate(resolve))
    return written()
  }

  test('has one line a request, with the error code and without any secret', async () => {
    const tokens = ['sk_leak', 'cookieleak', 'queryleak', 'bodyleak']
    const refused = await request(app, 'POST', '/things?t=queryleak', {
      key: 'sk_leak',
      cookie: 'waxwing_session=cookieleak',
      body: { password: 'bodyleak' },
    })
    const failed = await request(app, 'GET', '/open/boom?t=queryleak')
    expect(await lineOf(refused)).toMatchObject({
      method: 'POST',
      path: '/things',
      status: 401,
      errorCode: 'INVALID_API_KEY',
    })
    expect(await lineOf(failed)).toMatchObject({
      path: '/open/boom',
      status: 500,
      errorCode: 'INTERNAL_SERVER_ERROR',
      level: 'error',
    })
    for (const token of tokens) expect(lines.join('\n')).not.toContain(token)
    const id = refused.headers.get('x-request-id')!
    expect(lines.filter(line => line.includes(id))).toHaveLength(1)
  })

  test('names the project, and the metrics name the route and not the path', async () => {
    const patched = await request(app, 'PATCH', `/projects/${project.id}`, { key: project.secretKey })
    const missed = await request(app, 'GET', '/made/up/path')
    expect(await lineOf(patched)).toMatchObject({
      projectId: project.id,
      status: 200,
      ms: expect.any(Number),
    })
    expect(await lineOf(missed)).toMatchObject({ status: 404 })
    const text = await ctx.metrics.registry.metrics()
    expect(text).toContain('waxwing_http_requests_total{method="PATCH",route="/projects/:id",status="200"}')
    expect(text).toContain('route="unmatched",status="404"')
    expect(text).not.toContain(project.id)
    expect(text).not.toContain('/made/up')
  })
})

test('a browser is told to use nothing but https, where that is the public address', async () => {
  const asked = async (baseUrl: string): Promise<string | null> => {
    const { ctx } = testContext(database, { baseUrl })
    return (await request(makeApplication(ctx, []), 'GET', '/nothing')).headers.get(
      'strict-transport-security',
    )
  }
  expect(await asked('https://mail.acme.example')).toBe('max-age=31536000')
  expect(await asked('http://localhost:3000')).toBeNull()
})

// The instance about itself: features, health, metrics, the document and its page.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type AnyElysia, Elysia, t } from 'elysia'
import { makeApplication } from '../../src/http/application'
import { ownProject, projectAccess, publicKey } from '../../src/modules/accounts/projects/guard'
import { session } from '../../src/modules/accounts/users/guard'
import { metaRoutes } from '../../src/modules/api/meta/routes'
import type { Context } from '../../src/platform/context'
import { buildMetricsApp } from '../../src/server/app'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { request } from '../support/request'

let database: TestDatabase
let ctx: Context
let app: AnyElysia

const probes = [
  (ctx: Context) =>
    new Elysia({ prefix: '/things', tags: ['Things'] })
      .use(projectAccess(ctx))
      .get('/', () => 'list', {
        scope: 'read',
        query: t.Object({ page: t.Optional(t.Numeric({ minimum: 1 })) }),
      })
      .post('/:id', () => 'made', {
        scope: 'write',
        body: t.Object({ name: t.String({ maxLength: 9, description: '<script>alert(1)</script>' }) }),
        detail: { summary: 'Make <b>one</b>' },
      })
      .post('/file', () => 'kept', { scope: 'write', body: t.Object({ file: t.File() }) }),
  (ctx: Context) => new Elysia().use(publicKey(ctx)).post('/v1/track', () => 'tracked'),
  (ctx: Context) => new Elysia().use(session(ctx)).get('/users/@me', () => 'me'),
  (ctx: Context) => new Elysia().use(ownProject(ctx)).get('/projects/:id', () => 'mine'),
]

function withMeta(ctx: Context): AnyElysia {
  const app: AnyElysia = makeApplication(ctx, [...probes, () => metaRoutes(ctx, () => app)])
  return app
}

beforeAll(async () => {
  database = await cloneDatabase()
  ctx = testContext(database).ctx
  app = withMeta(ctx)
})
afterAll(async () => await database.drop())

test('/config tells which features are on', async () => {
  const { status, body } = await request(app, 'GET', '/config')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    urls: { api: 'http://localhost:3000' },
    features: {
      billing: { enabled: false },
      signup: { signupsDisabled: false },
      storage: { s3Enabled: false },
    },
  })
})

test('/config tells where programs hand in mail by SMTP', async () => {
  const listener = (host: string, port: number, implicitTls: boolean) => ({ host, port, implicitTls })
  const local = [listener('127.0.0.1', 2525, false)]
  const open = [...local, listener('0.0.0.0', 465, true), listener('0.0.0.0', 587, false)]
  const smtpOf = async (listeners?: typeof open) => {
    const submission = listeners && { listeners, plainOnLoopback: false }
    const changes = submission ? { submission, baseUrl: 'https://mail.acme.example:8443' } : {}
    const { body } = await request(withMeta(testContext(database, changes).ctx), 'GET', '/config')
    return body.features.smtp
  }
  expect(await smtpOf()).toEqual({ enabled: false, domain: null, ports: null })
  expect(await smtpOf(open)).toEqual({
    enabled: true,
    domain: 'mail.acme.example',
    ports: { secure: 465, submission: 587 },
  })
  expect(await smtpOf(local)).toEqual({
    enabled: true,
    domain: '127.0.0.1',
    ports: { secure: null, submission: 2525 },
  })
})

describe('/health', () => {
  test('is 200 with the figures of the queue', async () => {
    const { status, body } = await request(app, 'GET', '/health')
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'ok',
      version: expect.any(String),
      database: 'ok',
      jobs: {
        running: 0,
        bands: expect.objectContaining({ transactional: { waiting: 0, oldestSeconds: 0 } }),
      },
      sending: { paused: false },
      warnings: [],
    })
  })

  test('is 200 while sending is paused, and says why and since when', async () => {
    const since = new Date('2026-02-28T23:00:00.000Z')
    const paused = withMeta({ ...ctx, sending: { paused: () => ({ because: 'it was restored', since }) } })
    const { status, body } = await request(paused, 'GET', '/health')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'ok',
      sending: { paused: true, because: 'it was restored', since: '2026-02-28T23:00:00.000Z' },
    })
  })

  test('is 200 and warns where links in mails can be opened on this machine alone', async () => {
    const smtpUrl = 'smtp://relay.example.net:587'
    const misled = withMeta(testContext(database, { mailTransport: 'smtp', smtpUrl }).ctx)
    const { status, body } = await request(misled, 'GET', '/health')
    expect([status, body.status]).toEqual([200, 'ok'])
    expect(body.warnings).toEqual([expect.stringContaining('lead to http://localhost:3000')])
    expect(body.warnings[0]).toContain('set BASE_URL')
  })

  test('is 503 with the failing part, and tells nothing more, when the database is gone', async () => {
    const lost = await cloneDatabase({ empty: true })
    const { ctx } = testContext(lost)
    const ill = withMeta(ctx)
    await lost.drop()
    const { status, body } = await request(ill, 'GET', '/health')
    expect(status).toBe(503)
    expect(body).toEqual({
      status: 'error',
      version: expect.any(String),
      database: 'failed',
      jobs: 'failed',
      sending: { paused: false },
      warnings: [],
    })
    expect((await request(ill, 'GET', '/metrics')).status).toBe(200)
  })

  test('says which part fails when the database answers and the queue can’t be read', async () => {
    const empty = await cloneDatabase({ empty: true })
    const { status, body } = await request(withMeta(testContext(empty).ctx), 'GET', '/health')
    expect(status).toBe(503)
    expect(body).toMatchObject({ status: 'error', database: 'ok', jobs: 'failed' })
    await empty.drop()
  })
})

describe('/metrics', () => {
  test('is Prometheus text', async () => {
    const { status, body, headers } = await request(app, 'GET', '/metrics')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toStartWith('text/plain')
    expect(body).toContain('# TYPE waxwing_http_requests_total counter')
    expect(body).toContain('waxwing_queue_depth{band="transactional"} 0')
  })

  test('asks for METRICS_TOKEN where one is set', async () => {
    const closed = withMeta(testContext(database, { metricsToken: 'a-token-of-metrics' }).ctx)
    const ask = async (headers?: Record<string, string>) =>
      (await request(closed, 'GET', '/metrics', { headers })).status
    expect(await ask()).toBe(401)
    expect(await ask({ authorization: 'Bearer a-token-of-metricz' })).toBe(401)
    expect(await ask({ authorization: 'Bearer a-token-of-metrics' })).toBe(200)
    const forwarded = { 'x-forwarded-for': '203.0.113.7' }
    expect(await ask(forwarded)).toBe(401)
    expect(await ask({ ...forwarded, authorization: 'Bearer a-token-of-metrics' })).toBe(200)
  })

  test.each(['/metrics', '/metrics/'])('%s without a token is for this machine alone', async path => {
    const ask = async (headers?: Record<string, string>) => await request(app, 'GET', path, { headers })
    expect((await ask()).status).toBe(200)
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
      const { status, body } = await ask({ [name]: '127.0.0.1' })
      expect({ name, status, code: body.error?.code }).toEqual({
        name,
        status: 404,
        code: 'RESOURCE_NOT_FOUND',
      })
    }
    // A page in a browser here, whose name was made to lead here.
    expect((await ask({ host: 'rebind.evil.example:3000' })).status).toBe(404)
  })
})

describe('the port of figures', () => {
  test('serves health and figures, by the same rule, and nothing else', async () => {
    const figures = buildMetricsApp({
      ...testContext(database).ctx,
      sending: { paused: () => ({ because: 'it was restored', since: new Date() }) },
    })
    expect(await request(figures, 'GET', '/health')).toMatchObject({ status: 200, body: { database: 'ok' } })
    const { status, body } = await request<string>(figures, 'GET', '/metrics')
    expect(status).toBe(200)
    for (const line of ['waxwing_sending_paused 1', 'waxwing_database_up 1', 'waxwing_http_requests_total'])
      expect(body).toContain(line)
    expect(Number(/^waxwing_database_ping_seconds (\S+)$/m.exec(body)?.[1])).toBeGreaterThan(0)
    expect(Number(/^process_resident_memory_bytes (\S+)$/m.exec(body)?.[1])).toBeGreaterThan(1e6)
    const afar = { headers: { 'x-forwarded-for': '203.0.113.7' } }
    expect((await request(figures, 'GET', '/metrics', afar)).status).toBe(404)
    for (const path of ['/', '/docs', '/config', '/contacts', '/v1/send', '/users/@me'])
      expect((await request(figures, 'GET', path)).status).toBe(404)
  })
})

describe('/openapi.json', () => {
  test('says of each route which credentials it takes and which errors it may answer', async () => {
    const { body } = await request(app, 'GET', '/openapi.json')
    expect(body.openapi).toBe('3.1.0')
    expect(body.paths['/things'].get.security).toEqual([{ secretKey: [] }, { session: [], project: [] }])
    expect(body.paths['/v1/track'].post.security).toEqual([{ publicKey: [] }])
    expect(body.paths['/users/@me'].get.security).toEqual([{ session: [] }])
    expect(body.paths['/projects/{id}'].get.security).toEqual([{ secretKey: [] }, { session: [] }])
    expect(body.paths['/config'].get.security).toEqual([])
    const answers = Object.keys(body.paths['/things/{id}'].post.responses)
    expect(answers).toEqual(['200', '400', '401', '403', '404', '413', '422', '423', '429', '500', '503'])
    expect(body.paths['/config'].get.responses['401']).toBeUndefined()
  })

  test('names the encoding of each body, and refers only to what it holds', async () => {
    const { body } = await request(app, 'GET', '/openapi.json')
    expect(Object.keys(body.paths['/things/{id}'].post.requestBody.content)).toEqual(['application/json'])
    expect(Object.keys(body.paths['/things/file'].post.requestBody.content)).toEqual(['multipart/form-data'])
    for (const [, name] of JSON.stringify(body).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      const [kind, key] = name!.split('/') as [string, string]
      expect(body.components[kind][key]).toBeDefined()
    }
    const ids = Object.values(body.paths as Record<string, Record<string, { operationId: string }>>)
      .flatMap(operations => Object.values(operations))
      .map(operation => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('/docs', () => {
  test('is a page without scripts that loads nothing and escapes what it shows', async () => {
    const { status, body, headers } = await request<string>(app, 'GET', '/docs')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toStartWith('text/html')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(body).not.toMatch(/<script|<link|<img|src=|@import|url\(/i)
    expect(body).toContain('&lt;script&gt;alert(1)')
    expect(body).toContain('Make &lt;b&gt;one')
    expect(body).toContain('/things/{id}')
  })

  test('has exactly the style its policy allows', async () => {
    const { body, headers } = await request<string>(app, 'GET', '/docs')
    const style = /<style>([\s\S]*?)<\/style>/.exec(body)?.[1] ?? ''
    const digest = new Bun.CryptoHasher('sha256').update(style).digest('base64')
    expect(headers.get('content-security-policy')).toContain(`'sha256-${digest}'`)
  })

  test('is made once, and goes out compressed to whoever takes that', async () => {
    const { body } = await request<string>(app, 'GET', '/docs')
    const packed = await app.handle(
      new Request('http://localhost/docs', { headers: { 'accept-encoding': 'gzip, br' } }),
    )
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(new TextDecoder().decode(Bun.gunzipSync(await packed.arrayBuffer()))).toBe(body)
  })

  test('leads a browser that is signed in to the same in the dashboard, and nobody else', async () => {
    const ask = async (headers: Record<string, string>) =>
      await app.handle(new Request('http://localhost/docs', { headers }))
    const asBrowser = { accept: 'text/html,*/*' }
    const asMember = { cookie: 'waxwing_session=anything' }
    const led = await ask({ ...asBrowser, ...asMember })
    expect([led.status, led.headers.get('location')]).toEqual([302, '/app/docs'])
    expect((await ask(asBrowser)).status).toBe(200)
    expect((await ask(asMember)).status).toBe(200)
  })

  test('is there for programs as sections of operations, with code and opened members', async () => {
    const { body, headers } = await request(app, 'GET', '/docs/reference.json')
    expect(headers.get('content-type')).toStartWith('application/json')
    const operations = body.sections.flatMap((section: { operations: object[] }) => section.operations)
    expect(operations).toContainEqual(
      expect.objectContaining({
        method: 'GET',
        path: '/things',
        credentials: [['secretKey'], ['session', 'project']],
      }),
    )
  })

  test('is where / leads whoever is no browser', async () => {
    const { status, headers } = await request(app, 'GET', '/')
    expect({ status, location: headers.get('location') }).toEqual({ status: 302, location: '/docs' })
  })
})

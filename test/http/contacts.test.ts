// Contacts through the API: the documented statuses and bodies, what must not happen, and the wall between projects.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { rollUpContactTotals } from '../../src/modules/audience/contacts/service'
import type { Context } from '../../src/platform/context'
import { buildApp } from '../../src/server/app'
import { type ManualClock, testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { type MadeProject, makeMember, makeProject, makeUser } from '../support/make'
import { request } from '../support/request'

let database: TestDatabase
let ctx: Context
let clock: ManualClock
let app: AnyElysia

beforeAll(async () => {
  database = await cloneDatabase()
  ;({ ctx, clock } = testContext(database, { rateLimitPerMinute: 0 }))
  app = buildApp(ctx)
})
afterAll(() => database.drop())

const call = (project: MadeProject, method: string, path: string, body?: unknown) =>
  request(app, method, path, { key: project.secretKey, body })
const create = async (project: MadeProject, body: unknown) =>
  (await call(project, 'POST', '/contacts', body)).body
const eventsOf = async (project: MadeProject) =>
  (
    await ctx.sql<{ name: string; contact: string }[]>`
    select name, contact_id as contact from events where project_id = ${project.id}::uuid order by id`
  ).map(row => row.name)

describe('POST /contacts', () => {
  test('creates a contact: 201, subscribed by default, stored lower case, no event', async () => {
    const project = await makeProject({ ctx })
    const answer = await call(project, 'POST', '/contacts', {
      email: ' Ada@Example.COM ',
      data: { plan: 'pro', id: 'x', no: null },
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.any(String),
      email: 'ada@example.com',
      subscribed: true,
      snoozedUntil: null,
      optedOutAt: null,
      data: { plan: 'pro' },
      createdAt: clock.now().toISOString(),
      updatedAt: clock.now().toISOString(),
      _meta: { isNew: true, isUpdate: false },
    })
    expect(await eventsOf(project)).toEqual([])
  })

  test('keeps and answers any key, line breaks in it too, and removes it again', async () => {
    const project = await makeProject({ ctx })
    const data = { 'First\nname': 'Ada', 'a\r\u2028b': 1, ' lead': 2, 'topic:x': 3, ok: { 'in\nside': 4 } }
    const created = await create(project, { email: 'a@example.com', data })
    expect(created.data).toEqual(data)
    expect((await call(project, 'GET', `/contacts/${created.id}`)).body.data).toEqual(data)
    expect((await call(project, 'GET', '/contacts')).body.data[0].data).toEqual(data)
    const change = { data: { 'First\nname': 'Grace', 'a\r\u2028b': null } }
    const { body } = await call(project, 'PATCH', `/contacts/${created.id}`, change)
    expect(body.data).toEqual({ 'First\nname': 'Grace', ' lead': 2, 'topic:x': 3, ok: { 'in\nside': 4 } })
  })

  test('updates the contact that has the address: 200, patched data, its flip recorded', async () => {
    const project = await makeProject({ ctx })
    const first = await create(project, { email: 'a@example.com', data: { keep: 1, drop: 1 } })
    clock.advance(1_000)
    const answer = await call(project, 'POST', '/contacts', {
      email: 'A@example.com',
      subscribed: false,
      data: { drop: null, more: [1] },
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      id: first.id,
      subscribed: false,
      data: { keep: 1, more: [1] },
      createdAt: first.createdAt,
      _meta: { isNew: false, isUpdate: true },
    })
    expect(answer.body.updatedAt).toBe(clock.now().toISOString())
    expect(await eventsOf(project)).toEqual(['contact.unsubscribed'])
  })

  test.each<[string, unknown]>([
    ['without an address', {}],
    ['with an empty address', { email: '' }],
    ['with a blank address', { email: '  ' }],
  ])('%s is 400 in the short form', async (_, body) => {
    const project = await makeProject({ ctx })
    const answer = await call(project, 'POST', '/contacts', body)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ error: expect.any(String) })
  })

  test.each<[string, unknown, string, string]>([
    ['no address', { email: 'nobody' }, 'email', 'invalid_string'],
    ['an address that is no text', { email: 5 }, 'email', 'invalid_type'],
    ['subscribed as text', { email: 'a@example.com', subscribed: 'yes' }, 'subscribed', 'invalid_type'],
    ['data as a list', { email: 'a@example.com', data: [1] }, 'data', 'invalid_type'],
    ['data as text', { email: 'a@example.com', data: 'x' }, 'data', 'invalid_type'],
    ['data with an empty key', { email: 'a@example.com', data: { '': 1 } }, 'data.', 'too_small'],
    [
      'data that is too large',
      { email: 'a@example.com', data: { a: 'x'.repeat(70_000) } },
      'data',
      'too_big',
    ],
    ['a number beyond JSON', '{"email":"a@example.com","data":{"n":1e999}}', 'data.n', 'too_big'],
  ])('%s is 422 and stores nothing', async (_, body, field, code) => {
    const project = await makeProject({ ctx })
    const answer = await call(project, 'POST', '/contacts', body)
    expect(answer.status).toBe(422)
    expect(answer.body.error).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field, code }] })
    expect((await call(project, 'GET', '/contacts')).body.total).toBe(0)
  })

  test('ten at once make one contact, and one of them is told so', async () => {
    const project = await makeProject({ ctx })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        call(project, 'POST', '/contacts', { email: 'a@example.com', data: { [`k${index}`]: 1 } }),
      ),
    )
    expect(answers.map(answer => answer.status).toSorted()).toEqual([
      ...Array.from({ length: 9 }, () => 200),
      201,
    ])
    const { body } = await call(project, 'GET', '/contacts')
    expect(body.total).toBe(1)
    expect(Object.keys(body.data[0].data)).toHaveLength(10)
  })

  test('the same address in another project is another contact', async () => {
    const [one, two] = [await makeProject({ ctx }), await makeProject({ ctx })]
    const first = await create(one, { email: 'a@example.com' })
    const second = await create(two, { email: 'a@example.com' })
    expect(second._meta.isNew).toBe(true)
    expect(second.id).not.toBe(first.id)
  })
})

describe('/contacts/:id', () => {
  test('GET answers the contact', async () => {
    const project = await makeProject({ ctx })
    const { _meta, ...contact } = await create(project, {
      email: 'a@example.com',
      data: { a: { b: [null] } },
    })
    expect(await call(project, 'GET', `/contacts/${contact.id}`)).toMatchObject({
      status: 200,
      body: contact,
    })
  })

  test.each<[string, string, unknown]>([
    ['GET', 'GET', undefined],
    ['PATCH', 'PATCH', {}],
    ['DELETE', 'DELETE', undefined],
  ])('%s of an unknown, foreign or malformed id is 404', async (_, method, body) => {
    const [project, other] = [await makeProject({ ctx }), await makeProject({ ctx })]
    const foreign = await create(other, { email: 'a@example.com' })
    for (const id of [Bun.randomUUIDv7(), foreign.id, 'non-existent', "'--"]) {
      const answer = await call(project, method, `/contacts/${encodeURIComponent(id)}`, body)
      expect(answer.status).toBe(404)
      expect(answer.body.error).toMatchObject({ code: 'CONTACT_NOT_FOUND', details: { id } })
    }
    expect((await call(other, 'GET', `/contacts/${foreign.id}`)).status).toBe(200)
  })

  test('PATCH changes address, state and data, and records the flip', async () => {
    const project = await makeProject({ ctx })
    const { id } = await create(project, { email: 'a@example.com', data: { a: 1, b: 2 } })
    const answer = await call(project, 'PATCH', `/contacts/${id}`, {
      email: 'New@Example.com',
      subscribed: false,
      data: { a: null, c: 3, d: '' },
    })
    expect(answer).toMatchObject({
      status: 200,
      body: { id, email: 'new@example.com', subscribed: false, data: { b: 2, c: 3 } },
    })
    expect(answer.body).not.toHaveProperty('_meta')
    expect(await eventsOf(project)).toEqual(['contact.unsubscribed'])
  })

  test('PATCH with an empty body, the own address and the own state changes nothing', async () => {
    const project = await makeProject({ ctx })
    const { _meta, ...contact } = await create(project, { email: 'a@example.com', data: { a: 1 } })
    clock.advance(1_000)
    for (const body of [{}, { email: 'A@example.com', subscribed: true, data: { a: 1 } }])
      expect(await call(project, 'PATCH', `/contacts/${contact.id}`, body)).toMatchObject({
        status: 200,
        body: contact,
      })
    expect(await eventsOf(project)).toEqual([])
  })

  test('PATCH with data null drops all stored data', async () => {
    const project = await makeProject({ ctx })
    const { id } = await create(project, { email: 'a@example.com', data: { a: 1, b: 2 } })
    expect((await call(project, 'PATCH', `/contacts/${id}`, { data: null })).body.data).toEqual({})
    const { body } = await call(project, 'GET', '/contacts/fields')
    expect(body.fields.filter((field: { isCustom: boolean }) => field.isCustom)).toMatchObject([
      { field: 'data.a', coverage: 0 },
      { field: 'data.b', coverage: 0 },
    ])
  })

  test('PATCH to a taken address is 409 and changes nothing', async () => {
    const project = await makeProject({ ctx })
    await create(project, { email: 'taken@example.com' })
    const { id } = await create(project, { email: 'a@example.com' })
    const answer = await call(project, 'PATCH', `/contacts/${id}`, {
      email: 'Taken@example.com',
      subscribed: false,
    })
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    expect((await call(project, 'GET', `/contacts/${id}`)).body).toMatchObject({
      email: 'a@example.com',
      subscribed: true,
    })
    expect(await eventsOf(project)).toEqual([])
  })

  test('of ten that take one address at once one succeeds', async () => {
    const project = await makeProject({ ctx })
    const ids = await Promise.all(
      Array.from(
        { length: 10 },
        async (_, index) => (await create(project, { email: `u${index}@example.com` })).id,
      ),
    )
    const answers = await Promise.all(
      ids.map(id => call(project, 'PATCH', `/contacts/${id}`, { email: 'one@example.com' })),
    )
    expect(answers.map(answer => answer.status).toSorted()).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 409),
    ])
  })

  test.each<[string, unknown, string]>([
    ['an empty address', { email: '' }, 'email'],
    ['a malformed address', { email: 'x@' }, 'email'],
    ['data as a list', { data: [] }, 'data'],
    ['subscribed null', { subscribed: null }, 'subscribed'],
  ])('PATCH with %s is 422', async (_, body, field) => {
    const project = await makeProject({ ctx })
    const { id } = await create(project, { email: 'a@example.com' })
    const answer = await call(project, 'PATCH', `/contacts/${id}`, body)
    expect(answer).toMatchObject({ status: 422, body: { error: { errors: [{ field }] } } })
  })

  test('DELETE answers 204 without a body, and once', async () => {
    const project = await makeProject({ ctx })
    const { id } = await create(project, { email: 'a@example.com', data: { a: 1 } })
    const answer = await call(project, 'DELETE', `/contacts/${id}`)
    expect([answer.status, answer.body]).toEqual([204, undefined])
    expect((await call(project, 'DELETE', `/contacts/${id}`)).status).toBe(404)
    expect((await call(project, 'GET', '/contacts')).body.total).toBe(0)
  })
})

describe('GET /contacts', () => {
  async function filled(count: number): Promise<{ project: MadeProject; emails: string[] }> {
    const project = await makeProject({ ctx })
    const emails = Array.from(
      { length: count },
      (_, index) => `user-${String(index).padStart(3, '0')}@example.com`,
    )
    for (const email of emails) {
      clock.advance(1)
      await create(project, { email })
    }
    return { project, emails }
  }
  const listed = (body: { data: { email: string }[] }) => body.data.map(contact => contact.email)

  test.each<[string, string, (emails: string[]) => string[]]>([
    ['newest first', '', emails => emails.toReversed()],
    ['oldest first', '&dir=asc', emails => emails],
    ['by address, descending by default', '&sort=email', emails => emails.toReversed()],
    ['by address, ascending', '&sort=email&dir=asc', emails => emails],
    ['falling back on nonsense', '&sort=password&dir=sideways', emails => emails.toReversed()],
  ])('walks all pages %s, total on the first only', async (_, query, expected) => {
    const { project, emails } = await filled(7)
    const seen: string[] = []
    let cursor = ''
    for (let page = 0; ; page++) {
      const { status, body } = await call(project, 'GET', `/contacts?limit=3${query}&cursor=${cursor}`)
      expect(status).toBe(200)
      expect(body.total).toBe(page === 0 ? 7 : 0)
      seen.push(...listed(body))
      expect(body.hasMore).toBe(page < 2)
      if (!body.hasMore) {
        expect(body.cursor).toBeNull()
        break
      }
      // The row at the boundary goes away, and the next page is not disturbed.
      await call(project, 'DELETE', `/contacts/${body.data.at(-1).id}`)
      cursor = body.cursor
    }
    expect(seen).toEqual(expected(emails))
  })

  test.each<[string, number]>([
    ['', 20],
    ['limit=5', 5],
    ['limit=1000', 24],
    ['limit=0', 20],
    ['limit=-3', 20],
    ['limit=many', 20],
  ])('limit "%s" gives %d', async (query, expected) => {
    const { project } = await filled(24)
    expect((await call(project, 'GET', `/contacts?${query}`)).body.data).toHaveLength(expected)
  })

  test('searches a part of the address, in any case and literally', async () => {
    const project = await makeProject({ ctx })
    for (const email of ['a_b@example.com', 'axb@example.com', 'p%q@example.com', 'pq@other.com'])
      await create(project, { email })
    const find = async (text: string) => {
      const { body } = await call(
        project,
        'GET',
        `/contacts?sort=email&dir=asc&search=${encodeURIComponent(text)}`,
      )
      expect(body.total).toBe(body.data.length)
      return listed(body)
    }
    expect(await find('EXAMPLE')).toEqual(['a_b@example.com', 'axb@example.com', 'p%q@example.com'])
    expect(await find('_')).toEqual(['a_b@example.com'])
    expect(await find('%')).toEqual(['p%q@example.com'])
    expect(await find('\\')).toEqual([])
    expect(await find("' or 1=1")).toEqual([])
    expect(await find(' q@ ')).toEqual(['p%q@example.com', 'pq@other.com'])
  })

  test('filters by state, total included, whether counts are rolled up or not', async () => {
    const project = await makeProject({ ctx })
    await create(project, { email: 'in@example.com' })
    await create(project, { email: 'out@example.com', subscribed: false })
    const { id } = await create(project, { email: 'asleep@example.com', subscribed: false })
    await ctx.sql`update contacts set snoozed_until = ${clock.now()} where project_id = ${project.id}::uuid and id = ${id}::uuid`
    const expected: Record<string, string[]> = {
      'subscribed=true': ['in@example.com'],
      'subscribed=false': ['asleep@example.com', 'out@example.com'],
      'status=subscribed': ['in@example.com'],
      'status=snoozed': ['asleep@example.com'],
      'status=unsubscribed': ['out@example.com'],
      'status=snoozed&subscribed=true': ['asleep@example.com'],
    }
    for (const round of ['appended', 'rolled up']) {
      for (const [query, emails] of Object.entries(expected)) {
        const { body } = await call(project, 'GET', `/contacts?sort=email&dir=asc&${query}`)
        expect([round, query, listed(body), body.total]).toEqual([round, query, emails, emails.length])
        const short = await call(project, 'GET', `/contacts?limit=1&sort=email&dir=asc&${query}`)
        expect([round, query, listed(short.body), short.body.total]).toEqual([
          round,
          query,
          emails.slice(0, 1),
          emails.length,
        ])
      }
      await rollUpContactTotals(ctx)
    }
  })

  test('counts the matches of a search up to 5,000, with the other filters', async () => {
    const project = await makeProject({ ctx })
    await ctx.sql`
      insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
      select uuid_v7(${clock.now()}::timestamptz, n), ${project.id}::uuid, 'many' || n || '@example.com', n % 2 = 0, '{}',
             ${clock.now()}::timestamptz, ${clock.now()}::timestamptz
        from generate_series(1, 6002) n`
    const total = async (query: string) => (await call(project, 'GET', `/contacts?${query}`)).body.total
    expect(await total('search=many')).toBe(5_000)
    expect(await total('search=many&subscribed=true')).toBe(3_001)
    expect(await total('search=many600')).toBe(4)
    expect(await total('search=many600&limit=1')).toBe(4)
  })

  test.each(['nonsense', 'WzFd', Buffer.from('["x","y"]').toString('base64url')])(
    'cursor %p is 400',
    async cursor => {
      const project = await makeProject({ ctx })
      expect(await call(project, 'GET', `/contacts?cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { error: { code: 'BAD_REQUEST' } },
      })
    },
  )

  test('shows nothing of another project', async () => {
    const [one, two] = [await makeProject({ ctx }), await makeProject({ ctx })]
    await create(one, { email: 'a@example.com', data: { secret: 1 } })
    expect((await call(two, 'GET', '/contacts?search=example')).body).toEqual({
      data: [],
      cursor: null,
      hasMore: false,
      total: 0,
    })
    expect((await call(two, 'GET', '/contacts/fields')).body.fields).toHaveLength(4)
  })
})

describe('POST /contacts/lookup', () => {
  test('sorts addresses into found and not found, as they were spelt and as often', async () => {
    const project = await makeProject({ ctx })
    await create(project, { email: 'a@example.com' })
    const { status, body } = await call(project, 'POST', '/contacts/lookup', {
      emails: ['B@x.test', ' A@Example.com', 'a@example.com', '', 'a@example.com'],
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      found: [' A@Example.com', 'a@example.com', 'a@example.com'],
      notFound: ['B@x.test', ''],
    })
  })

  test.each<[string, unknown, number]>([
    ['no list', {}, 400],
    ['an empty list', { emails: [] }, 400],
    ['501 addresses', { emails: Array.from({ length: 501 }, () => 'a@x.test') }, 422],
    ['500 addresses', { emails: Array.from({ length: 500 }, () => 'a@x.test') }, 200],
    ['a number', { emails: [5] }, 422],
    ['text', { emails: 'a@x.test' }, 422],
  ])('%s is answered with the right status', async (_, body, status) => {
    expect((await call(await makeProject({ ctx }), 'POST', '/contacts/lookup', body)).status).toBe(status)
  })
})

describe('GET /contacts/fields', () => {
  test('without contacts: the four standard fields, full coverage', async () => {
    const { body } = await call(await makeProject({ ctx }), 'GET', '/contacts/fields')
    expect(body).toEqual({
      fields: [
        { field: 'createdAt', type: 'date', isCustom: false, coverage: 1 },
        { field: 'email', type: 'string', isCustom: false, coverage: 1 },
        { field: 'subscribed', type: 'boolean', isCustom: false, coverage: 1 },
        { field: 'updatedAt', type: 'date', isCustom: false, coverage: 1 },
      ],
      count: 4,
    })
  })

  test('custom fields come with type and the share of contacts that have them', async () => {
    const project = await makeProject({ ctx })
    await create(project, { email: 'a@example.com', data: { plan: 'pro', age: 5, 'a b.c': '2026-01-01' } })
    await create(project, {
      email: 'b@example.com',
      data: { plan: 7, once: { value: 1, persistent: false } },
    })
    await create(project, { email: 'c@example.com' })
    await create(project, { email: 'd@example.com' })
    const { body } = await call(project, 'GET', '/contacts/fields')
    expect(body.fields.filter((field: { isCustom: boolean }) => field.isCustom)).toEqual([
      { field: 'data.a b.c', type: 'date', isCustom: true, coverage: 0.25 },
      { field: 'data.age', type: 'number', isCustom: true, coverage: 0.25 },
      { field: 'data.plan', type: 'string', isCustom: true, coverage: 0.5 },
    ])
  })
})

describe('access', () => {
  const routes: Array<[string, string, unknown]> = [
    ['GET', '/contacts', undefined],
    ['POST', '/contacts', { email: 'a@example.com' }],
    ['GET', '/contacts/fields', undefined],
    ['POST', '/contacts/lookup', { emails: ['a@x.test'] }],
    ['GET', `/contacts/${Bun.randomUUIDv7()}`, undefined],
    ['PATCH', `/contacts/${Bun.randomUUIDv7()}`, {}],
    ['DELETE', `/contacts/${Bun.randomUUIDv7()}`, undefined],
  ]

  test.each(routes)('%s %s needs the secret key', async (method, path, body) => {
    const project = await makeProject({ ctx })
    const without = await request(app, method, path, { body })
    expect([without.status, without.body.error.code]).toEqual([401, 'MISSING_AUTH'])
    const wrong = await request(app, method, path, { body, key: project.publicKey })
    expect([wrong.status, wrong.body.error.code]).toEqual([401, 'INVALID_API_KEY'])
  })

  test.each(routes)('a disabled project: %s %s', async (method, path, body) => {
    const project = await makeProject({ ctx })
    await ctx.sql`update projects set disabled = true, disabled_reason = 'MANUAL' where id = ${project.id}::uuid`
    const isOpen = method === 'GET' || path.endsWith('lookup')
    const { status } = await call(project, method, path, body)
    expect(status === 403).toBe(!isOpen)
  })

  test('a member sees the contacts with a session', async () => {
    const project = await makeProject({ ctx })
    await create(project, { email: 'a@example.com' })
    const [member, stranger] = [await makeUser({ ctx }), await makeUser({ ctx })]
    await makeMember({ ctx }, project.id, 'MEMBER', member)
    const list = async ({ email, password }: { email: string; password: string }) => {
      const { cookies } = await request(app, 'POST', '/auth/login', { body: { email, password } })
      return request(app, 'GET', '/contacts', {
        cookie: Object.values(cookies).join('; '),
        headers: { 'x-project-id': project.id },
      })
    }
    expect((await list(member)).body.total).toBe(1)
    expect((await list(stranger)).status).toBe(403)
  })
})

// Contacts as CSV: the same filters as the list, nothing a spreadsheet would run, readable by our own import, bounded in memory.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import type { AnyElysia } from 'elysia'
import { makeApplication } from '../../src/http/application'
import { contactJobs } from '../../src/modules/audience/contacts/jobs'
import { contactsRoutes } from '../../src/modules/audience/contacts/routes'
import type { Context } from '../../src/platform/context'
import { handlerTable } from '../../src/platform/jobs/kind'
import { type ManualClock, testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { drain } from '../support/drain'
import { type MadeProject, makeProject } from '../support/make'
import { request } from '../support/request'

let database: TestDatabase
let ctx: Context
let clock: ManualClock
let app: AnyElysia
const handlers = handlerTable(contactJobs)

beforeAll(async () => {
  database = await cloneDatabase()
  ;({ ctx, clock } = testContext(database, { rateLimitPerMinute: 0 }))
  app = makeApplication(ctx, [contactsRoutes])
})
afterAll(() => database.drop())

const call = (project: MadeProject, method: string, path: string, body?: unknown) =>
  request(app, method, path, { key: project.secretKey, body })

async function projectWith(...people: Array<Record<string, unknown>>): Promise<MadeProject> {
  const project = await makeProject({ ctx })
  for (const person of people) {
    clock.advance(1)
    await call(project, 'POST', '/contacts', person)
  }
  return project
}

async function exported(project: MadeProject, query = ''): Promise<Array<Record<string, string>>> {
  const { body } = await call(project, 'GET', `/contacts/export${query}`)
  return parse(body, { columns: true })
}

async function insertMany(project: MadeProject, count: number): Promise<void> {
  await ctx.sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select gen_random_uuid(), ${project.id}::uuid, 'u' || n || '@x.test', true, '{"n": 1}',
           ${clock.now()}::timestamptz, ${clock.now()}::timestamptz from generate_series(1, ${count}::int) n`
}

test('is a file of all contacts, newest first, with every custom field', async () => {
  const project = await projectWith(
    { email: 'a@x.test', data: { plan: 'pro', n: -5, list: [1, 'x'] } },
    { email: 'b@x.test', subscribed: false, data: { ok: false, 'First Name': 'Zoë, "Z"\nX' } },
  )
  const { status, headers, body } = await call(project, 'GET', '/contacts/export')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="contacts-\d{4}-\d\d-\d\d\.csv"$/)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-request-id')).toBeString()
  const rows: Array<Record<string, string>> = parse(body, { columns: true })
  expect(rows.map(row => row['email'])).toEqual(['b@x.test', 'a@x.test'])
  expect(rows[0]).toEqual({
    id: expect.any(String) as unknown as string,
    email: 'b@x.test',
    subscribed: 'false',
    snoozedUntil: '',
    optedOutAt: '',
    createdAt: clock.now().toISOString(),
    updatedAt: clock.now().toISOString(),
    'First Name': 'Zoë, "Z"\nX',
    'list:json': '',
    n: '',
    ok: 'false',
    plan: '',
  })
  expect(rows[1]).toMatchObject({ n: '-5', plan: 'pro', 'list:json': '[1,"x"]' })
})

test('takes the filters and the order of the list', async () => {
  const project = await projectWith(
    { email: 'in@x.test' },
    { email: 'out@x.test', subscribed: false },
    { email: 'in@other.test' },
  )
  const emails = async (query: string) => (await exported(project, query)).map(row => row['email'])
  expect(await emails('?sort=email&dir=asc')).toEqual(['in@other.test', 'in@x.test', 'out@x.test'])
  expect(await emails('?subscribed=false')).toEqual(['out@x.test'])
  expect(await emails('?search=X.TEST&status=subscribed')).toEqual(['in@x.test'])
  expect(await emails('?limit=1&cursor=nonsense')).toHaveLength(3)
})

test('of no contacts is a line of titles; nothing of another project is in it', async () => {
  await projectWith({ email: 'a@x.test', data: { secret: 1 } })
  const { body } = await call(await makeProject({ ctx }), 'GET', '/contacts/export')
  expect(body).toBe('id,email,subscribed,snoozedUntil,optedOutAt,createdAt,updatedAt\r\n')
})

test('holds nothing that a spreadsheet would run', async () => {
  const project = await projectWith({
    email: '=cmd@x.test',
    data: {
      '=title': '@SUM(A1)',
      a: '+1+1',
      b: '-2-2',
      c: '\tx',
      d: '=HYPERLINK("http://evil.test")',
      e: "'=1",
    },
  })
  const { body } = await call(project, 'GET', '/contacts/export')
  const cells = (parse(body) as string[][]).flat()
  expect(cells.filter(cell => /^[=+\-@\t\r]/.test(cell))).toEqual([])
  expect(cells).toContain('\'=HYPERLINK("http://evil.test")')
})

test('comes back through the import as it was, in another project', async () => {
  const project = await projectWith(
    {
      email: '+a@x.test',
      data: {
        a: '=1+1',
        b: "'=x",
        n: 1.5,
        t: '007',
        ok: true,
        'data.x': 'y',
        Subscribed: 'often',
        'é e': 'ü',
      },
    },
    { email: 'b@x.test', subscribed: false, data: { a: '-3-3' } },
  )
  const { body } = await call(project, 'GET', '/contacts/export')
  const copy = await makeProject({ ctx })
  const form = new FormData()
  form.set('file', new File([body], 'contacts.csv'))
  await call(copy, 'POST', '/contacts/import', form)
  await drain(ctx, handlers)
  const list = async (from: MadeProject) =>
    (await call(from, 'GET', '/contacts?sort=email')).body.data.map(
      ({ email, subscribed, data }: Record<string, unknown>) => ({ email, subscribed, data }),
    )
  expect(await list(copy)).toEqual(await list(project))
})

describe('a large one', () => {
  test('goes out in pages, each contact once', async () => {
    const project = await makeProject({ ctx })
    await insertMany(project, 3_500)
    for (const query of ['', '?sort=email&dir=asc']) {
      const rows = await exported(project, query)
      expect([rows.length, new Set(rows.map(row => row['id'])).size]).toEqual([3_500, 3_500])
    }
  })

  test('of exactly one and two pages is complete', async () => {
    for (const count of [1_000, 2_000]) {
      const project = await makeProject({ ctx })
      await insertMany(project, count)
      expect(await exported(project)).toHaveLength(count)
    }
  })

  test('reads no further than its client, and stops when that goes away', async () => {
    const project = await makeProject({ ctx })
    await insertMany(project, 20_000)
    let pages = 0
    const watched: Context = {
      ...ctx,
      db: new Proxy(ctx.db, {
        get(target, name, receiver) {
          if (name === 'select') pages++
          const value: unknown = Reflect.get(target, name, receiver)
          return typeof value === 'function' ? value.bind(target) : value
        },
      }),
    }
    const response: Response = await makeApplication(watched, [contactsRoutes]).handle(
      new Request('http://localhost/contacts/export', {
        headers: { authorization: `Bearer ${project.secretKey}` },
      }),
    )
    const reader = response.body!.getReader()
    await reader.read()
    // The first line took a look at all: it says what the columns hold.
    const before = pages
    await reader.read()
    await Bun.sleep(50)
    expect(pages - before).toBeLessThanOrEqual(3)
    await reader.cancel()
    await Bun.sleep(50)
    expect(pages - before).toBeLessThanOrEqual(3)
  })
})

test('needs a key', async () => {
  expect((await request(app, 'GET', '/contacts/export')).status).toBe(401)
})

// At most 500 keys for what a contact holds, whatever way they arrive, and at any concurrency.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { contactJobs } from '../../src/modules/audience/contacts/jobs'
import type { Context } from '../../src/platform/context'
import { handlerTable } from '../../src/platform/jobs/kind'
import { buildApp } from '../../src/server/app'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { drain } from '../support/drain'
import { type MadeProject, makeProject } from '../support/make'
import { request } from '../support/request'

let database: TestDatabase
let ctx: Context
let app: AnyElysia

beforeAll(async () => {
  database = await cloneDatabase()
  ;({ ctx } = testContext(database, { rateLimitPerMinute: 0 }))
  app = buildApp(ctx)
})
afterAll(() => database.drop())

const call = (project: MadeProject, method: string, path: string, body?: unknown) =>
  request(app, method, path, { key: project.secretKey, body })
const keys = (from: number, to: number) =>
  Object.fromEntries(Array.from({ length: to - from }, (_, n) => [`k${from + n}`, 1]))
const email = 'a@x.test'

test('POST, PATCH, track and import take no key beyond, and everything else', async () => {
  const project = await makeProject({ ctx })
  const { body } = await call(project, 'POST', '/contacts', { email, data: keys(0, 500) })
  const tooMany = [
    await call(project, 'POST', '/contacts', { email, data: { more: 1 } }),
    await call(project, 'PATCH', `/contacts/${body.id}`, { data: { more: 1 } }),
    await request(app, 'POST', '/v1/track', {
      key: project.publicKey,
      body: { email, event: 'x', data: { more: 1 } },
    }),
  ]
  expect(tooMany.map(({ status }) => status)).toEqual([422, 422, 422])
  expect(tooMany[0]!.body.error.errors).toMatchObject([
    { field: 'data', message: 'Must have at most 500 keys' },
  ])
  const form = new FormData()
  form.set('file', new File(['email,more\na@x.test,1\nb@x.test,2\n'], 'x.csv'))
  const { jobId } = (await call(project, 'POST', '/contacts/import', form)).body
  await drain(ctx, handlerTable(contactJobs))
  const { result } = (await call(project, 'GET', `/contacts/import/${jobId}`)).body
  expect(result).toMatchObject({ createdCount: 1, failureCount: 1, errors: [{ row: 2, email }] })
  const change = { subscribed: false, data: { k0: null, more: 2 } }
  expect((await call(project, 'PATCH', `/contacts/${body.id}`, change)).status).toBe(200)
  const { data } = (await call(project, 'GET', `/contacts/${body.id}`)).body
  expect(Object.keys(data)).toHaveLength(500)
})

test('of many at once those are refused that go beyond', async () => {
  const project = await makeProject({ ctx })
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      call(project, 'POST', '/contacts', { email, data: keys(n * 100, (n + 1) * 100) }),
    ),
  )
  const taken = answers.filter(({ status }) => status < 300)
  expect([taken.length, answers.length - taken.length]).toEqual([5, 3])
  const [row] = await ctx.sql<{ count: number }[]>`
    select count(*)::int as count from contacts c cross join lateral jsonb_object_keys(c.data) where c.project_id = ${project.id}::uuid`
  expect(row!.count).toBe(500)
})

test('a contact that is two in one, with more fields than that, is changed and imported, and gets no more', async () => {
  const project = await makeProject({ ctx })
  const { id } = (await call(project, 'POST', '/contacts', { email })).body
  await ctx.sql`
    update contacts set keys_allowed = 600, data = (select jsonb_object_agg('key_' || n, n) from generate_series(1, 600) as n)
     where project_id = ${project.id}::uuid`
  expect((await call(project, 'PATCH', `/contacts/${id}`, { subscribed: false })).status).toBe(200)
  expect((await call(project, 'PATCH', `/contacts/${id}`, { data: { more: 1 } })).status).toBe(422)
  const form = new FormData()
  form.set('file', new File([`email,key_1,more\na@x.test,7,\na@x.test,,1\n`], 'x.csv'))
  const { jobId } = (await call(project, 'POST', '/contacts/import', form)).body
  await drain(ctx, handlerTable(contactJobs))
  const { result } = (await call(project, 'GET', `/contacts/import/${jobId}`)).body
  expect(result).toMatchObject({ updatedCount: 1, failureCount: 1, errors: [{ row: 3 }] })
  const { data, subscribed } = (await call(project, 'GET', `/contacts/${id}`)).body
  expect([Object.keys(data).length, data.key_1, subscribed]).toEqual([600, 7, false])
})

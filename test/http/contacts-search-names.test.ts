// Searching contacts by name: only where that is asked for, in the list, with a filter, in exports and in changes of many.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { contactName } from '../../src/dashboard/pages/contacts/value'
import { makeApplication } from '../../src/http/application'
import { personName } from '../../src/modules/audience/contacts'
import { contactsRoutes } from '../../src/modules/audience/contacts/routes'
import { givenConditionSql } from '../../src/modules/features/segments/service'
import type { Context } from '../../src/platform/context'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { type MadeProject, makeProject } from '../support/make'
import { request } from '../support/request'

let database: TestDatabase
let ctx: Context
let app: AnyElysia
let project: MadeProject

const people: [string, Record<string, unknown>][] = [
  ['nora@x.test', { firstName: 'Nora', lastName: 'Lindqvist' }],
  ['n.l@x.test', { 'First name': 'NORA', city: 'Berlin' }],
  ['info@x.test', { name: 'Nora & Söhne', company: 'Lindqvist' }],
  ['other@x.test', { firstName: 7, note: 'knows Nora' }],
]

beforeAll(async () => {
  database = await cloneDatabase()
  ;({ ctx } = testContext(database, { rateLimitPerMinute: 0 }))
  app = makeApplication(ctx, [ctx => contactsRoutes(ctx, { readFilter: givenConditionSql })])
  project = await makeProject({ ctx })
  for (const [email, data] of people) await call('POST', '/contacts', { email, data })
})
afterAll(() => database.drop())

const call = (method: string, path: string, body?: unknown) =>
  request(app, method, path, { key: project.secretKey, body })

const found = async (query: string): Promise<string[]> =>
  (await call('GET', `/contacts?sort=email&dir=asc&${query}`)).body.data.map(
    ({ email }: { email: string }) => email,
  )

test.each([
  ['search=nora', ['nora@x.test']],
  ['search=nora&searchNames=true', ['info@x.test', 'n.l@x.test', 'nora@x.test']],
  ['search=Nora%20Lind&searchNames=true', ['nora@x.test']],
  ['search=s%C3%B6hne&searchNames=true', ['info@x.test']],
  ['search=berlin&searchNames=true', []],
  ['search=%25&searchNames=true', []],
  ['search=nora%40x&searchNames=true', ['nora@x.test']],
])('%s finds %j', async (query, emails) => {
  expect(await found(query)).toEqual(emails)
})

test('pages, filters, exports and changes of many find the same', async () => {
  const first = (await call('GET', '/contacts?search=nora&searchNames=true&limit=2')).body
  expect(first.total).toBe(3)
  const cursor = encodeURIComponent(first.cursor)
  const rest = (await call('GET', `/contacts?search=nora&searchNames=true&limit=2&cursor=${cursor}`)).body
  expect([first.data.length, rest.data.length]).toEqual([2, 1])
  const filter = {
    logic: 'AND',
    groups: [{ filters: [{ field: 'subscribed', operator: 'equals', value: true }] }],
  }
  const body = { filter, search: 'nora', searchNames: true }
  expect((await call('POST', '/contacts/search', body)).body.total).toBe(3)
  const csv = await call('GET', '/contacts/export?search=nora&searchNames=true')
  expect(csv.body.trim().split('\n').length).toBe(4)
  const bulk = (searchNames?: boolean) =>
    call('POST', '/contacts/bulk-unsubscribe', { mode: 'query', search: 'nora', searchNames })
  expect((await bulk()).body.totalRequested).toBe(1)
  expect((await bulk(true)).body.totalRequested).toBe(3)
})

test('the dashboard calls people what the server calls them', () => {
  for (const [, data] of people) expect(contactName(data) ?? null).toBe(personName(data))
})

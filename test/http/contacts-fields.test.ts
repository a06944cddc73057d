// Single fields of contacts: their values, who refers to them, and taking them away from everybody.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { makeApplication } from '../../src/http/application'
import { fieldReferences } from '../../src/modules/audience/contacts/hooks'
import { contactJobs } from '../../src/modules/audience/contacts/jobs'
import { contactsRoutes } from '../../src/modules/audience/contacts/routes'
import { rollUpContactTotals, upsertContacts } from '../../src/modules/audience/contacts/service'
import type { Context } from '../../src/platform/context'
import { on } from '../../src/platform/hooks'
import { handlerTable } from '../../src/platform/jobs/kind'
import { type ManualClock, testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { drain } from '../support/drain'
import { withHooks } from '../support/hooks'
import { type MadeProject, makeProject } from '../support/make'
import { request } from '../support/request'

let database: TestDatabase
let ctx: Context
let clock: ManualClock
let app: AnyElysia
const handlers = handlerTable(contactJobs)

const segments = async (_: unknown, { projectId, field }: { projectId: string; field: string }) =>
  field === 'data.plan' ? { segments: [{ id: projectId, name: 'Pro' }] } : {}
const others = async (_: unknown, { projectId, field }: { projectId: string; field: string }) =>
  field === 'data.plan' || field === 'email'
    ? { campaigns: [{ id: projectId, name: 'News' }], workflows: [{ id: projectId, name: 'Welcome' }] }
    : {}

beforeAll(async () => {
  database = await cloneDatabase()
  const base = testContext(database, { rateLimitPerMinute: 0 })
  clock = base.clock
  ctx = withHooks(base.ctx, on(fieldReferences, segments, others))
  app = makeApplication(ctx, [contactsRoutes])
})
afterAll(() => database.drop())

const call = (project: MadeProject, method: string, path: string, body?: unknown) =>
  request(app, method, path, { key: project.secretKey, body })

async function projectWith(...people: Array<Record<string, unknown>>): Promise<MadeProject> {
  const project = await makeProject({ ctx })
  for (const [index, data] of people.entries())
    await call(project, 'POST', '/contacts', { email: `p${index}@x.test`, data })
  return project
}

/** A project with so many contacts that have `data`, without a request for each. */
async function crowd(count: number, data: Record<string, unknown>): Promise<MadeProject> {
  const project = await makeProject({ ctx })
  for (let done = 0; done < count; done += 1_000) {
    const entries = Array.from({ length: Math.min(1_000, count - done) }, (_, index) => ({
      email: `c${done + index}@x.test`,
      patch: { set: data, remove: [], transient: {} },
    }))
    await upsertContacts(ctx, project.id, entries, { defaultSubscribed: true })
  }
  return project
}

const coverageOf = async (project: MadeProject) => {
  const { body } = await call(project, 'GET', '/contacts/fields')
  const custom = body.fields.filter((field: { isCustom: boolean }) => field.isCustom)
  return Object.fromEntries(
    custom.map((field: { field: string; coverage: number }) => [field.field, field.coverage]),
  )
}

describe('GET /contacts/fields/:field/values', () => {
  test('lists different values as they are stored, ascending, without empty ones, objects and lists', async () => {
    const project = await projectWith(
      { v: '007' },
      { v: 7 },
      { v: true },
      { v: 'true' },
      { v: { a: 1 } },
      { v: [1] },
      { v: 'Ärger' },
      { v: '007' },
      { other: 'x' },
    )
    const { status, body } = await call(project, 'GET', '/contacts/fields/v/values')
    expect(status).toBe(200)
    expect(body).toMatchObject({ field: 'v', count: 5, limit: 100 })
    expect(body.values).toHaveLength(5)
    expect(new Set(body.values)).toEqual(new Set(['007', 7, true, 'true', 'Ärger']))
    expect((await call(project, 'GET', '/contacts/fields/data.v/values')).body.values).toEqual(body.values)
  })

  test('numbers and texts come in their order', async () => {
    const project = await projectWith({ n: 10, t: 'b' }, { n: 9.5, t: 'a' }, { n: -1, t: 'c' })
    expect((await call(project, 'GET', '/contacts/fields/n/values')).body.values).toEqual([-1, 9.5, 10])
    expect((await call(project, 'GET', '/contacts/fields/t/values')).body.values).toEqual(['a', 'b', 'c'])
  })

  test.each<[string, unknown[]]>([
    ['subscribed', [true, false]],
    ['email', []],
    ['createdAt', []],
    ['updatedAt', []],
    ['unknown', []],
    ['data.email', []],
    ['__proto__', []],
    ["'%20or%201=1", []],
    ['data.', []],
    ['%F0%9F%92%A9', []],
  ])('of %s are %j', async (field, values) => {
    const project = await projectWith({ a: 1 })
    const { status, body } = await call(project, 'GET', `/contacts/fields/${field}/values`)
    expect([status, body.values]).toEqual([200, values])
  })

  test('names with dots, blanks and slashes are found', async () => {
    const project = await projectWith({ 'a.b': 1, 'c d': 2, 'e/f': 3, subscribed: 'maybe' })
    for (const [name, value] of [
      ['a.b', 1],
      ['c d', 2],
      ['e/f', 3],
      ['data.subscribed', 'maybe'],
    ] as const)
      expect(
        (await call(project, 'GET', `/contacts/fields/${encodeURIComponent(name)}/values`)).body.values,
      ).toEqual([value])
  })

  test.each([
    ['', 100],
    ['5', 5],
    ['200', 200],
    ['9999', 200],
    ['0', 100],
    ['-1', 100],
    ['many', 100],
  ])('limit %j counts as %d', async (limit, expected) => {
    const project = await projectWith(...Array.from({ length: 8 }, (_, n) => ({ n })))
    const { body } = await call(project, 'GET', `/contacts/fields/n/values?limit=${limit}`)
    expect(body.limit).toBe(expected)
    expect(body.values).toEqual([0, 1, 2, 3, 4, 5, 6, 7].slice(0, expected))
  })

  test('show nothing of another project', async () => {
    await projectWith({ secret: 'x' })
    expect((await call(await projectWith({}), 'GET', '/contacts/fields/secret/values')).body.values).toEqual(
      [],
    )
  })

  test('come from the newest ten thousand contacts, however many there are', async () => {
    const project = await crowd(12_000, { plan: 'old' })
    clock.advance(1_000)
    await call(project, 'POST', '/contacts', { email: 'new@x.test', data: { plan: 'new' } })
    const { body } = await call(project, 'GET', '/contacts/fields/plan/values')
    expect(body.values).toEqual(['new', 'old'])
    await ctx.sql`update contacts set data = '{"plan": "oldest"}' where project_id = ${project.id}::uuid
                   and id = (select id from contacts where project_id = ${project.id}::uuid order by id limit 1)`
    expect((await call(project, 'GET', '/contacts/fields/plan/values')).body.values).toEqual(['new', 'old'])
  })
})

describe('GET /contacts/fields/:field/usage', () => {
  test('gathers who refers to a custom field and counts the contacts that have it', async () => {
    const project = await projectWith({ plan: 'pro' }, { plan: 1 }, {})
    const named = (name: string) => [{ id: project.id, name }]
    for (const field of ['plan', 'data.plan']) {
      const { status, body } = await call(project, 'GET', `/contacts/fields/${field}/usage`)
      expect(status).toBe(200)
      expect(body).toEqual({
        usedInSegments: named('Pro'),
        usedInCampaigns: named('News'),
        usedInWorkflows: named('Welcome'),
        contactCount: 2,
        canDelete: false,
      })
      await rollUpContactTotals(ctx)
    }
  })

  test('of a field that nothing refers to, of an unknown one, and of standard ones', async () => {
    const project = await projectWith({ a: 1 }, {}, {})
    const usage = async (field: string) =>
      (await call(project, 'GET', `/contacts/fields/${field}/usage`)).body
    expect(await usage('data.a')).toMatchObject({ usedInSegments: [], contactCount: 1, canDelete: true })
    expect(await usage('nothing')).toMatchObject({ contactCount: 0, canDelete: true })
    expect(await usage('createdAt')).toMatchObject({ usedInCampaigns: [], contactCount: 3, canDelete: false })
    expect((await usage('email')).usedInCampaigns).toHaveLength(1)
  })
})

describe('DELETE /contacts/fields/:field', () => {
  test('takes the field from every contact, forgets its type, and leaves everything else', async () => {
    const project = await projectWith({ plan: 'pro', keep: 1 }, { plan: 2 }, { keep: 2 })
    const other = await projectWith({ plan: 'pro' })
    const before = (await call(project, 'GET', '/contacts?sort=email&dir=asc')).body.data
    clock.advance(1_000)
    const answer = await call(project, 'DELETE', '/contacts/fields/data.plan')
    expect([answer.status, answer.body]).toEqual([200, { deletedFrom: 2 }])
    const after = (await call(project, 'GET', '/contacts?sort=email&dir=asc')).body.data
    expect(after.map((contact: { data: unknown }) => contact.data)).toEqual([{ keep: 1 }, {}, { keep: 2 }])
    expect(after[0].updatedAt > before[0].updatedAt).toBe(true)
    expect(after[2].updatedAt).toBe(before[2].updatedAt)
    expect(await coverageOf(project)).toEqual({ 'data.keep': 2 / 3 })
    expect(await coverageOf(other)).toEqual({ 'data.plan': 1 })
    expect((await call(project, 'DELETE', '/contacts/fields/data.plan')).body).toEqual({ deletedFrom: 0 })
    await call(project, 'POST', '/contacts', { email: 'new@x.test', data: { plan: 5 } })
    const { body } = await call(project, 'GET', '/contacts/fields')
    expect(body.fields.find((field: { field: string }) => field.field === 'data.plan').type).toBe('number')
  })

  test.each(['plan', 'email', 'subscribed', 'data.', 'Data.plan'])(
    'of %s is 400 and changes nothing',
    async field => {
      const project = await projectWith({ plan: 'pro' })
      expect((await call(project, 'DELETE', `/contacts/fields/${field}`)).status).toBe(400)
      expect(await coverageOf(project)).toEqual({ 'data.plan': 1 })
    },
  )

  test('of names with dots, blanks and quotes finds exactly that key', async () => {
    const project = await projectWith({ 'a.b': 1, a: { b: 1 }, "x'y": 1, 'data.z': 1 })
    for (const name of ['a.b', "x'y", 'data.z'])
      expect(
        (await call(project, 'DELETE', `/contacts/fields/data.${encodeURIComponent(name)}`)).body,
      ).toEqual({ deletedFrom: 1 })
    expect(await coverageOf(project)).toEqual({ 'data.a': 1 })
  })

  test('of a known field that no contact has any more only forgets it', async () => {
    const project = await projectWith({ a: 1 })
    await call(project, 'POST', '/contacts', { email: 'p0@x.test', data: { a: null } })
    expect(await coverageOf(project)).toEqual({ 'data.a': 0 })
    expect((await call(project, 'DELETE', '/contacts/fields/data.a')).body).toEqual({ deletedFrom: 0 })
    expect(await coverageOf(project)).toEqual({})
  })

  test('goes through twelve thousand contacts in pages, and two at once share them', async () => {
    const project = await crowd(12_000, { plan: 'old', keep: 1 })
    const answers = await Promise.all([1, 2].map(() => call(project, 'DELETE', '/contacts/fields/data.plan')))
    const sum = answers.reduce((total, answer) => total + answer.body.deletedFrom, 0)
    expect(sum).toBeGreaterThanOrEqual(12_000)
    expect(await coverageOf(project)).toEqual({ 'data.keep': 1 })
  })

  test('that takes too long answers from the counts, and the job does the rest; new contacts keep theirs', async () => {
    const project = await crowd(11_000, { plan: 'old' })
    // Each look at the clock takes long: the request's patience is over after the first page.
    const slowClock = {
      now() {
        clock.advance(9_000)
        return clock.now()
      },
    }
    const slow = { ...ctx, clock: slowClock }
    const answer = await request(
      makeApplication(slow, [contactsRoutes]),
      'DELETE',
      '/contacts/fields/data.plan',
      { key: project.secretKey },
    )
    expect(answer.body).toEqual({ deletedFrom: 11_000 })
    const [left] = await ctx.sql<
      { count: number }[]
    >`select count(*) from contacts where project_id = ${project.id}::uuid and data ? 'plan'`
    expect(left!.count).toBeGreaterThan(0)
    await call(project, 'POST', '/contacts', { email: 'later@x.test', data: { plan: 'new' } })
    clock.advance(3_600_000)
    await drain(ctx, handlers)
    const rows = await ctx.sql<
      { email: string }[]
    >`select email from contacts where project_id = ${project.id}::uuid and data ? 'plan'`
    expect(rows.map(row => row.email)).toEqual(['later@x.test'])
    expect(await coverageOf(project)).toEqual({ 'data.plan': 1 / 11_001 })
  })
})

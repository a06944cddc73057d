// Contacts sought by a filter tree: who is found, the exact count, pages without doubles, and what is refused.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { upsertContacts } from '../../src/modules/audience/contacts/service'
import type { Context } from '../../src/platform/context'
import { buildApp } from '../../src/server/app'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { type MadeProject, makeProject } from '../support/make'
import { request } from '../support/request'

let database: TestDatabase
let ctx: Context
let app: AnyElysia
let project: MadeProject

beforeAll(async () => {
  database = await cloneDatabase()
  ctx = testContext(database, { rateLimitPerMinute: 0 }).ctx
  app = buildApp(ctx)
  project = await makeProject({ ctx })
  const entries = Array.from({ length: 250 }, (_, index) => ({
    email: `u${String(index).padStart(3, '0')}@x.test`,
    subscribed: index % 2 === 0,
    patch: { set: { plan: index % 5 === 0 ? 'pro' : 'free' }, remove: [], transient: {} },
  }))
  await upsertContacts(ctx, project.id, entries, { defaultSubscribed: true })
})
afterAll(() => database.drop())

const search = (body: unknown, of = project) =>
  request(app, 'POST', '/contacts/search', { key: of.secretKey, body })
const tree = (...filters: object[]) => ({ logic: 'AND', groups: [{ filters }] })
const isPro = tree({ field: 'data.plan', operator: 'equals', value: 'pro' })
const emails = (body: { data: { email: string }[] }) => body.data.map(({ email }) => email)

describe('a search by a filter', () => {
  test('finds who matches, newest first, and counts all of them', async () => {
    const { status, body } = await search({ filter: isPro, limit: 3 })
    expect(status).toBe(200)
    expect(emails(body)).toEqual(['u245@x.test', 'u240@x.test', 'u235@x.test'])
    expect(body).toMatchObject({ total: 50, hasMore: true })
  })

  test('goes on with the cursor until everybody was there once', async () => {
    const found: string[] = []
    let cursor: string | null | undefined
    do {
      const { body } = await search({ filter: isPro, limit: 20, sort: 'email', dir: 'asc', cursor })
      found.push(...emails(body))
      cursor = body.cursor
    } while (cursor)
    expect(found).toEqual(
      Array.from({ length: 50 }, (_, nth) => `u${String(nth * 5).padStart(3, '0')}@x.test`),
    )
  })

  test('joins the filter with part of the address and the subscription', async () => {
    const { body } = await search({ filter: isPro, search: 'U20', status: 'subscribed' })
    expect(emails(body)).toEqual(['u200@x.test'])
    expect(body.total).toBe(1)
  })

  test('means everybody without a filter, and looks into the own project only', async () => {
    expect((await search({})).body).toMatchObject({ total: 250, hasMore: true })
    const stranger = await makeProject({ ctx })
    expect((await search({ filter: isPro }, stranger)).body).toMatchObject({ data: [], total: 0 })
  })

  test('goes out as a file, whole', async () => {
    const file = await app.handle(
      new Request('http://localhost/contacts/export', {
        method: 'POST',
        headers: { authorization: `Bearer ${project.secretKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ filter: isPro }),
      }),
    )
    const lines = (await file.text()).trim().split(/\r?\n/)
    expect(lines).toHaveLength(51)
    expect(lines.slice(1).every(line => line.includes('pro'))).toBe(true)
  })

  test.each([
    ['an empty tree', { filter: {} }, 400],
    ['an unknown operator', { filter: tree({ field: 'email', operator: 'like', value: 'x' }) }, 400],
    [
      'a segment that is not there',
      { filter: tree({ field: `segment.${Bun.randomUUIDv7()}`, operator: 'memberOfSegment' }) },
      404,
    ],
    ['a cursor that is none', { filter: isPro, cursor: 'nonsense' }, 400],
    ['too much at once', { limit: 1_000 }, 422],
    ['an unknown state', { status: 'asleep' }, 422],
  ])('refuses %s', async (_, body, status) => {
    const answer = await search(body)
    expect(answer.status).toBe(status)
    expect(answer.body.error.message).toBeString()
  })
})

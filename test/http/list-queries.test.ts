// What queries of lists have in common: how long their values may be, and what a cursor that is none of ours is told.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { buildApp } from '../../src/server/app'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { makeProject } from '../support/make'
import { request } from '../support/request'

let database: TestDatabase
let app: AnyElysia
let key: string

beforeAll(async () => {
  database = await cloneDatabase()
  const { ctx } = testContext(database, { rateLimitPerMinute: 0 })
  app = buildApp(ctx)
  key = (await makeProject({ ctx })).secretKey
})
afterAll(async () => await database.drop())

const cursorLists = ['/contacts', '/events', '/emails', '/activity', '/suppressions']

test.each(cursorLists)(
  '%s: a cursor beyond its length is 400 in the envelope, like any that is broken',
  async path => {
    for (const cursor of ['x'.repeat(2_001), 'x'.repeat(9_000), 'broken']) {
      const { status, body, headers } = await request(app, 'GET', `${path}?cursor=${cursor}`, { key })
      expect({ path, status }).toEqual({ path, status: 400 })
      expect(body).toMatchObject({ success: false, error: { code: 'BAD_REQUEST' } })
      expect(body.error.requestId).toBe(headers.get('x-request-id'))
    }
  },
)

test.each([
  ['/contacts', 255],
  ['/campaigns', 500],
  ['/templates', 500],
  ['/workflows', 200],
])('%s: the length of a search counts code points', async (path, most) => {
  const search = (text: string) => request(app, 'GET', `${path}?search=${encodeURIComponent(text)}`, { key })
  expect((await search('😀'.repeat(most))).status).toBe(200)
  const { status, body } = await search('😀'.repeat(most + 1))
  expect(status).toBe(422)
  expect(body.error.errors).toEqual([
    { field: 'search', message: `Must be at most ${most} characters long`, code: 'too_big' },
  ])
})

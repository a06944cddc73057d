// Words in queries, by the OpenAPI document: whatever parameter lists its values takes no other, in every route.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { after, day } from '../../src/lib/time'
import { signSession } from '../../src/modules/accounts/users/guard'
import { noteSession } from '../../src/modules/accounts/users/service'
import { buildApp } from '../../src/server/app'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { makeProject } from '../support/make'
import { type RequestOptions, request } from '../support/request'

interface Operation {
  parameters?: Array<{
    name: string
    in: string
    schema: { type?: string; enum?: string[]; anyOf?: unknown[] }
  }>
}

const probe = buildApp(testContext({} as TestDatabase).ctx)
const document = (await request(probe, 'GET', '/openapi.json')).body as {
  paths: Record<string, Record<string, Operation>>
}

/** As the interface says of them: what orders these lists falls back. */
const fallBack = ['/contacts', '/templates', '/campaigns']

const words = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, { parameters = [] }]) =>
    parameters
      .filter(({ in: place, schema }) => place === 'query' && (schema.enum || schema.type === 'boolean'))
      .map(({ name }) => [method.toUpperCase(), path, name] as const),
  ),
)

let database: TestDatabase
let app: typeof probe
let shown: RequestOptions
let projectId: string
beforeAll(async () => {
  database = await cloneDatabase()
  const { ctx } = testContext(database, { rateLimitPerMinute: 0 })
  app = buildApp(ctx)
  const project = await makeProject({ ctx })
  projectId = project.id
  const names = { id: crypto.randomUUID(), userId: project.ownerId, version: 1, agent: null, address: null }
  const createdAt = ctx.clock.now()
  await noteSession(ctx, { ...names, createdAt, expiresAt: after(createdAt, day) })
  const cookie = `waxwing_session=${await signSession(ctx, { userId: project.ownerId, version: 1 })}`
  shown = { cookie, headers: { 'x-project-id': project.id } }
})
afterAll(async () => await database.drop())

const ask = async (method: string, path: string, query: string) => {
  const isProject = /^\/(users\/@me\/)?projects\//.test(path)
  const filled = path.replaceAll(/\{\w+\}/g, isProject ? projectId : crypto.randomUUID())
  return await request(app, method, `${filled}?${query}`, shown)
}

test('there are some', () => expect(words.length).toBeGreaterThan(15))

describe('a word that is none', () => {
  test.each(words)('%s %s, %s', async (method, path, name) => {
    const falls = ['sort', 'dir'].includes(name) && fallBack.includes(path)
    const { status, body } = await ask(method, path, `${name}=nope`)
    if (falls) return expect(status).toBe(200)
    expect([status, body.error?.errors?.[0].field]).toEqual([400, name])
  })
})

test('whatever can be ordered says by what', () => {
  const bare = Object.entries(document.paths).flatMap(([path, { get }]) =>
    (get?.parameters ?? [])
      .filter(({ name, schema }) => ['sort', 'dir', 'order'].includes(name) && !schema.enum)
      .map(({ name }) => `${path} ${name}`),
  )
  expect(bare).toEqual([])
})

// A corpus of bodies against the public forms: each is answered as it should be, changes nothing that it should not, and holds up
// nobody meanwhile.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { buildApp } from '../../src/server/app'
import { hostileForms } from '../data/hostile-forms'
import { maxBlockMs, watchLoop } from '../support/longest-block'
import { makeRecipient } from '../support/recipient'
import { request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let app: AnyElysia
let formId: string

beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
  // What is loaded and compiled at the first use is no part of what a body costs.
  await request(app, 'POST', '/auth/login', { body: { email: 'a@b.co', password: 'x' } })
  await makeRecipient(world, app)
  const body = { name: 'F', enabled: false, fields: [{ key: 'n', label: 'N', type: 'number' }] }
  formId = (await request(app, 'POST', '/signup-forms', { key: world.project.secretKey, body })).body.id
  await world.ctx.sql`update forms set enabled = true`
  await request(app, 'POST', `/forms/${formId}`, { body: new URLSearchParams() })
})
afterAll(() => world.close())

test('the corpus is as large as it was', () => expect(hostileForms.length).toBeGreaterThanOrEqual(40))

describe('a public form is not held up', () => {
  test.each(hostileForms.map(form => [form.name, form] as const))('by %s', async (_, form) => {
    const person = await makeRecipient(world, app)
    const path = form.path.replace('ID', person.id).replace('QUERY', person.query).replace('FORM', formId)
    const body = new Blob([form.body], { type: form.type ?? 'application/x-www-form-urlencoded' })
    const watched = await watchLoop(app, () =>
      request(app, 'POST', path, { body: body.stream(), headers: { 'content-type': body.type } }),
    )
    expect(watched.result.status).toBe(form.status)
    expect(watched.longestMs).toBeLessThan(maxBlockMs)
    expect(watched.healthAnswers).toBeGreaterThan(0)
    const [row] = await world.ctx.sql`select subscribed from contacts where id = ${person.id}`
    expect(row!.subscribed).toBe(!form.unsubscribes)
  })
})

// What pages about a contact, an event, templates and suppressed addresses ask besides the lists.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { day } from '../../src/lib/time'
import { buildApp } from '../../src/server/app'
import { request } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let app: AnyElysia
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
afterAll(() => world.close())

const call = (method: string, path: string, body?: unknown, key = world.project.secretKey) =>
  request(app, method, path, { key, body })
const contact = async (email: string) => (await call('POST', '/contacts', { email })).body.id as string

test('the links of a contact lead to its own page, without a message', async () => {
  const id = await contact('ada@example.com')
  const { status, body } = await call('GET', `/contacts/${id}/links`)
  expect(status).toBe(200)
  const url = new URL(body.manageUrl)
  const page = await request(app, 'GET', `/contacts/public/${id}${url.search}`)
  expect(page.body).toMatchObject({ email: 'ada@example.com', subscribed: true })
  const stranger = await world.newProject()
  expect((await call('GET', `/contacts/${id}/links`, undefined, stranger.secretKey)).status).toBe(404)
})

test('the executions of a contact, of all workflows, newest first', async () => {
  const id = await contact('ben@example.com')
  const names = ['First', 'Second']
  for (const name of names) {
    const { body } = await call('POST', '/workflows', { name, eventName: `start.${name}` })
    const step = {
      type: 'DELAY',
      name: 'Wait',
      config: { amount: 1, unit: 'days' },
      position: { x: 0, y: 0 },
    }
    await call('POST', `/workflows/${body.id}/steps`, step)
    await call('PATCH', `/workflows/${body.id}`, { enabled: true })
    expect((await call('POST', `/workflows/${body.id}/executions`, { contactId: id })).status).toBe(201)
    world.clock.advance(1_000)
  }
  const { body } = await call('GET', `/contacts/${id}/executions`)
  expect(body.executions).toMatchObject([
    { workflow: { name: 'Second' }, completedAt: null },
    { workflow: { name: 'First' } },
  ])
  expect((await call('GET', '/contacts/nobody/executions')).status).toBe(404)
})

test('an event by days, with zeros, today last', async () => {
  const track = () =>
    call('POST', '/v1/track', { email: 'c@example.com', event: 'order.placed' }, world.project.publicKey)
  await track()
  world.clock.advance(2 * day)
  await track()
  await track()
  const { body } = await call('GET', '/events/order.placed/series?days=4')
  expect(body.map(({ count }: { count: number }) => count)).toEqual([0, 1, 0, 2])
  expect(body.at(-1).date).toBe(world.clock.now().toISOString().slice(0, 10))
  expect((await call('GET', '/events/unknown/series?days=9999')).body).toHaveLength(180)
})

test('templates by what was sent with them', async () => {
  const make = async (name: string) =>
    (
      await call('POST', '/templates', {
        name,
        subject: 'S',
        body: '<p>B</p>',
        from: sender,
        type: 'TRANSACTIONAL',
      })
    ).body.id
  const [much, little] = [await make('Much'), await make('Little')]
  for (const template of [much, much, little])
    await call('POST', '/v1/send', { to: 'dora@example.com', template, from: sender })
  expect((await call('GET', '/analytics/top-templates')).body).toEqual([])
  await world.drain()
  expect((await call('GET', '/analytics/top-templates')).body).toMatchObject([
    { id: much, name: 'Much', sentCount: 2, openedCount: 0, openRate: 0 },
    { id: little, sentCount: 1 },
  ])
})

test('suppressed addresses are found by a part of them, and go out as a file', async () => {
  const emails = Array.from({ length: 1_000 }, (_, nth) => `person${nth}@blocked.example`)
  await call('POST', '/suppressions', { emails, note: '=1+1, "quoted"' })
  await call('POST', '/suppressions', { emails: ['one_more@other.example'] })
  const found = await call('GET', '/suppressions?search=SON99')
  expect(found.body.total).toBe(11)
  expect((await call('GET', '/suppressions?search=one_more&reason=manual')).body.data).toHaveLength(1)
  expect((await call('GET', '/suppressions?search=oneXmore')).body.data).toEqual([])
  const file = await app.handle(
    new Request('http://localhost/suppressions/export', {
      headers: { authorization: `Bearer ${world.project.secretKey}` },
    }),
  )
  const lines = (await file.text()).trim().split(/\r?\n/)
  expect(file.headers.get('content-type')).toContain('text/csv')
  expect(lines).toHaveLength(1_002)
  expect(lines[0]).toBe('email,reason,source,createdAt')
  expect(lines[2]).toContain(`"'=1+1, ""quoted"""`)
})

// Webhook endpoints of a project: what they are told and when, who signs, what happens to those that fail, and the log.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { makeApplication } from '../../src/http/application'
import { webhookEndpointRoutes } from '../../src/modules/api/webhooks/routes'
import { makeDeliverer } from '../../src/modules/api/webhooks/service'
import { Snooze } from '../../src/platform/jobs/outcome'
import type { WebhookCaller } from '../../src/platform/webhook/caller'
import { networkWebhooks } from '../../src/platform/webhook/network'
import { signatureHeaders } from '../../src/platform/webhook/signature'
import { makeMember } from '../support/make'
import { request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let app: ReturnType<typeof makeApplication>
let key = ''
beforeAll(async () => {
  world = await makeWorld()
  app = makeApplication(world.ctx, [webhookEndpointRoutes])
})
beforeEach(async () => {
  world.project = await world.newProject()
  key = world.project.secretKey
})
afterAll(() => world.close())

const hour = 3_600_000
const call = (method: string, path: string, body?: unknown) =>
  request(app, method, `/webhook-endpoints${path}`, { key, ...(body === undefined ? {} : { body }) })
const add = async (changes: Record<string, unknown> = {}) =>
  (await call('POST', '', { url: 'https://hooks.example/in', eventTypes: ['email.delivery'], ...changes }))
    .body
/** The calls made from here on. */
function callsFrom(): () => Array<{ url: string; headers: Record<string, string>; body: string }> {
  const before = world.webhooks.calls.length
  return () =>
    world.webhooks.calls
      .slice(before)
      .map(({ url, ownHeaders, body }) => ({ url, headers: { ...ownHeaders }, body: body ?? '' }))
}
const log = async (id: string) => (await call('GET', `/${id}/deliveries`)).body.data

describe('an endpoint', () => {
  test('is told of the events that it chose, signed, with what they carry', async () => {
    const { id, secret } = await add()
    const calls = callsFrom()
    const emailId = await world.sendOne({ to: 'ada@example.com', tags: ['a'], metadata: { order: 7 } })
    await world.drain()
    expect(calls().map(({ url }) => url)).toEqual(['https://hooks.example/in'])
    const [{ headers, body }] = calls() as [ReturnType<typeof calls>[0]]
    const told = JSON.parse(body)
    expect(told).toMatchObject({
      type: 'email.delivery',
      data: {
        contact: { email: 'ada@example.com' },
        emailId,
        event: { subject: 'Hello', tags: ['a'], metadata: { order: 7 } },
      },
    })
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000)
    expect(headers).toMatchObject(signatureHeaders(secret, { id: headers['webhook-id']!, sentAt, body }))
    expect(await log(id)).toMatchObject([
      { id: headers['webhook-id'], eventType: 'email.delivery', status: 'DELIVERED', attempts: 1 },
    ])
  })

  test('hears nothing while it is off, nothing of others, and nothing once it is gone', async () => {
    const { id } = await add({ enabled: false })
    const other = await add({ eventTypes: ['email.open'] })
    const foreign = await world.newProject()
    await call('POST', '', { url: 'https://hooks.example/x', eventTypes: ['email.delivery'] })
    const calls = callsFrom()
    await world.send({ to: 'ada@example.com' }, { key: foreign.secretKey })
    await world.drain()
    expect(calls()).toEqual([])
    expect((await call('DELETE', `/${other.id}`)).status).toBe(204)
    expect((await call('PATCH', `/${id}`, { enabled: true })).body.enabled).toBe(true)
    await world.sendOne()
    await world.drain()
    expect(calls()).toHaveLength(2)
  })

  test('of a transaction that is undone hears nothing', async () => {
    await add({ eventTypes: ['done'] })
    const { recordEvents } = await import('../../src/modules/audience/events')
    const { inTransaction } = await import('../../src/platform/context')
    const { body } = await world.send({ to: 'ada@example.com' })
    const { id: contactId } = body.data.emails[0].contact
    const { id: projectId } = world.project
    const calls = callsFrom()
    const undone = inTransaction(world.ctx, async tx => {
      await recordEvents(tx, projectId, [{ name: 'done', contactId }])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await world.drain()
    expect(calls().filter(({ body: told }) => told.includes('"done"'))).toEqual([])
    await recordEvents(world.ctx, projectId, [{ name: 'done', contactId }])
    await world.drain()
    expect(calls().filter(({ body: told }) => told.includes('"done"'))).toHaveLength(1)
  })

  test('is told by both secrets while they overlap', async () => {
    const { id, secret } = await add()
    const rotated = (await call('POST', `/${id}/rotate-secret`, { overlapHours: 2 })).body
    expect(rotated.secret).not.toBe(secret)
    const calls = callsFrom()
    await call('POST', `/${id}/test`)
    await world.drain()
    world.clock.advance(3 * hour)
    await call('POST', `/${id}/test`)
    await world.drain()
    const signatures = calls().map(({ headers, body }) => {
      const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000)
      const of = (one: string) =>
        signatureHeaders(one, { id: headers['webhook-id']!, sentAt, body })['webhook-signature']
      return [headers['webhook-signature'], of(rotated.secret), of(secret)]
    })
    expect(signatures[0]![0]).toBe(`${signatures[0]![1]} ${signatures[0]![2]}`)
    expect(signatures[1]![0]).toBe(signatures[1]![1])
    expect(JSON.stringify((await call('GET', `/${id}`)).body)).not.toContain('whsec_')
    const all = (await call('GET', '')).body
    expect(all.map((each: { id: string }) => each.id)).toEqual([id])
    expect(JSON.stringify(all)).not.toContain('whsec_')
  })
})

describe('an endpoint that fails', () => {
  test('is tried again with the same id and body, and every answer is on record', async () => {
    const { id } = await add()
    world.webhooks.answer(500, { outcome: 'unreachable', error: 'ECONNREFUSED', url: 'x' })
    const calls = callsFrom()
    await call('POST', `/${id}/test`)
    await world.drain()
    world.clock.advance(10_000)
    await world.drain()
    world.clock.advance(60_000)
    await world.drain()
    expect(new Set(calls().map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1)
    const [delivery] = await log(id)
    const { body } = await call('GET', `/${id}/deliveries/${delivery.id}`)
    expect([body.status, body.attempts, JSON.parse(body.body).type]).toEqual(['DELIVERED', 3, 'webhook.test'])
    expect(body.tries).toMatchObject([
      { attempt: 1, statusCode: 500, error: 'answered 500', response: 'status 500' },
      { attempt: 2, statusCode: null, error: 'ECONNREFUSED' },
      { attempt: 3, statusCode: 200, error: null },
    ])
  })

  test('for a day is switched off, with a mail to the members, and can be switched on again', async () => {
    const { id } = await add()
    await makeMember(world, world.project.id, 'MEMBER')
    const real = world.ctx.webhooks
    const down: WebhookCaller = {
      call: async ({ url }) => ({ outcome: 'answered', statusCode: 503, response: 'down', url }),
    }
    Object.assign(world.ctx, { webhooks: down })
    world.mail.clear()
    await call('POST', `/${id}/test`)
    for (let hours = 0; hours < 30; hours++) {
      await world.drain()
      world.clock.advance(hour)
      if (hours === 20) await call('POST', `/${id}/test`)
    }
    Object.assign(world.ctx, { webhooks: real })
    const off = (await call('GET', `/${id}`)).body
    expect([off.enabled, off.disabledReason]).toEqual([false, 'no call has succeeded for a day'])
    expect(new Set((await log(id)).map(({ status }: { status: string }) => status))).toEqual(
      new Set(['FAILED']),
    )
    const letters = (await world.received()).filter(({ subject }) => subject?.includes('switched off'))
    expect([letters.length, letters[0]!.text]).toEqual([
      2,
      expect.stringContaining('https://hooks.example/in'),
    ])
    expect((await call('POST', `/${id}/test`)).status).toBe(409)
    const on = (await call('PATCH', `/${id}`, { enabled: true })).body
    expect([on.enabled, on.disabledReason, on.failingSince]).toEqual([true, null, null])
  })

  test('that leads to this machine or its network is never called', async () => {
    const guarded = networkWebhooks({ dns: world.dns, allowPrivate: false })
    const real = world.ctx.webhooks
    Object.assign(world.ctx, { webhooks: guarded })
    try {
      const { id } = await add({ url: 'http://169.254.169.254/latest' })
      await call('POST', `/${id}/test`)
      await world.drain()
      const [delivery] = await log(id)
      const { body } = await call('GET', `/${id}/deliveries/${delivery.id}`)
      expect([body.status, body.tries[0].error]).toEqual([
        'FAILED',
        expect.stringContaining('not a public address'),
      ])
    } finally {
      Object.assign(world.ctx, { webhooks: real })
    }
  })
})

test('calls that run at once are each settled by their own answer, also when a job runs twice', async () => {
  const [works, fails] = [await add(), await add({ url: 'https://fails.example/in' })]
  for (let n = 0; n < 10; n++)
    for (const { id } of [works, fails]) expect((await call('POST', `/${id}/test`)).status).toBe(201)
  const ids: string[] = (await log(works.id)).concat(await log(fails.id)).map((one: { id: string }) => one.id)
  const caller: WebhookCaller = {
    call: async ({ url, body }) => ({
      ...{ outcome: 'answered', url, response: body ?? '' },
      statusCode: url.includes('fails') ? 500 : 204,
    }),
  }
  const deliver = makeDeliverer({ ...world.ctx, webhooks: caller })
  const never = new AbortController().signal
  const runs = await Promise.allSettled([...ids, ...ids].map(id => deliver(world.project.id, id, never)))
  expect(
    runs
      .filter(({ status }) => status === 'rejected')
      .every(run => (run as PromiseRejectedResult).reason instanceof Snooze),
  ).toBe(true)
  for (const { id, status, health } of [
    { ...works, status: 'DELIVERED', health: null },
    { ...fails, status: 'PENDING', health: world.clock.now().toISOString() },
  ]) {
    expect((await call('GET', `/${id}`)).body.failingSince).toBe(health)
    for (const delivery of await log(id)) {
      const { body } = await call('GET', `/${id}/deliveries/${delivery.id}`)
      expect([body.status, body.attempts, body.tries.length]).toEqual([status, 1, 1])
      expect(body.tries[0].response).toBe(body.body)
    }
  }
})

describe('telling it again', () => {
  test('of one, and of all that failed in a span', async () => {
    const { id } = await add()
    const refused = { outcome: 'refused' as const, error: 'not allowed', url: 'x' }
    world.webhooks.answer(refused, refused, 200)
    const since = world.clock.now().toISOString()
    for (let n = 0; n < 3; n++) {
      await call('POST', `/${id}/test`)
      await world.drain()
    }
    world.clock.advance(1_000)
    const [good, second, first] = await log(id)
    expect([good.status, second.status, first.status]).toEqual(['DELIVERED', 'FAILED', 'FAILED'])
    const calls = callsFrom()
    expect((await call('POST', `/${id}/deliveries/${first.id}/replay`)).body).toEqual({ replayed: 1 })
    expect((await call('POST', `/${id}/deliveries/${first.id}/replay`)).status).toBe(409)
    await world.drain()
    expect((await call('POST', `/${id}/replay`, { since })).body).toEqual({ replayed: 1 })
    await world.drain()
    expect(calls().map(({ headers }) => headers['webhook-id'])).toEqual([first.id, second.id])
    expect((await call('POST', `/${id}/replay`, { since, status: 'ALL' })).body).toEqual({ replayed: 3 })
    expect((await call('POST', `/${id}/replay`, { since: 'yesterday' })).status).toBe(400)
    await world.drain()
  })

  test('pages go from the newest to the oldest', async () => {
    const { id } = await add()
    for (let n = 0; n < 5; n++) {
      world.clock.advance(10)
      await call('POST', `/${id}/test`)
    }
    const first = (await call('GET', `/${id}/deliveries?limit=3`)).body
    const second = (await call('GET', `/${id}/deliveries?limit=3&cursor=${first.cursor}`)).body
    const ids = [...first.data, ...second.data].map(one => one.id)
    expect([ids.length, second.hasMore, ids]).toEqual([5, false, ids.toSorted().reverse()])
  })

  test('old ones are forgotten after thirty days', async () => {
    const { id } = await add()
    await call('POST', `/${id}/test`)
    await world.drain()
    world.clock.advance(31 * 24 * hour)
    const { pruneDeliveries } = await import('../../src/modules/api/webhooks/service')
    await pruneDeliveries(world.ctx, new AbortController().signal)
    expect(await log(id)).toEqual([])
    const [row] = await world.ctx
      .sql`select count(*)::int as count from webhook_tries where project_id = ${world.project.id}`
    expect(row).toEqual({ count: 0 })
  })
})

test.each<[string, Record<string, unknown>, string]>([
  ['no address', { url: 'hooks.example' }, 'url'],
  ['another scheme', { url: 'ftp://hooks.example' }, 'url'],
  ['a password in it', { url: 'https://a:b@hooks.example' }, 'url'],
  ['no events', { eventTypes: [] }, 'eventTypes'],
])('%s is refused', async (_, changes, field) => {
  const { status, body } = await call('POST', '', {
    url: 'https://hooks.example',
    eventTypes: ['a'],
    ...changes,
  })
  expect([status, body.error.errors[0].field]).toEqual([422, field])
})

test('twenty are enough', async () => {
  for (let n = 0; n < 20; n++) await add()
  const { status } = await call('POST', '', { url: 'https://hooks.example', eventTypes: ['a'] })
  expect(status).toBe(409)
})

test('another project finds none of it', async () => {
  const { id } = await add()
  key = (await world.newProject()).secretKey
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { enabled: false }],
    ['DELETE', '', undefined],
    ['POST', '/test', undefined],
    ['GET', '/deliveries', undefined],
    ['POST', '/rotate-secret', {}],
  ] as const)
    expect((await call(method, `/${id}${path}`, body)).status).toBe(404)
})

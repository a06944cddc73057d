// WEBHOOK steps: what is sent, when it is tried again, and what the step comes to.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
afterAll(() => world.close())

let counter = 0
const fresh = (): { email: string; event: string } => {
  counter++
  return { email: `called${counter}@example.com`, event: `call.${counter}` }
}

const url = 'https://hooks.example.com/in'

test('without a body the call tells contact, workflow, execution and event, signed', async () => {
  const { email, event } = fresh()
  const { id } = await world.chain(event, [{ type: 'WEBHOOK', config: { url } }, { type: 'EXIT' }])
  const rotated = await world.call('POST', `/users/@me/projects/${world.project.id}/rotate-webhook-secret`)
  const { webhookSecret } = rotated.body
  await world.track(email, event, { plan: 'pro', code: { value: 7, persistent: false } })
  const call = world.webhooks.calls.at(-1)!
  const execution = await world.execution(id)
  expect(call).toMatchObject({ url, method: 'POST', headers: {} })
  expect(JSON.parse(call.body!)).toEqual({
    contact: { email, subscribed: true, data: { plan: 'pro' } },
    workflow: { id, name: `On ${event}` },
    execution: { id: execution.id, startedAt: execution.startedAt },
    event: { plan: 'pro', code: 7 },
  })
  const sent = call.ownHeaders
  const signed = `${sent['webhook-id']}.${sent['webhook-timestamp']}.${call.body}`
  const key = Buffer.from(webhookSecret.slice('whsec_'.length), 'base64')
  expect(sent['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  expect(sent['Content-Type']).toBe('application/json')
  expect(execution.status).toBe('EXITED')
  expect(execution.stepExecutions[1]).toMatchObject({
    status: 'COMPLETED',
    output: { url, method: 'POST', statusCode: 200, success: true, response: 'status 200' },
    attempts: [{ attempt: 1, outcome: 'answered', statusCode: 200 }],
  })
})

test('address, headers and body are filled; keys and the method are not', async () => {
  const { email, event } = fresh()
  const config = {
    url: `${url}/{{plan}}?e={{event.code}}`,
    method: 'PUT',
    headers: { Authorization: 'Bearer {{token}}', 'content-type': 'application/vnd.x+json' },
    body: { '{{plan}}': ['{{email}}', 1, null, { deep: 'Hi {{name ?? "there"}}' }] },
  }
  await world.chain(event, [{ type: 'WEBHOOK', config }])
  await world.track(email, event, { plan: 'pro', token: 'a\r\nb', code: { value: 5, persistent: false } })
  const call = world.webhooks.calls.at(-1)!
  expect(call).toMatchObject({ url: `${url}/pro?e=5`, method: 'PUT' })
  expect(call.headers['Authorization']).not.toMatch(/[\r\n]/)
  expect(call.ownHeaders['Content-Type']).toBeUndefined()
  expect(JSON.parse(call.body!)).toEqual({ '{{plan}}': [email, 1, null, { deep: 'Hi there' }] })
})

describe('a value cannot move the call to another host', () => {
  for (const [address, path] of [
    ['https://{{path}}.example.com/', 'evil.example/'],
    ['https://{{path}}.example.com/', 'a@evil.example?'],
    ['https://{{path}}.example.com/', 'evil.example#'],
    ['https://{{path}}.example.com/', 'evil.example\\'],
    ['https://{{path}}/', 'user:password@evil.example'],
    ['https://hooks.example.com:{{path}}/', '443@evil.example'],
  ] as const)
    test(`${address} with ${path}`, async () => {
      const { email, event } = fresh()
      const { id } = await world.chain(event, [{ type: 'WEBHOOK', config: { url: address } }])
      const before = world.webhooks.calls.length
      await world.track(email, event, { path })
      expect(world.webhooks.calls).toHaveLength(before)
      expect((await world.execution(id)).stepExecutions[1].error).toContain('configured host')
    })

  test('where it continues a host the step is not even saved', async () => {
    const { event } = fresh()
    const { id } = await world.chain(event, [])
    for (const [address, status] of [
      ['https://hooks.example.com{{path}}', 422],
      ['https://hooks.example.com{{path}}/x', 422],
      ['https://{{a}}.example.com{{path}}', 422],
      ['https://hooks.example.com/{{path}}', 201],
      ['https://hooks.example.com:{{port}}/', 201],
      ['https://{{tenant}}.example.com/', 201],
      ['https://{{host}}', 201],
      ['{{url}}', 422],
    ] as const) {
      const body = { type: 'WEBHOOK', name: 'Call', config: { url: address } }
      expect([address, (await world.call('POST', `/workflows/${id}/steps`, { body })).status]).toEqual([
        address,
        status,
      ])
    }
  })
})

describe('answers', () => {
  for (const status of [301, 400, 404, 410])
    test(`${status} completes the step without success`, async () => {
      const { email, event } = fresh()
      const { id } = await world.chain(event, [{ type: 'WEBHOOK', config: { url } }, { type: 'EXIT' }])
      world.webhooks.answer(status)
      await world.track(email, event)
      expect(await world.execution(id)).toMatchObject({
        status: 'EXITED',
        stepExecutions: [{}, { status: 'COMPLETED', output: { statusCode: status, success: false } }, {}],
      })
    })

  const waits = [5_000, 30_000, 120_000, 600_000]

  for (const status of [408, 429, 500, 503])
    test(`${status} is tried again until it is over`, async () => {
      const { email, event } = fresh()
      const { id } = await world.chain(event, [{ type: 'WEBHOOK', config: { url } }, { type: 'EXIT' }])
      world.webhooks.answer(status, status)
      const before = world.webhooks.calls.length
      await world.track(email, event, { v: 1 })
      expect((await world.execution(id)).status).toBe('RUNNING')
      // Tries of one call are the same call: same id, same body, although the contact has changed.
      await world.call('POST', '/contacts', { body: { email, data: { v: 2 } } })
      for (const wait of waits.slice(0, 2)) {
        world.clock.advance(wait - 1)
        await world.drain()
        const calls = world.webhooks.calls.length
        world.clock.advance(1)
        await world.drain()
        expect(world.webhooks.calls.length).toBe(calls + 1)
      }
      const calls = world.webhooks.calls.slice(before)
      expect(new Set(calls.map(call => call.body)).size).toBe(1)
      expect(new Set(calls.map(call => call.ownHeaders['webhook-id'])).size).toBe(1)
      expect(new Set(calls.map(call => call.ownHeaders['webhook-timestamp'])).size).toBe(3)
      const execution = await world.execution(id)
      expect(execution.status).toBe('EXITED')
      expect(
        execution.stepExecutions[1].attempts.map((each: { statusCode: number }) => each.statusCode),
      ).toEqual([status, status, 200])
    })

  test('after five tries the step and the execution fail', async () => {
    const { email, event } = fresh()
    const { id } = await world.chain(event, [{ type: 'WEBHOOK', config: { url } }, { type: 'EXIT' }])
    const down = { outcome: 'unreachable', error: 'ECONNREFUSED', url } as const
    world.webhooks.answer(down, down, down, down, down)
    await world.track(email, event)
    for (const wait of waits) {
      world.clock.advance(wait)
      await world.drain()
    }
    const execution = await world.execution(id)
    expect(execution).toMatchObject({
      status: 'FAILED',
      stepExecutions: [{}, { status: 'FAILED', error: expect.stringContaining('ECONNREFUSED') }],
    })
    expect(execution.stepExecutions[1].attempts).toHaveLength(5)
    world.clock.advance(86_400_000)
    expect(await world.drain()).toEqual([])
  })

  test('a refused address fails at once', async () => {
    const { email, event } = fresh()
    const { id } = await world.chain(event, [{ type: 'WEBHOOK', config: { url } }])
    world.webhooks.answer({ outcome: 'refused', error: '10.0.0.1 is not a public address', url })
    await world.track(email, event)
    expect(await world.execution(id)).toMatchObject({
      status: 'FAILED',
      stepExecutions: [
        {},
        { error: expect.stringContaining('10.0.0.1'), attempts: [{ outcome: 'refused' }] },
      ],
    })
  })
})

describe('an endpoint that hangs', () => {
  const hangs = 'https://hangs.example.com/in'
  const silent = { outcome: 'unreachable', error: 'no answer in time', url: hangs } as const

  test('is called now and then, what waits for it ends within the hour, and others are called', async () => {
    const { event } = fresh()
    const { id } = await world.chain(event, [{ type: 'WEBHOOK', config: { url: hangs } }])
    const other = await world.chain(`${event}.other`, [{ type: 'WEBHOOK', config: { url } }])
    const made = () => world.webhooks.calls.filter(call => call.url === hangs).length
    world.webhooks.onCall(call => {
      if (call.url !== hangs) return
      world.clock.advance(10_000)
      world.webhooks.answer(silent)
    })
    for (let index = 0; index < 40; index++)
      await world.call('POST', '/v1/track', {
        key: world.project.publicKey,
        body: { email: `waits${index}@example.com`, event },
      })
    await world.drain()
    expect(made()).toBe(5)
    await world.track('other@example.com', `${event}.other`)
    expect((await world.execution(other.id)).status).toBe('COMPLETED')
    for (let minutes = 0; minutes < 90; minutes += 5) {
      world.clock.advance(5 * 60_000)
      await world.drain()
    }
    world.webhooks.onCall(undefined)
    expect(made()).toBeLessThan(30)
    const ended = await world.executions(id)
    expect(ended).toHaveLength(40)
    expect(new Set(ended.map(execution => execution.status))).toEqual(new Set(['FAILED']))
    const last = await world.execution(id, ended[0]!.id)
    expect(last.stepExecutions[1].error).toBe('The endpoint has not answered for an hour')
  })

  test('has what waits for it when it is well again', async () => {
    const { event } = fresh()
    const config = { url: 'https://recovers.example.com/' }
    const { id } = await world.chain(event, [{ type: 'WEBHOOK', config }])
    world.webhooks.onCall(() => {
      world.clock.advance(10_000)
      world.webhooks.answer({ ...silent, url: config.url })
    })
    for (let index = 0; index < 12; index++) {
      await world.call('POST', '/v1/track', {
        key: world.project.publicKey,
        body: { email: `recovers${index}@example.com`, event },
      })
    }
    await world.drain()
    world.webhooks.onCall(undefined)
    for (let minutes = 0; minutes < 4; minutes++) {
      world.clock.advance(60_000)
      await world.drain()
    }
    const ended = await world.executions(id)
    expect(new Set(ended.map(execution => execution.status))).toEqual(new Set(['COMPLETED']))
  })
})

test('a call that is under way when its execution is cancelled changes nothing any more', async () => {
  const { email, event } = fresh()
  const { id } = await world.chain(event, [{ type: 'WEBHOOK', config: { url } }, { type: 'EXIT' }])
  world.webhooks.onCall(async () => {
    world.webhooks.onCall(undefined)
    expect((await world.call('POST', `/workflows/${id}/executions/cancel-all`)).body).toEqual({
      cancelled: 1,
    })
  })
  await world.track(email, event)
  const execution = await world.execution(id)
  expect(execution).toMatchObject({
    status: 'CANCELLED',
    stepExecutions: [{}, { status: 'SKIPPED', attempts: [{ attempt: 1 }] }],
  })
  expect(execution.stepExecutions).toHaveLength(2)
})

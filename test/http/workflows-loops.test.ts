// Workflows that set each other off: the chain ends after sixteen of them, whatever carries it on (mail, a change of a contact, a wait,
// a report), and no contact goes through one workflow more often in an hour than it allows.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { maxHops } from '../../src/modules/features/workflows/words'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
afterEach(async () => {
  await world.ctx.sql`update workflows set enabled = false, next_run_at = null`
  await world.ctx.sql`delete from event_listeners`
})
afterAll(() => world.close())

const again = { allowReentry: true }
const subscribe = (action: string) => ({ type: 'UPDATE_CONTACT', config: { subscriptionAction: action } })

let counter = 0
const somebody = (): string => `loop${++counter}@example.com`

interface Row {
  status: string
  hops: number
  exitReason: string | null
}

/** All executions of these workflows, in the order in which they were started. */
async function chainOf(...ids: string[]): Promise<Row[]> {
  return await world.ctx.sql<Row[]>`
    select status, hops, exit_reason as "exitReason" from workflow_executions
     where workflow_id = any(${ids}::uuid[]) order by hops, started_at, id`
}

const loopSentence = expect.stringContaining('16 workflows have set each other off')

function expectChain(chain: Row[]): void {
  expect(chain.map(({ hops }) => hops)).toEqual(Array.from({ length: maxHops + 2 }, (_, hop) => hop))
  const last = chain.pop()!
  expect(last).toMatchObject({ status: 'FAILED', exitReason: loopSentence })
  expect(new Set(chain.map(({ status }) => status))).toEqual(new Set(['COMPLETED']))
}

describe('a chain of workflows ends after sixteen hops', () => {
  test('that a change of the contact carries on', async () => {
    const off = await world.chain('contact.subscribed', [subscribe('unsubscribe')], again)
    const on = await world.chain('contact.unsubscribed', [subscribe('subscribe')], again)
    const email = somebody()
    const made = await world.call('POST', '/contacts', { body: { email, subscribed: true } })
    await world.call('PATCH', `/contacts/${made.body.id}`, { body: { subscribed: false } })
    await world.drain()
    expectChain(await chainOf(off.id, on.id))
    const listed = (await world.executions(off.id)).find(({ status }) => status === 'FAILED')!
    expect(await world.execution(off.id, listed.id)).toMatchObject({
      status: 'FAILED',
      exitReason: loopSentence,
      completedAt: expect.any(String),
      currentStepId: null,
      stepExecutions: [],
    })
    // Somebody who changes it by hand begins anew.
    await world.call('PATCH', `/contacts/${made.body.id}`, { body: { subscribed: false } })
    await world.call('PATCH', `/contacts/${made.body.id}`, { body: { subscribed: true } })
    await world.drain()
    expect((await chainOf(off.id, on.id)).length).toBeGreaterThan(maxHops + 2)
  })

  test('that mail carries on, by the event of its delivery', async () => {
    const templateId = await world.template({ type: 'TRANSACTIONAL' })
    const loop = await world.chain('email.delivery', [{ type: 'SEND_EMAIL', templateId }], again)
    await world.send({ to: somebody() })
    await world.drain()
    expectChain(await chainOf(loop.id))
  })

  test('that waits in between, for an event of the chain', async () => {
    await world.chain(
      'contact.unsubscribed',
      [{ type: 'DELAY', config: { amount: 1, unit: 'minutes' } }, subscribe('subscribe')],
      again,
    )
    const waits = { type: 'WAIT_FOR_EVENT', config: { eventName: 'contact.subscribed', timeout: 86_400 } }
    const off = await world.chain('begin.again', [waits, subscribe('unsubscribe')], again)
    const email = somebody()
    const contact = (await world.call('POST', '/contacts', { body: { email, subscribed: false } })).body
    await world.track(email, 'begin.again')
    await world.call('PATCH', `/contacts/${contact.id}`, { body: { subscribed: true } })
    for (let round = 0; round < 4; round++) {
      await world.drain()
      world.clock.advance(61_000)
    }
    const hops = await world.ctx.sql<{ name: string; hops: number | null }[]>`
      select name, hops from events where contact_id = ${contact.id} and name like 'contact.%' order by created_at, id`
    // Resumed by somebody's own act it causes the first hop; what starts there causes the second.
    expect(hops.slice(-2)).toEqual([
      { name: 'contact.unsubscribed', hops: 1 },
      { name: 'contact.subscribed', hops: 2 },
    ])
    // One that waits goes on with what has come farther.
    await world.track(email, 'begin.again')
    await world.call('PATCH', `/contacts/${contact.id}`, { body: { subscribed: false } })
    for (let round = 0; round < 4; round++) {
      await world.drain()
      world.clock.advance(61_000)
    }
    expect((await chainOf(off.id)).map(row => row.hops)).toEqual([0, 1])
  })

  test('and what a person does with a message begins a new one', async () => {
    const templateId = await world.template({ type: 'TRANSACTIONAL' })
    const sends = await world.chain('news.wanted', [{ type: 'SEND_EMAIL', templateId }], again)
    await world.track(somebody(), 'news.wanted')
    const rows = await world.ctx.sql<{ name: string; hops: number | null }[]>`
      select e.name, e.hops from events e join emails m on m.id = e.email_id
       join workflow_executions x on x.id = m.workflow_execution_id where x.workflow_id = ${sends.id} order by e.name`
    expect([...rows]).toEqual([
      { name: 'email.delivery', hops: 1 },
      { name: 'email.sent', hops: 1 },
    ])
  })
})

test('a bounce of a workflow’s mail and the opt-out that follows are part of its chain', async () => {
  const templateId = await world.template({ type: 'TRANSACTIONAL' })
  const { id } = await world.chain('letter.wanted', [{ type: 'SEND_EMAIL', templateId }], again)
  world.mail.script({ outcome: 'refused', blame: 'address', response: '550 no such user', code: 550 })
  await world.track(somebody(), 'letter.wanted')
  const rows = await world.ctx.sql<{ name: string; hops: number | null }[]>`
    select e.name, e.hops from events e join workflow_executions x on x.contact_id = e.contact_id
     where x.workflow_id = ${id} order by e.name`
  expect([...rows]).toEqual([
    { name: 'contact.unsubscribed', hops: 1 },
    { name: 'email.bounce', hops: 1 },
    { name: 'letter.wanted', hops: null },
  ])
})

describe('a loop is told', () => {
  const enable = async (id: string, body = {}) =>
    (await world.call('PATCH', `/workflows/${id}`, { body: { enabled: true, ...body } })).body.warnings
  const simulate = async (id: string) => (await world.call('POST', `/workflows/${id}/simulate`)).body.warnings

  test('when the workflow that closes it is turned on, and by its simulation even before', async () => {
    const on = await world.chain('contact.unsubscribed', [subscribe('subscribe')], again)
    const off = await world.chain('contact.subscribed', [subscribe('unsubscribe')], {
      ...again,
      enabled: false,
    })
    expect(await enable(on.id)).toEqual([])
    const found = [
      {
        code: 'LOOP',
        message:
          'A loop: "On contact.subscribed" → "On contact.unsubscribed" → "On contact.subscribed" (by contact.subscribed, contact.unsubscribed). After 16 of them nothing more is started. Give one of them another trigger, or turn its allowReentry off',
        workflows: [
          { id: off.id, name: 'On contact.subscribed' },
          { id: on.id, name: 'On contact.unsubscribed' },
        ],
      },
    ]
    expect(await simulate(off.id)).toEqual(found)
    expect(await enable(off.id)).toEqual(found)
    expect((await simulate(on.id))[0].workflows.map(({ id }: { id: string }) => id)).toEqual([on.id, off.id])
    expect(await enable(off.id, { allowReentry: false })).toEqual([])
    expect(await simulate(on.id)).toEqual([])
    expect(
      (await world.call('PATCH', `/workflows/${on.id}`, { body: { enabled: false } })).body.warnings,
    ).toEqual([])
  })

  test('of a workflow that sets itself off by its own mail', async () => {
    const templateId = await world.template()
    const { id } = await world.chain('email.sent', [{ type: 'SEND_EMAIL', templateId }], again)
    expect(await enable(id)).toEqual([
      expect.objectContaining({ code: 'LOOP', workflows: [{ id, name: 'On email.sent' }] }),
    ])
  })
})

describe('starts of a workflow for one contact within an hour', () => {
  const nothing = [{ type: 'EXIT', config: { reason: 'done' } }]
  const statusesOf = async (id: string): Promise<string[]> =>
    (await world.executions(id)).map(({ status }) => status).reverse()

  test('end at its own limit, are told once, and come back with the next hour', async () => {
    const { id } = await world.chain('busy.bee', nothing, { ...again, maxStartsPerHour: 3 })
    const email = somebody()
    for (let n = 0; n < 6; n++) await world.track(email, 'busy.bee')
    expect(await statusesOf(id)).toEqual(['EXITED', 'EXITED', 'EXITED', 'FAILED'])
    const refused = (await world.executions(id))[0]!
    expect(refused).toMatchObject({
      exitReason:
        'Not started: this workflow has been started 3 times for this contact within an hour, which is its maxStartsPerHour',
    })
    await world.track(somebody(), 'busy.bee')
    expect((await statusesOf(id)).at(-1)).toBe('EXITED')
    world.clock.advance(3_600_001)
    await world.track(email, 'busy.bee')
    expect((await statusesOf(id)).at(-1)).toBe('EXITED')
  })

  test('by hand are 409 beyond the limit, and leave nothing', async () => {
    const { id } = await world.chain('by.hand', nothing, { ...again, maxStartsPerHour: 1 })
    const contact = (await world.call('POST', '/contacts', { body: { email: somebody() } })).body
    const start = () => world.call('POST', `/workflows/${id}/executions`, { body: { contactId: contact.id } })
    expect((await start()).status).toBe(201)
    await world.drain()
    const second = await start()
    expect([second.status, second.body.error.message]).toEqual([
      409,
      expect.stringContaining('1 times for this contact within an hour'),
    ])
    expect(await statusesOf(id)).toEqual(['EXITED'])
  })

  test('are a hundred unless the workflow says otherwise, from 1 to 10,000, and a copy has the same', async () => {
    const { id } = await world.chain('plain.one', nothing)
    const get = async () => (await world.call('GET', `/workflows/${id}`)).body.maxStartsPerHour
    expect(await get()).toBe(100)
    for (const maxStartsPerHour of [0, 10_001, 1.5, '5', null])
      expect((await world.call('PATCH', `/workflows/${id}`, { body: { maxStartsPerHour } })).status).toBe(422)
    for (const maxStartsPerHour of [1, 10_000]) {
      const changed = await world.call('PATCH', `/workflows/${id}`, { body: { maxStartsPerHour } })
      expect([changed.status, changed.body.maxStartsPerHour, await get()]).toEqual([
        200,
        maxStartsPerHour,
        maxStartsPerHour,
      ])
    }
    const copy = await world.call('POST', `/workflows/${id}/duplicate`)
    expect(copy.body.maxStartsPerHour).toBe(10_000)
    const made = await world.call('POST', '/workflows', {
      body: { name: 'N', eventName: 'e', maxStartsPerHour: 7 },
    })
    expect([made.status, made.body.maxStartsPerHour]).toEqual([201, 7])
  })

  test('that were refused are no visit: whoever may enter once still may', async () => {
    const { id } = await world.chain('contact.subscribed', nothing)
    const email = somebody()
    const made = await world.call('POST', '/contacts', { body: { email, subscribed: false } })
    await world.ctx.sql`
      insert into events (id, project_id, name, contact_id, hops, created_at)
      values (uuid_v7(${world.clock.now()}::timestamptz, 1), ${world.project.id}, 'contact.subscribed', ${made.body.id}, 17, ${world.clock.now()})`
    await world.ctx.sql`
      insert into jobs (id, kind, args, band, state, run_at, attempt, max_attempts, project_id, created_at)
      select uuid_v7(${world.clock.now()}::timestamptz, 2), 'event.route', jsonb_build_object('eventId', id), 'workflow', 'queued',
             ${world.clock.now()}, 0, 5, project_id, ${world.clock.now()}
        from events where contact_id = ${made.body.id}`
    await world.drain()
    expect(await statusesOf(id)).toEqual(['FAILED'])
    await world.call('PATCH', `/contacts/${made.body.id}`, { body: { subscribed: true } })
    await world.drain()
    expect(await statusesOf(id)).toEqual(['FAILED', 'EXITED'])
  })
})

// Dry runs: the same outcome as a real run, and nothing touched.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
afterAll(() => world.close())

async function everything(): Promise<unknown> {
  const [row] = await world.ctx.sql`
    select (select count(*) from emails) as emails, (select count(*) from events) as events,
           (select count(*) from workflow_executions) as executions, (select count(*) from jobs) as jobs,
           (select json_agg(c order by id) from contacts c) as contacts, (select count(*) from workflow_snapshots) as snapshots`
  return row
}

const day = 86_400

async function journey(): Promise<string> {
  const templateId = await world.template({ subject: 'Hi {{name}}, {{event.code}}' })
  const tree = {
    logic: 'AND',
    groups: [
      {
        filters: [
          { field: 'event.paid', operator: 'triggered' },
          { field: 'data.seen', operator: 'equals', value: true },
        ],
      },
    ],
  }
  const { id } = await world.graph(
    'joined',
    [
      { type: 'SEND_EMAIL', templateId },
      { type: 'DELAY', config: { amount: 2, unit: 'days' } },
      { type: 'UPDATE_CONTACT', config: { updates: { seen: true }, subscriptionAction: 'unsubscribe' } },
      { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 10 * day } },
      { type: 'CONDITION', config: tree },
      { type: 'WEBHOOK', config: { url: 'https://x.example.com/{{event.sum}}' } },
      { type: 'EXIT', config: { reason: 'paid' } },
      { type: 'EXIT', config: { reason: 'silent' } },
    ],
    [
      [-1, 0],
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5, { branch: 'yes' }],
      [5, 6],
      [4, 7, { branch: 'no' }],
    ],
  )
  return id
}

test('a dry run tells what would happen and when, and touches nothing', async () => {
  const id = await journey()
  const { body: contact } = await world.call('POST', '/contacts', {
    body: { email: 'dry@example.com', subscribed: true, data: { name: 'Dry' } },
  })
  const before = await everything()
  const calls = world.webhooks.calls.length
  const { status, body } = await world.call('POST', `/workflows/${id}/simulate`, {
    body: {
      contactId: contact.id,
      context: { code: 5 },
      events: [
        { name: 'paid', after: 1 },
        { name: 'paid', after: 5 * day, data: { sum: 9 } },
      ],
    },
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({ status: 'EXITED', exitReason: 'paid', context: { code: 5, sum: 9 } })
  expect(body.contact).toEqual({
    email: 'dry@example.com',
    subscribed: false,
    data: { name: 'Dry', seen: true },
  })
  const start = world.clock.now().getTime()
  expect(body.endedAt).toBe(new Date(start + 5 * day * 1000).toISOString())
  expect(body.steps.map((each: { type: string }) => each.type)).toEqual([
    'TRIGGER',
    'SEND_EMAIL',
    'DELAY',
    'UPDATE_CONTACT',
    'WAIT_FOR_EVENT',
    'CONDITION',
    'WEBHOOK',
    'EXIT',
  ])
  expect(body.steps[1].output).toMatchObject({
    subject: 'Hi Dry, 5',
    recipientEmail: 'dry@example.com',
    wouldSend: true,
  })
  expect(body.steps[6].output).toMatchObject({ url: 'https://x.example.com/9', simulated: true })
  expect(await everything()).toEqual(before)
  expect(world.webhooks.calls).toHaveLength(calls)
})

test('without the event the time runs out, also for somebody who does not exist', async () => {
  const id = await journey()
  const { body } = await world.call('POST', `/workflows/${id}/simulate`, {
    body: { contact: { email: 'Nobody@Example.com', subscribed: false, data: { plan: 'x' } } },
  })
  expect(body).toMatchObject({
    status: 'EXITED',
    exitReason: 'silent',
    contact: { email: 'nobody@example.com', data: { plan: 'x' } },
  })
  expect(body.steps[1].output).toMatchObject({
    wouldSend: false,
    error: expect.stringContaining('unsubscribed'),
  })
  expect(body.steps[4].output).toEqual({ timedOut: true, eventName: 'paid' })
})

test('without a body it is run for somebody', async () => {
  const id = await journey()
  const { status, body } = await world.call('POST', `/workflows/${id}/simulate`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ exitReason: 'silent', contact: { email: 'somebody@example.com' } })
})

test('faulty requests are refused', async () => {
  const id = await journey()
  for (const [body, status] of [
    [{ contact: { email: 'nonsense' } }, 422],
    [{ contactId: 'x' }, 422],
    [{ contactId: '01890000-0000-7000-8000-000000000000' }, 404],
    [{ events: [{ name: 'x', after: -1 }] }, 422],
    [{ context: { text: 'a\0b' } }, 422],
    [[], 422],
  ] as const)
    expect((await world.call('POST', `/workflows/${id}/simulate`, { body })).status).toBe(status)
})

test('what keeps a message of a real run from leaving keeps it here', async () => {
  const templateId = await world.template({ type: 'TRANSACTIONAL' })
  const { id } = await world.chain('gated', [{ type: 'SEND_EMAIL', templateId }, { type: 'EXIT' }])
  await world.ctx.sql`
    insert into suppressions (project_id, email, reason, source, created_at)
    values (${world.project.id}::uuid, 'gone@example.com', 'bounce', 'test', now())`
  const simulate = async (email: string) =>
    (await world.call('POST', `/workflows/${id}/simulate`, { body: { contact: { email } } })).body
  expect((await simulate('there@example.com')).steps[1].output.wouldSend).toBe(true)
  expect(await simulate('gone@example.com')).toMatchObject({
    status: 'EXITED',
    steps: [{}, { output: { wouldSend: false, error: 'address is suppressed (bounce)' } }, {}],
  })
  await world.ctx
    .sql`update domains set domain = 'elsewhere.example' where project_id = ${world.project.id}::uuid`
  expect(await simulate('there@example.com')).toMatchObject({
    status: 'FAILED',
    steps: [{}, { status: 'FAILED', error: expect.stringContaining('is not registered to this project') }],
  })
})

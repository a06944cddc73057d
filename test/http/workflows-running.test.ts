// Workflows that run: what each type of step does, seen over HTTP with a clock in the test's hand.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { advanceExecution } from '../../src/modules/features/workflows/runs/service/advance'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
afterAll(() => world.close())

const minute = 60_000
const hour = 60 * minute

let counter = 0
const fresh = (): { email: string; event: string } => {
  counter++
  return { email: `person${counter}@example.com`, event: `begin.${counter}` }
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire holds.
const statuses = (execution: any): string[] =>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire holds.
  execution.stepExecutions.map((row: any) => `${row.step.type} ${row.status}`)

test('an event starts an execution, which runs to its end', async () => {
  const { email, event } = fresh()
  const { id } = await world.chain(event, [{ type: 'EXIT', config: { reason: 'all done' } }])
  const tracked = await world.track(email, event, { code: 'x', once: { value: 1, persistent: false } })
  const execution = await world.execution(id)
  expect(execution).toMatchObject({
    status: 'EXITED',
    exitReason: 'all done',
    currentStepId: null,
    sourceEventId: tracked.event,
    context: { code: 'x', once: 1 },
    contact: { id: tracked.contact, email },
    completedAt: world.clock.now().toISOString(),
  })
  expect(statuses(execution)).toEqual(['TRIGGER COMPLETED', 'EXIT COMPLETED'])
  expect(execution.stepExecutions[0].output).toEqual({
    triggered: true,
    eventName: event,
    timestamp: world.clock.now().toISOString(),
  })
  expect((await world.call('GET', `/contacts/${tracked.contact}`)).body.data).toEqual({ code: 'x' })
})

test('a workflow that is off is not started, and one that is turned off goes on with what runs', async () => {
  const { email, event } = fresh()
  const { id } = await world.chain(event, [{ type: 'DELAY', config: { amount: 1, unit: 'hours' } }])
  await world.track(email, event)
  await world.call('PATCH', `/workflows/${id}`, { body: { enabled: false } })
  await world.track(`other.${email}`, event)
  expect(await world.executions(id)).toHaveLength(1)
  world.clock.advance(hour)
  await world.drain()
  expect((await world.execution(id)).status).toBe('COMPLETED')
})

test('says how many are at each step, lists those, and counts none that has ended', async () => {
  const { email, event } = fresh()
  const { id } = await world.chain(event, [
    { type: 'DELAY', config: { amount: 1, unit: 'hours' } },
    { type: 'DELAY', config: { amount: 1, unit: 'days' } },
  ])
  const { steps } = (await world.call('GET', `/workflows/${id}`)).body
  const idOf = (at: number): string => steps[at].id
  const counted = async () => (await world.call('GET', `/workflows/${id}/executions/steps`)).body
  const at = async (stepId: string) => {
    const { body } = await world.call('GET', `/workflows/${id}/executions?stepId=${stepId}&pageSize=1`)
    const emails = body.data.map((row: { contact: { email: string } }) => row.contact.email)
    return [emails, body.total, body.hasMore]
  }
  expect(await counted()).toEqual({ steps: [], isMore: false })
  await world.track(email, event)
  world.clock.advance(hour)
  await world.drain()
  await world.track(`second.${email}`, event)
  await world.track(`third.${email}`, event)
  const byStep = (a: { stepId: string }, b: { stepId: string }) => (a.stepId < b.stepId ? -1 : 1)
  const found = await counted()
  expect(found.steps.sort(byStep)).toEqual(
    [
      { stepId: idOf(1), executions: 2 },
      { stepId: idOf(2), executions: 1 },
    ].sort(byStep),
  )
  expect(await at(idOf(2))).toEqual([[email], 1, false])
  expect(await at(idOf(1))).toEqual([[`third.${email}`], 2, true])
  // A step that is removed keeps those that are at it.
  await world.call('DELETE', `/workflows/${id}/steps/${idOf(2)}`)
  expect(await at(idOf(2))).toEqual([[email], 1, false])
  world.clock.advance(25 * hour)
  await world.drain()
  world.clock.advance(25 * hour)
  await world.drain()
  expect(await counted()).toEqual({ steps: [], isMore: false })
  expect(await at(idOf(2))).toEqual([[], 0, false])
})

test('a delay waits for its time, also as the last step', async () => {
  const { email, event } = fresh()
  const { id } = await world.chain(event, [{ type: 'DELAY', config: { amount: 90, unit: 'minutes' } }])
  await world.track(email, event)
  const until = new Date(world.clock.now().getTime() + 90 * minute).toISOString()
  expect(await world.execution(id)).toMatchObject({
    status: 'WAITING',
    wakeAt: until,
    currentStep: { type: 'DELAY' },
    stepExecutions: [
      {},
      { status: 'COMPLETED', output: { delayAmount: 90, delayUnit: 'minutes', resumeAt: until } },
    ],
  })
  world.clock.advance(90 * minute - 1)
  await world.drain()
  expect((await world.execution(id)).status).toBe('WAITING')
  world.clock.advance(1)
  await world.drain()
  expect(await world.execution(id)).toMatchObject({ status: 'COMPLETED', exitReason: null, wakeAt: null })
})

describe('SEND_EMAIL', () => {
  test('sends the template with contact and event data, once', async () => {
    const { email, event } = fresh()
    const templateId = await world.template({ type: 'TRANSACTIONAL' })
    const { id } = await world.chain(event, [{ type: 'SEND_EMAIL', templateId }])
    const before = world.mail.sent.length
    await world.track(email, event, { name: 'Ada', plan: 'pro', code: { value: '4711', persistent: false } })
    expect(world.mail.sent.length).toBe(before + 1)
    const mail = (await world.received()).at(-1)!
    expect(mail.subject).toBe('Hi Ada')
    expect(mail.html).toContain('<p>4711 pro</p>')
    const { output } = (await world.execution(id)).stepExecutions[1]
    expect(output).toMatchObject({ recipientType: 'CONTACT', recipientEmail: email })
    expect(await world.email(output.emailId)).toMatchObject({
      to: email,
      sourceType: 'TRANSACTIONAL',
      templateId,
    })
  })

  for (const type of ['MARKETING', 'HEADLESS'])
    test(`does not write ${type} mail to someone unsubscribed, and goes on`, async () => {
      const { email, event } = fresh()
      const templateId = await world.template({ type })
      const { id } = await world.chain(event, [{ type: 'SEND_EMAIL', templateId }, { type: 'EXIT' }])
      await world.call('POST', '/contacts', { body: { email, subscribed: false } })
      const before = world.mail.sent.length
      await world.track(email, event)
      expect(world.mail.sent.length).toBe(before)
      const execution = await world.execution(id)
      expect(execution.status).toBe('EXITED')
      const row = await world.email(execution.stepExecutions[1].output.emailId)
      expect(row).toMatchObject({ status: 'FAILED', error: 'Contact is unsubscribed from marketing emails' })
    })

  test('marketing mail carries a footer and the way out; a custom recipient passes the gate', async () => {
    const { email, event } = fresh()
    const templateId = await world.template()
    await world.chain(event, [
      { type: 'SEND_EMAIL', templateId },
      {
        type: 'SEND_EMAIL',
        templateId,
        config: { recipient: { type: 'CUSTOM', customEmail: 'Boss@Example.com' } },
      },
    ])
    await world.call('POST', '/contacts', { body: { email, subscribed: false } })
    await world.track(email, event)
    const mail = (await world.received()).at(-1)!
    expect(mail.to?.[0]?.address).toBe('boss@example.com')
    expect(mail.html).toContain('/unsubscribe/')
  })

  test('without a template, or for a project without the domain, the step and the execution fail', async () => {
    const { email, event } = fresh()
    const { id } = await world.chain(event, [{ type: 'SEND_EMAIL' }, { type: 'EXIT' }])
    await world.track(email, event)
    expect(await world.execution(id)).toMatchObject({
      status: 'FAILED',
      stepExecutions: [
        {},
        { status: 'FAILED', error: 'The step has no template', completedAt: expect.any(String) },
      ],
    })
  })
})

describe('UPDATE_CONTACT', () => {
  test('patches data by the rules of requests, fills texts, and tells of a changed subscription', async () => {
    const { email, event } = fresh()
    const { id } = await world.chain(event, [
      {
        type: 'UPDATE_CONTACT',
        config: {
          updates: {
            greeting: 'Hi {{name}}',
            plan: null,
            level: 3,
            email: 'x@y.z',
            name: '',
            from: { who: '{{name}}', tags: ['{{data.plan}}', 1] },
          },
          subscriptionAction: 'unsubscribe',
        },
      },
      { type: 'CONDITION', config: { field: 'data.level', operator: 'equals', value: 3 } },
    ])
    const { contact } = await world.track(email, event, { name: 'Ada', plan: 'free' })
    const { body } = await world.call('GET', `/contacts/${contact}`)
    expect(body).toMatchObject({
      email,
      subscribed: false,
      data: { name: 'Ada', greeting: 'Hi Ada', level: 3, from: { who: 'Ada', tags: ['free', 1] } },
    })
    expect(body.data.plan).toBeUndefined()
    expect((await world.events()).filter(each => each.contactId === contact).map(each => each.name)).toEqual([
      event,
      'contact.unsubscribed',
    ])
    expect((await world.execution(id)).stepExecutions[2].output).toMatchObject({
      result: true,
      actualValue: 3,
      branch: 'yes',
    })
  })

  test('an update too large fails the step and changes nothing', async () => {
    const { email, event } = fresh()
    const { id } = await world.chain(event, [
      { type: 'UPDATE_CONTACT', config: { updates: { big: '{{event.text}}{{event.text}}' } } },
    ])
    const { contact } = await world.track(email, event, {
      text: { value: 'x'.repeat(40_000), persistent: false },
    })
    expect(await world.execution(id)).toMatchObject({
      status: 'FAILED',
      stepExecutions: [
        { status: 'COMPLETED' },
        { status: 'FAILED', error: expect.stringContaining('65536') },
      ],
    })
    expect((await world.call('GET', `/contacts/${contact}`)).body.data).toEqual({})
  })
})

describe('WAIT_FOR_EVENT', () => {
  const waits = { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 3600 } }
  const [exitA, exitB] = [
    { type: 'EXIT', config: { reason: 'event' } },
    { type: 'EXIT', config: { reason: 'timeout' } },
  ]

  test('goes on with the event of its contact, whose data join the context', async () => {
    const { email, event } = fresh()
    const { id } = await world.graph(
      event,
      [waits, exitA, exitB],
      [
        [-1, 0],
        [0, 1, { waitOutcome: 'EVENT' }],
        [0, 2, { waitOutcome: 'TIMEOUT' }],
      ],
    )
    await world.track(email, event, { a: 1, b: 1 })
    expect(await world.execution(id)).toMatchObject({
      status: 'WAITING',
      stepExecutions: [{}, { status: 'WAITING' }],
    })
    await world.track(`other.${email}`, 'paid')
    expect((await world.execution(id)).status).toBe('WAITING')
    world.clock.advance(minute)
    const before = (await world.executions(id)).length
    await world.track(email, 'paid', { b: 2, secret: { value: 's', persistent: false } })
    const execution = await world.execution(id)
    expect(execution).toMatchObject({
      status: 'EXITED',
      exitReason: 'event',
      context: { a: 1, b: 2, secret: 's' },
    })
    expect(execution.stepExecutions[1].output).toEqual({
      eventReceived: true,
      eventName: 'paid',
      eventData: { b: 2, secret: 's' },
      receivedAt: world.clock.now().toISOString(),
    })
    world.clock.advance(hour)
    await world.drain()
    expect(await world.execution(id)).toEqual(execution)
    expect(await world.executions(id)).toHaveLength(before)
  })

  test('goes on when its time is over, and the event then finds nobody', async () => {
    const { email, event } = fresh()
    const { id } = await world.graph(
      event,
      [waits, exitA, exitB],
      [
        [-1, 0],
        [0, 1, { waitOutcome: 'EVENT' }],
        [0, 2, { waitOutcome: 'TIMEOUT' }],
      ],
    )
    await world.track(email, event)
    world.clock.advance(hour)
    await world.drain()
    const execution = await world.execution(id)
    expect(execution).toMatchObject({ status: 'EXITED', exitReason: 'timeout' })
    expect(execution.stepExecutions[1].output).toEqual({ timedOut: true, eventName: 'paid' })
    await world.track(email, 'paid')
    expect(await world.execution(id)).toEqual(execution)
  })

  test('an event before the wait does not count, nor one that ended a wait before', async () => {
    const { email, event } = fresh()
    const forever = { type: 'WAIT_FOR_EVENT', config: { eventName: 'step' } }
    const { id } = await world.chain(event, [forever, forever, forever])
    await world.track(email, 'step')
    await world.track(email, event)
    for (const done of [1, 2]) {
      expect((await world.execution(id)).stepExecutions).toHaveLength(1 + done)
      expect((await world.execution(id)).status).toBe('WAITING')
      await world.track(email, 'step', { done })
    }
    await world.track(email, 'step')
    expect((await world.execution(id)).status).toBe('COMPLETED')
  })

  test('a workflow that waits for its own trigger waits for the next one', async () => {
    const { email, event } = fresh()
    const { id } = await world.chain(event, [{ type: 'WAIT_FOR_EVENT', config: { eventName: event } }])
    await world.track(email, event)
    expect((await world.execution(id)).status).toBe('WAITING')
    await world.track(email, event)
    expect((await world.execution(id)).status).toBe('COMPLETED')
    expect(await world.executions(id)).toHaveLength(1)
  })
})

describe('an execution keeps the workflow that it started with', () => {
  test('steps, transitions and templates that change later are for later executions', async () => {
    const { email, event } = fresh()
    const templateId = await world.template({ subject: 'old', type: 'TRANSACTIONAL' })
    const { id, steps } = await world.chain(event, [
      { type: 'DELAY', config: { amount: 1, unit: 'hours' } },
      { type: 'SEND_EMAIL', templateId },
    ])
    await world.track(email, event)
    await world.call('PATCH', `/templates/${templateId}`, { body: { subject: 'new' } })
    await world.call('DELETE', `/workflows/${id}/steps/${steps[1]}`)
    world.clock.advance(hour)
    await world.drain()
    expect((await world.received()).at(-1)!.subject).toBe('old')
    expect(await world.execution(id)).toMatchObject({
      status: 'COMPLETED',
      stepExecutions: [{}, {}, { step: { id: steps[1] } }],
    })
  })

  test('a template that changed is seen by the next execution', async () => {
    const { email, event } = fresh()
    const templateId = await world.template({ subject: 'old', type: 'TRANSACTIONAL' })
    await world.chain(event, [{ type: 'SEND_EMAIL', templateId }])
    await world.track(email, event)
    await world.call('PATCH', `/templates/${templateId}`, { body: { subject: 'new' } })
    await world.track(`b.${email}`, event)
    expect((await world.received()).slice(-2).map(mail => mail.subject)).toEqual(['old', 'new'])
  })

  test('a wait that was edited away still hears its event', async () => {
    const { email, event } = fresh()
    const { id, steps } = await world.chain(event, [
      { type: 'WAIT_FOR_EVENT', config: { eventName: 'rare' } },
    ])
    await world.track(email, event)
    await world.call('DELETE', `/workflows/${id}/steps/${steps[0]}`)
    await world.track(email, 'rare')
    expect((await world.execution(id)).status).toBe('COMPLETED')
  })
})

test('a step without configuration fails when it runs', async () => {
  const { email, event } = fresh()
  const { id } = await world.chain(event, [{ type: 'DELAY' }])
  await world.track(email, event)
  const execution = await world.execution(id)
  expect(execution).toMatchObject({ status: 'FAILED', completedAt: expect.any(String) })
  expect(execution.stepExecutions[1]).toMatchObject({
    status: 'FAILED',
    error: expect.stringContaining('config.amount'),
  })
})

test('what the service emits itself starts workflows, too', async () => {
  const { email } = fresh()
  const { id } = await world.chain('contact.unsubscribed', [{ type: 'EXIT' }])
  await world.call('POST', '/contacts', { body: { email, subscribed: true } })
  await world.call('POST', '/contacts', { body: { email, subscribed: false } })
  await world.drain()
  expect(await world.executions(id)).toHaveLength(1)
})

test('a deleted contact takes its executions along', async () => {
  const { email, event } = fresh()
  const { id } = await world.chain(event, [{ type: 'DELAY', config: { amount: 1, unit: 'minutes' } }])
  const { contact } = await world.track(email, event)
  await world.call('DELETE', `/contacts/${contact}`)
  const [execution] = await world.executions(id)
  // The timer comes first: there is nobody left to go on for.
  world.clock.advance(minute)
  await advanceExecution(world.ctx, world.project.id, execution!.id, await versionOf(execution!.id))
  expect(await world.execution(id)).toMatchObject({
    status: 'CANCELLED',
    exitReason: 'Contact deleted',
    contact: null,
  })
  await world.drain()
  expect(await world.executions(id)).toEqual([])
})

async function versionOf(executionId: string): Promise<number> {
  const [row] = await world.ctx.sql`select version from workflow_executions where id = ${executionId}::uuid`
  return row!['version']
}

test('marketing mail of a workflow queues behind transactional mail', async () => {
  const { email, event } = fresh()
  const templateId = await world.template()
  await world.chain(event, [{ type: 'SEND_EMAIL', templateId }])
  await world.call('POST', '/v1/track', { key: world.project.publicKey, body: { email, event } })
  const kinds = (await world.drain()).map(run => run.kind)
  expect(kinds).toContain('email.deliverWorkflow')
  expect(kinds).not.toContain('email.deliver')
})

test('a condition tree is that of segments, and segments can be named in it', async () => {
  const { email, event } = fresh()
  const { body: segment } = await world.call('POST', '/segments', {
    body: {
      name: 'Pro',
      condition: {
        logic: 'AND',
        groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }],
      },
    },
  })
  const tree = {
    logic: 'AND',
    groups: [
      {
        filters: [
          { field: `segment.${segment.id}`, operator: 'memberOfSegment' },
          { field: `event.${event}`, operator: 'triggered' },
        ],
      },
    ],
  }
  const { id } = await world.graph(
    event,
    [
      { type: 'CONDITION', config: tree },
      { type: 'EXIT', config: { reason: 'yes' } },
      { type: 'EXIT', config: { reason: 'no' } },
    ],
    [
      [-1, 0],
      [0, 1, { branch: 'yes' }],
      [0, 2, { condition: { branch: 'no' } }],
    ],
  )
  await world.track(email, event, { plan: 'pro' })
  await world.track(`b.${email}`, event, { plan: 'free' })
  const reasons = (await world.executions(id)).map(each => each['exitReason'])
  expect(reasons.sort()).toEqual(['no', 'yes'] as never[])
  expect((await world.call('DELETE', `/segments/${segment.id}`)).status).toBe(409)
})

test('what lies ahead of a project ends with the waiting, whatever ends it', async () => {
  const ahead = async (): Promise<number> =>
    (await world.call('GET', '/activity/upcoming')).body.activities.length
  const { event } = fresh()
  const wait = { eventName: `answer.${event}`, timeout: 3_600 }
  const { id } = await world.chain(event, [{ type: 'WAIT_FOR_EVENT', config: wait }])
  const enter = (name: string) => world.track(`${name}.${event}@example.com`, event)
  const [, cancelled, gone] = await Promise.all(['answers', 'cancelled', 'gone', 'late'].map(enter))
  const before = await ahead()
  expect(before).toBeGreaterThanOrEqual(4)

  await world.track(`answers.${event}@example.com`, wait.eventName)
  expect(await ahead()).toBe(before - 1)
  const [its] = (await world.call('GET', `/workflows/${id}/executions?contactId=${cancelled!.contact}`)).body
    .data
  await world.call('DELETE', `/workflows/${id}/executions/${its.id}`)
  expect(await ahead()).toBe(before - 2)
  await world.call('DELETE', `/contacts/${gone!.contact}`)
  await world.drain()
  expect(await ahead()).toBe(before - 3)
  world.clock.advance(hour)
  await world.drain()
  expect(await ahead()).toBe(0)

  await Promise.all(['one', 'another'].map(enter))
  expect(await ahead()).toBe(2)
  await world.call('POST', `/workflows/${id}/executions/cancel-all`)
  expect(await ahead()).toBe(0)
})

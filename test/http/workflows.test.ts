// Defining workflows over HTTP: what is kept, what is refused, and what starting and cancelling answer.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/request'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
afterAll(() => world.close())

const unknown = '01890000-0000-7000-8000-000000000000'

let counter = 0
const newEvent = (): string => `define.${++counter}`

async function create(body: Record<string, unknown> = {}): Promise<Answer['body']> {
  const answer = await world.call('POST', '/workflows', {
    body: { name: 'Welcome', eventName: newEvent(), ...body },
  })
  expect(answer.status).toBe(201)
  return answer.body
}

const whole = async (id: string): Promise<Answer['body']> =>
  (await world.call('GET', `/workflows/${id}`)).body

const addStep = (id: string, body: Record<string, unknown>): Promise<Answer> =>
  world.call('POST', `/workflows/${id}/steps`, {
    body: { name: 'Step', config: {}, position: { x: 0, y: 0 }, ...body },
  })

const connect = (id: string, fromStepId: string, toStepId: string, more = {}): Promise<Answer> =>
  world.call('POST', `/workflows/${id}/transitions`, { body: { fromStepId, toStepId, ...more } })

describe('a new workflow', () => {
  test('is off, starts with its event, and has one trigger step', async () => {
    const body = await create({ eventName: '  signed.up ', enabled: true, description: 'First' })
    const now = world.clock.now().toISOString()
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Welcome',
      description: 'First',
      enabled: false,
      triggerType: 'EVENT',
      triggerConfig: { eventName: 'signed.up' },
      allowReentry: false,
      maxStartsPerHour: 100,
      includeBulkChanges: false,
      revision: 0,
      nextRunAt: null,
      projectId: world.project.id,
      createdAt: now,
      updatedAt: now,
    })
    const { steps, transitions } = await whole(body.id)
    expect(transitions).toEqual([])
    expect(steps).toMatchObject([
      {
        type: 'TRIGGER',
        name: 'Trigger: signed.up',
        config: { eventName: 'signed.up' },
        position: { x: 100, y: 100 },
        template: null,
        outgoingTransitions: [],
        incomingTransitions: [],
      },
    ])
  })

  for (const [body, error] of [
    [{ eventName: 'x' }, 'Name is required'],
    [{ name: ' ', eventName: 'x' }, 'Name is required'],
    [{ name: 'x' }, 'Event name is required'],
    [{ name: 'x', eventName: '   ' }, 'Event name is required'],
  ] as const)
    test(`${JSON.stringify(body)} is refused: ${error}`, async () => {
      expect(await world.call('POST', '/workflows', { body })).toMatchObject({ status: 400, body: { error } })
    })

  test('faulty members are 422 with their field', async () => {
    for (const [body, field] of [
      [{ name: 'x'.repeat(101), eventName: 'x' }, 'name'],
      [{ name: 'x', eventName: 'x'.repeat(256) }, 'eventName'],
      [{ name: 'x', eventName: 5 }, 'eventName'],
      [{ name: 'x', eventName: 'x', allowReentry: 'no' }, 'allowReentry'],
    ] as const) {
      const answer = await world.call('POST', '/workflows', { body })
      expect([answer.status, answer.body.error?.errors?.[0]?.field]).toEqual([422, field])
    }
  })

  test('may start with what the service emits itself', async () => {
    for (const eventName of ['email.open', 'contact.subscribed', 'segment.vip.entry'])
      await create({ eventName })
  })
})

describe('tenants', () => {
  test("another project's workflow is not there", async () => {
    const { id } = await create()
    const other = await world.newProject()
    for (const [method, path, body] of [
      ['GET', `/workflows/${id}`],
      ['PATCH', `/workflows/${id}`, {}],
      ['DELETE', `/workflows/${id}`],
      ['POST', `/workflows/${id}/duplicate`],
      ['POST', `/workflows/${id}/steps`, { type: 'EXIT', name: 'x' }],
      ['GET', `/workflows/${id}/executions`],
      ['POST', `/workflows/${id}/executions/cancel-all`],
    ] as const) {
      const answer = await world.call(method, path, { key: other.secretKey, body })
      expect([method, path, answer.status, answer.body.error?.code]).toEqual([
        method,
        path,
        404,
        'WORKFLOW_NOT_FOUND',
      ])
    }
  })

  test('ids that are none are 422, the public key 401, and nobody 401', async () => {
    expect((await world.call('GET', '/workflows/nonsense')).status).toBe(422)
    expect((await world.call('GET', '/workflows', { key: world.project.publicKey })).status).toBe(401)
    expect((await world.call('GET', '/workflows', { key: undefined })).status).toBe(401)
  })
})

test('lists search, filter, count and sort by steps', async () => {
  const mark = `mark${counter}`
  const few = await create({ name: `${mark} few` })
  const many = await create({ name: 'many', description: `about ${mark.toUpperCase()}` })
  await addStep(many.id, { type: 'EXIT' })
  await world.call('PATCH', `/workflows/${many.id}`, { body: { enabled: true } })
  const names = async (query: string): Promise<string[]> =>
    (await world.call('GET', `/workflows?search=${mark}&${query}`)).body.data.map(
      (each: { id: string }) => each.id,
    )
  expect(await names('')).toEqual([many.id, few.id])
  expect(await names('sort=steps&dir=asc')).toEqual([few.id, many.id])
  expect(await names('status=active')).toEqual([many.id])
  expect(await names('status=disabled')).toEqual([few.id])
  const page = await world.call('GET', `/workflows?search=${mark}&pageSize=1&page=2`)
  expect(page.body).toMatchObject({ total: 2, page: 2, pageSize: 1, totalPages: 2 })
  expect(page.body.data[0]).toMatchObject({ id: few.id, _count: { steps: 1, executions: 0 } })
})

test('fields are those of contacts and recent events, by name', async () => {
  const event = newEvent()
  await world.track('fields@example.com', event, { plan: 'pro', secret: { value: 1, persistent: false } })
  const { body } = await world.call('GET', `/workflows/fields?eventName=${event}`)
  expect(body.fields).toEqual(
    expect.arrayContaining(['email', 'subscribed', 'createdAt', 'data.plan', 'event.plan']),
  )
  expect(body.fields).toEqual([...body.fields].sort())
  expect(body.count).toBe(body.fields.length)
  expect(body.typedFields).toContainEqual({ field: 'data.plan', type: 'string', category: 'Custom Data' })
})

describe('changing a workflow', () => {
  test('keeps what the body leaves out', async () => {
    const { id } = await create()
    const { body } = await world.call('PATCH', `/workflows/${id}`, {
      body: { name: 'New', description: null, enabled: true, allowReentry: true },
    })
    expect(body).toMatchObject({
      name: 'New',
      description: null,
      enabled: true,
      allowReentry: true,
      triggerType: 'EVENT',
    })
    expect((await world.call('PATCH', `/workflows/${id}`, { body: {} })).body).toMatchObject({
      name: 'New',
      enabled: true,
    })
  })

  test('a new event moves the trigger step along and is what starts it from then on', async () => {
    const event = newEvent()
    const { id } = await create({ eventName: event })
    await world.call('PATCH', `/workflows/${id}`, {
      body: { enabled: true, triggerConfig: { eventName: ` ${event}.b ` } },
    })
    expect((await whole(id)).steps[0]).toMatchObject({
      name: `Trigger: ${event}.b`,
      config: { eventName: `${event}.b` },
    })
    await world.track('moved@example.com', event)
    expect(await world.executions(id)).toEqual([])
    await world.track('moved@example.com', `${event}.b`)
    expect(await world.executions(id)).toHaveLength(1)
    expect((await world.call('GET', `/events/${event}.b/usage`)).body.usedInWorkflows).toEqual([
      { id, name: 'Welcome' },
    ])
  })

  test('the trigger stays while the workflow is on and something runs', async () => {
    const { id } = await world.chain(newEvent(), [{ type: 'DELAY', config: { amount: 1, unit: 'days' } }])
    const { body: contact } = await world.call('POST', '/contacts', { body: { email: 'held@example.com' } })
    await world.call('POST', `/workflows/${id}/executions`, { body: { contactId: contact.id } })
    for (const body of [{ triggerType: 'MANUAL' }, { triggerConfig: { eventName: 'x' } }])
      expect((await world.call('PATCH', `/workflows/${id}`, { body })).status).toBe(409)
    expect((await world.call('DELETE', `/workflows/${id}`)).status).toBe(409)
    await world.call('PATCH', `/workflows/${id}`, { body: { enabled: false } })
    expect((await world.call('PATCH', `/workflows/${id}`, { body: { triggerType: 'MANUAL' } })).status).toBe(
      200,
    )
  })

  for (const body of [
    { triggerType: 'CRON' },
    { triggerConfig: { eventName: ' ' } },
    { triggerConfig: {} },
    { triggerType: 'SCHEDULE' },
    { triggerType: 'SCHEDULE', triggerConfig: { cron: 'nonsense' } },
    { triggerType: 'SCHEDULE', triggerConfig: { cron: '* * * * * *' } },
    { triggerType: 'SCHEDULE', triggerConfig: { cron: '0 8 30 2 *' } },
    { triggerType: 'SCHEDULE', triggerConfig: { cron: '0 8 * * *', timezone: 'Mars/Base' } },
    { triggerType: 'SCHEDULE', triggerConfig: { cron: '0 8 * * *', segmentId: 'x' } },
    { name: '  ' },
  ])
    test(`${JSON.stringify(body)} is 422 and changes nothing`, async () => {
      const created = await create()
      expect((await world.call('PATCH', `/workflows/${created.id}`, { body })).status).toBe(422)
      expect(await whole(created.id)).toMatchObject(created)
    })
})

describe('steps', () => {
  test('need type and name, and are told exactly what is missing', async () => {
    const { id } = await create()
    for (const [body, error] of [
      [{}, 'Type and name are required'],
      [{ type: 'EXIT' }, 'Name is required'],
      [{ type: 'EXIT', name: ' ' }, 'Name is required'],
      [{ name: 'x' }, 'Type is required'],
    ] as const)
      expect(await world.call('POST', `/workflows/${id}/steps`, { body })).toMatchObject({
        status: 400,
        body: { error },
      })
    for (const body of [
      { type: 7, name: 'x' },
      { type: 'EXIT', name: 7 },
      { type: 'EXIT', name: 'x', position: '3' },
    ])
      expect((await world.call('POST', `/workflows/${id}/steps`, { body })).status).toBe(422)
  })

  test('may come with a number as position, which says nothing', async () => {
    const { id } = await create()
    const body = { type: 'EXIT', name: 'x', position: 3 }
    const answer = await world.call('POST', `/workflows/${id}/steps`, { body })
    expect(answer).toMatchObject({ status: 201, body: { position: { x: 0, y: 0 } } })
  })

  test('whose condition names a segment by what is no id, or that is not there, are 404', async () => {
    const { id } = await create()
    for (const name of ['nonsense', crypto.randomUUID()]) {
      const filters = [{ field: `segment.${name}`, operator: 'memberOfSegment' }]
      const config = { logic: 'AND', groups: [{ filters }] }
      const body = { type: 'CONDITION', name: 'x', config }
      expect((await world.call('POST', `/workflows/${id}/steps`, { body })).status).toBe(404)
    }
  })

  test('are chained while the graph is a plain chain', async () => {
    const { id } = await create()
    const first = (await addStep(id, { type: 'DELAY', config: { amount: 1, unit: 'hours' } })).body
    const second = (await addStep(id, { type: 'EXIT' })).body
    const { steps, transitions } = await whole(id)
    expect(transitions.map((edge: Record<string, string>) => [edge['fromStepId'], edge['toStepId']])).toEqual(
      [
        [steps[0].id, first.id],
        [first.id, second.id],
      ],
    )
    expect(first.config).toEqual({ amount: 1, unit: 'hours' })
    // An exit ends the chain.
    await addStep(id, { type: 'EXIT' })
    expect((await whole(id)).transitions).toHaveLength(2)
  })

  test('stay apart with autoConnect false, and once there is a condition', async () => {
    const { id } = await create()
    await addStep(id, { type: 'EXIT', autoConnect: false })
    expect((await whole(id)).transitions).toEqual([])
    const other = await create()
    await addStep(other.id, { type: 'CONDITION' })
    await addStep(other.id, { type: 'EXIT' })
    expect((await whole(other.id)).transitions).toHaveLength(1)
  })

  test('an automatic edge yields to one that is asked for', async () => {
    const { id } = await create()
    const a = (await addStep(id, { type: 'DELAY' })).body
    const b = (await addStep(id, { type: 'DELAY' })).body
    const c = (await addStep(id, { type: 'EXIT', autoConnect: false })).body
    expect((await connect(id, a.id, b.id)).status).toBe(201)
    expect((await connect(id, a.id, c.id)).body.error.message).toContain('already leads to another step')
    const [trigger] = (await whole(id)).steps
    expect((await connect(id, trigger.id, c.id)).status).toBe(201)
    expect((await whole(id)).steps[0].outgoingTransitions).toMatchObject([{ toStepId: c.id }])
  })

  for (const [words, body, status] of [
    ['no type', { type: undefined }, 400],
    ['no name', { type: 'EXIT', name: '' }, 400],
    ['an unknown type', { type: 'DANCE' }, 422],
    ['a name too long', { type: 'EXIT', name: 'x'.repeat(101) }, 422],
    ['a second trigger', { type: 'TRIGGER' }, 400],
    ['a template that is not there', { type: 'SEND_EMAIL', templateId: unknown }, 404],
    [
      'a template in the configuration that is not there',
      { type: 'SEND_EMAIL', config: { templateId: unknown } },
      404,
    ],
    ['a delay without unit', { type: 'DELAY', config: { amount: 1 } }, 422],
    ['a delay of more than a year', { type: 'DELAY', config: { amount: 366, unit: 'days' } }, 422],
    ['a negative timeout', { type: 'WAIT_FOR_EVENT', config: { eventName: 'x', timeout: -1 } }, 422],
    [
      'a condition on an unknown field',
      { type: 'CONDITION', config: { field: 'shoe', operator: 'exists' } },
      422,
    ],
    ['a faulty tree', { type: 'CONDITION', config: { logic: 'AND', groups: [] } }, 422],
    ['a webhook to a file', { type: 'WEBHOOK', config: { url: 'file:///etc/passwd' } }, 422],
    [
      'a webhook with two lines in a header',
      { type: 'WEBHOOK', config: { url: 'https://a.b/', headers: { a: 'x\ny' } } },
      422,
    ],
    [
      'a webhook that sets Host',
      { type: 'WEBHOOK', config: { url: 'https://a.b/', headers: { Host: 'x' } } },
      422,
    ],
    ['an update of nothing', { type: 'UPDATE_CONTACT', config: { subscriptionAction: 'none' } }, 422],
    ['a configuration too large', { type: 'EXIT', config: { reason: 'x', more: 'x'.repeat(70_000) } }, 422],
    [
      'a segment that is not there',
      {
        type: 'CONDITION',
        config: {
          logic: 'AND',
          groups: [{ filters: [{ field: `segment.${unknown}`, operator: 'memberOfSegment' }] }],
        },
      },
      404,
    ],
  ] as const)
    test(`${words} is ${status}, and nothing is added`, async () => {
      const { id } = await create()
      expect((await addStep(id, body as Record<string, unknown>)).status).toBe(status)
      expect((await whole(id)).steps).toHaveLength(1)
    })

  test("of another project's template say the same as of none", async () => {
    const { id } = await create()
    const other = await world.newProject()
    const foreign = await world.call('POST', '/templates', {
      key: other.secretKey,
      body: { name: 'T', subject: 's', body: 'b', from: 'hello@acme.example' },
    })
    expect(foreign.status).toBe(201)
    const answer = await addStep(id, { type: 'SEND_EMAIL', templateId: foreign.body.id })
    expect([answer.status, answer.body.error.message]).toEqual([404, 'Template not found'])
  })

  test('change name, place, configuration and template, and refuse the rest', async () => {
    const { id } = await create()
    const templateId = await world.template()
    const step = (await addStep(id, { type: 'SEND_EMAIL', templateId })).body
    const path = `/workflows/${id}/steps/${step.id}`
    const patch = (body: Record<string, unknown>): Promise<Answer> => world.call('PATCH', path, { body })
    expect((await patch({ name: 'Mail', position: { x: 5, y: -6 } })).body).toMatchObject({
      name: 'Mail',
      position: { x: 5, y: -6 },
      templateId,
    })
    expect((await world.call('GET', `/templates/${templateId}/usage`)).body.workflowSteps).toEqual([
      { id: step.id, name: 'Mail', workflowId: id, workflowName: 'Welcome' },
    ])
    expect((await world.call('DELETE', `/templates/${templateId}`)).status).toBe(409)
    expect((await patch({ templateId: unknown })).status).toBe(404)
    expect((await patch({ config: { recipient: { type: 'CUSTOM' } } })).body.error.errors[0].field).toBe(
      'config.recipient.customEmail',
    )
    expect((await patch({ templateId: null })).body.templateId).toBeNull()
    expect((await world.call('DELETE', `/templates/${templateId}`)).status).toBe(204)
    const missing = await world.call('PATCH', `/workflows/${id}/steps/${unknown}`, { body: {} })
    expect([missing.status, missing.body.error.message]).toEqual([404, 'Workflow step not found'])
  })
})

describe('deleting a step', () => {
  test('takes it and its edges, and nothing behind it', async () => {
    const { id, steps } = await world.chain(newEvent(), [
      { type: 'DELAY' },
      { type: 'DELAY' },
      { type: 'EXIT' },
    ])
    expect((await world.call('DELETE', `/workflows/${id}/steps/${steps[1]}`)).status).toBe(204)
    const left = await whole(id)
    expect(left.steps.map((each: { id: string }) => each.id).slice(1)).toEqual([steps[0], steps[2]])
    expect(left.transitions).toHaveLength(1)
  })

  test('with splice=true leads what came before to what comes behind, branches included', async () => {
    const { id, steps } = await world.graph(
      newEvent(),
      [
        { type: 'CONDITION', config: { field: 'data.a', operator: 'exists' } },
        { type: 'DELAY' },
        { type: 'EXIT' },
      ],
      [
        [-1, 0],
        [0, 1, { branch: 'yes', priority: 7 }],
        [1, 2],
        [0, 2, { branch: 'no' }],
      ],
    )
    const remove = (step: string): Promise<Answer> =>
      world.call('DELETE', `/workflows/${id}/steps/${step}?splice=true`)
    expect((await remove(steps[0]!)).body.error.message).toBe(
      'Cannot splice a condition step out of the flow.',
    )
    expect((await remove(steps[1]!)).status).toBe(204)
    const edges = (await whole(id)).steps[1].outgoingTransitions
    expect(edges).toMatchObject([
      { toStepId: steps[2], branch: 'yes', condition: { branch: 'yes' }, priority: 7 },
      { toStepId: steps[2], branch: 'no', priority: 0 },
    ])
    expect((await remove(steps[2]!)).status).toBe(204)
    expect((await whole(id)).transitions).toHaveLength(1)
  })

  test('is refused for the trigger, and for a wait with two ways on when it is spliced', async () => {
    const { id, steps } = await world.graph(
      newEvent(),
      [{ type: 'WAIT_FOR_EVENT', config: { eventName: 'x' } }, { type: 'EXIT' }],
      [
        [-1, 0],
        [0, 1, { waitOutcome: 'EVENT' }],
        [0, 1, { waitOutcome: 'TIMEOUT' }],
      ],
    )
    const [trigger] = (await whole(id)).steps
    for (const path of [`${trigger.id}`, `${trigger.id}?splice=true`, `${steps[0]}?splice=true`])
      expect((await world.call('DELETE', `/workflows/${id}/steps/${path}`)).status).toBe(400)
  })
})

describe('transitions', () => {
  test('are refused where they break the graph', async () => {
    const { id, steps } = await world.graph(
      newEvent(),
      [
        {
          type: 'CONDITION',
          config: { mode: 'multi', field: 'data.a', branches: [{ id: 'b1', name: 'B', operator: 'exists' }] },
        },
        { type: 'DELAY' },
        { type: 'EXIT' },
        { type: 'CONDITION' },
      ],
      [
        [-1, 0],
        [0, 1, { branch: 'b1' }],
        [1, 3],
      ],
    )
    const [multi, delay, exit, single] = steps as [string, string, string, string]
    const refusal = async (from: string, to: string, more = {}): Promise<unknown[]> => {
      const { status, body } = await connect(id, from, to, more)
      return [status, body.error?.message ?? body.error]
    }
    expect(await refusal(delay, delay)).toEqual([400, 'A step cannot be connected to itself'])
    expect(await refusal(delay, unknown)).toEqual([404, 'One or both steps not found'])
    expect(await refusal(exit, delay)).toEqual([400, expect.stringContaining('exit step ends the flow')])
    expect(await refusal(delay, exit)).toEqual([400, 'This step already leads to another step'])
    expect(await refusal(multi, exit, { branch: 'b1' })).toEqual([
      400,
      'A transition for the "b1" branch already exists from this step',
    ])
    expect(await refusal(multi, exit, { branch: 'yes' })).toEqual([
      400,
      expect.stringContaining('b1, default'),
    ])
    expect(await refusal(multi, exit)).toEqual([400, expect.stringContaining('branch')])
    expect(await refusal(single, multi, { branch: 'yes' })).toEqual([
      400,
      'This connection would create a loop in the workflow',
    ])
    for (const branch of ['b1', ''])
      expect(await refusal(single, exit, { branch })).toEqual([400, expect.stringContaining('yes, no')])
    expect(await refusal(multi, exit, { branch: '' })).toEqual([400, expect.stringContaining('b1')])
    expect(await refusal(single, exit, { condition: { branch: '' } })).toEqual([
      400,
      expect.stringContaining('yes, no'),
    ])
    expect(await refusal(delay, exit, { branch: 'yes' })).toEqual([400, expect.stringContaining('CONDITION')])
    expect(await refusal(delay, exit, { waitOutcome: 'EVENT' })).toEqual([
      400,
      expect.stringContaining('WAIT_FOR_EVENT'),
    ])
    expect((await world.call('POST', `/workflows/${id}/transitions`, { body: {} })).body).toEqual({
      error: 'From step ID and to step ID are required',
    })
    for (const [body, error] of [
      [{ fromStepId: single }, 'To step ID is required'],
      [{ toStepId: single }, 'From step ID is required'],
    ] as const)
      expect(await world.call('POST', `/workflows/${id}/transitions`, { body })).toMatchObject({
        status: 400,
        body: { error },
      })
    for (const branch of ['yes', 'no']) expect((await connect(id, single, exit, { branch })).status).toBe(201)
    expect((await connect(id, multi, exit, { condition: { branch: 'default' } })).body).toMatchObject({
      branch: 'default',
      condition: { branch: 'default' },
      waitOutcome: null,
    })
  })

  test('are deleted once', async () => {
    const { id } = await world.chain(newEvent(), [{ type: 'EXIT' }])
    const [edge] = (await whole(id)).transitions
    const path = `/workflows/${id}/transitions/${edge.id}`
    expect((await world.call('DELETE', path)).status).toBe(204)
    expect((await world.call('DELETE', path)).status).toBe(404)
  })
})

describe('executions', () => {
  const waits = [{ type: 'WAIT_FOR_EVENT', config: { eventName: 'never' } }]
  const contact = async (): Promise<string> =>
    (await world.call('POST', '/contacts', { body: { email: `run${++counter}@example.com` } })).body.id

  test('start by hand, whatever the trigger, and keep their context', async () => {
    const { id } = await world.chain(newEvent(), waits, { triggerType: 'MANUAL' })
    const contactId = await contact()
    const context = { a: 1, once: { value: 'x', persistent: false } }
    const started = await world.call('POST', `/workflows/${id}/executions`, { body: { contactId, context } })
    expect([started.status, started.body.status, started.body.context]).toEqual([201, 'RUNNING', context])
    await world.drain()
    expect(await world.execution(id)).toMatchObject({
      status: 'WAITING',
      context,
      workflow: { id, triggerType: 'MANUAL' },
    })
    expect((await world.call('GET', `/contacts/${contactId}`)).body.data).toEqual({})
  })

  test('are refused for what is missing, off or unknown', async () => {
    const { id } = await world.chain(newEvent(), waits)
    const start = (body: Record<string, unknown>): Promise<Answer> =>
      world.call('POST', `/workflows/${id}/executions`, { body })
    expect(await start({})).toMatchObject({ status: 400, body: { error: 'Contact ID is required' } })
    expect(await start({ contactId: unknown })).toMatchObject({
      status: 404,
      body: { error: { code: 'CONTACT_NOT_FOUND' } },
    })
    expect((await start({ contactId: 'x' })).status).toBe(422)
    expect((await start({ contactId: unknown, context: { a: 'x'.repeat(300_000) } })).status).toBe(422)
    await world.call('PATCH', `/workflows/${id}`, { body: { enabled: false } })
    const off = await start({ contactId: await contact() })
    expect([off.status, off.body.error.message]).toEqual([400, 'Workflow is not enabled'])
  })

  test('a contact enters once, or again after the end, as the workflow says', async () => {
    const { id } = await world.chain(newEvent(), waits)
    const contactId = await contact()
    const start = (): Promise<Answer> =>
      world.call('POST', `/workflows/${id}/executions`, { body: { contactId } })
    await start()
    await world.drain()
    expect((await start()).body.error.message).toContain('does not allow re-entry')
    await world.call('POST', `/workflows/${id}/executions/cancel-all`)
    expect((await start()).status).toBe(409)
    await world.call('PATCH', `/workflows/${id}`, { body: { allowReentry: true } })
    expect((await start()).status).toBe(201)
    await world.drain()
    expect((await start()).body.error.message).toContain('already running')
    await world.call('POST', `/workflows/${id}/executions/cancel-all`)
    expect((await start()).status).toBe(201)
    await world.call('PATCH', `/workflows/${id}`, { body: { allowReentry: false } })
    await world.call('POST', `/workflows/${id}/executions/cancel-all`)
    expect((await start()).status).toBe(409)
  })

  test('are listed by state and contact, and cancelled once', async () => {
    const { id } = await world.chain(newEvent(), waits)
    const ids = [await contact(), await contact(), await contact()]
    for (const contactId of ids)
      await world.call('POST', `/workflows/${id}/executions`, { body: { contactId } })
    await world.drain()
    const list = async (query: string): Promise<Answer> =>
      await world.call('GET', `/workflows/${id}/executions?${query}`)
    const [first] = (await list(`contactId=${ids[0]}`)).body.data
    const path = `/workflows/${id}/executions/${first.id}`
    const cancelled = await world.call('DELETE', path)
    expect(cancelled).toMatchObject({
      status: 200,
      body: {
        status: 'CANCELLED',
        exitReason: 'Cancelled by user',
        completedAt: world.clock.now().toISOString(),
      },
    })
    expect((await world.call('DELETE', path)).status).toBe(409)
    expect((await world.call('DELETE', `/workflows/${id}/executions/${unknown}`)).status).toBe(404)
    expect((await list('status=WAITING&pageSize=1')).body).toMatchObject({
      total: 2,
      totalPages: 2,
      data: [{ currentStep: { type: 'WAIT_FOR_EVENT' }, contact: { id: ids[2] } }],
    })
    expect((await list('status=SLEEPING')).status).toBe(400)
    expect((await world.call('POST', `/workflows/${id}/executions/cancel-all`)).body).toEqual({
      cancelled: 2,
    })
    expect((await list('status=CANCELLED')).body.data[0]).toMatchObject({
      exitReason: 'Cancelled by user (bulk cancel)',
    })
    await world.track('x@example.com', 'never')
    expect((await list('status=CANCELLED')).body.total).toBe(3)
  })
})

test('a copy has its own steps and edges, and is off', async () => {
  const { id } = await world.chain(newEvent(), [
    { type: 'DELAY', config: { amount: 1, unit: 'days' } },
    { type: 'EXIT' },
  ])
  const { status, body } = await world.call('POST', `/workflows/${id}/duplicate`)
  expect([status, body.enabled, body.name.endsWith(' (Copy)')]).toEqual([201, false, true])
  const [original, copy] = [await whole(id), await whole(body.id)]
  expect(copy.steps.map((each: { type: string; config: unknown }) => [each.type, each.config])).toEqual(
    original.steps.map((each: { type: string; config: unknown }) => [each.type, each.config]),
  )
  const ids = new Set(original.steps.map((each: { id: string }) => each.id))
  expect(copy.steps.some((each: { id: string }) => ids.has(each.id))).toBe(false)
  expect(copy.transitions).toHaveLength(2)
})

test('a deleted workflow takes its history along and hears nothing any more', async () => {
  const event = newEvent()
  const { id } = await world.chain(event, [
    { type: 'WAIT_FOR_EVENT', config: { eventName: 'gone.by' } },
    { type: 'EXIT' },
  ])
  await world.track('gone@example.com', event)
  await world.call('POST', `/workflows/${id}/executions/cancel-all`)
  expect((await world.call('DELETE', `/workflows/${id}`)).status).toBe(204)
  await world.drain()
  expect((await world.call('GET', `/workflows/${id}`)).status).toBe(404)
  const [left] = await world.ctx.sql`
    select (select count(*) from workflow_executions where workflow_id = ${id}::uuid)
         + (select count(*) from workflow_snapshots where workflow_id = ${id}::uuid)
         + (select count(*) from event_listeners where name in (${event}, 'gone.by')) as rows`
  expect(left!['rows']).toBe(0)
})

describe('a schedule', () => {
  const daily = {
    triggerType: 'SCHEDULE',
    triggerConfig: { cron: '0 8 * * *', timezone: 'Europe/Berlin' },
    allowReentry: true,
  }

  test('starts everybody of its segment at every tick, in its time zone, and nobody when it is off', async () => {
    const tag = `s${++counter}`
    for (const [name, plan] of [
      ['a', 'pro'],
      ['b', 'free'],
      ['c', 'pro'],
    ])
      await world.call('POST', '/contacts', {
        body: { email: `${name}.${tag}@example.com`, data: { [tag]: plan } },
      })
    const { body: segment } = await world.call('POST', '/segments', {
      body: {
        name: tag,
        condition: {
          logic: 'AND',
          groups: [{ filters: [{ field: `data.${tag}`, operator: 'equals', value: 'pro' }] }],
        },
      },
    })
    const { id } = await world.chain(newEvent(), [{ type: 'EXIT' }])
    const triggerConfig = { ...daily.triggerConfig, segmentId: segment.id }
    const { body } = await world.call('PATCH', `/workflows/${id}`, { body: { ...daily, triggerConfig } })
    // 8 o'clock in Berlin is 7 in UTC in winter, 6 in summer.
    const first = new Date(body.nextRunAt)
    expect(first.toISOString()).toMatch(/T0[67]:00:00.000Z$/)
    expect((await world.call('DELETE', `/segments/${segment.id}`)).status).toBe(409)
    world.clock.set(new Date(first.getTime() - 1))
    await world.drain()
    expect(await world.executions(id)).toEqual([])
    world.clock.set(first)
    await world.drain()
    expect((await world.executions(id)).map(each => each.status)).toEqual(['EXITED', 'EXITED'])
    world.clock.advance(3 * 86_400_000)
    await world.drain()
    expect(await world.executions(id)).toHaveLength(4)
    expect(new Date((await whole(id)).nextRunAt).getTime()).toBeGreaterThan(world.clock.now().getTime())
    expect(
      (await world.call('PATCH', `/workflows/${id}`, { body: { enabled: false } })).body.nextRunAt,
    ).toBeNull()
    world.clock.advance(3 * 86_400_000)
    await world.drain()
    expect(await world.executions(id)).toHaveLength(4)
  })
})

// A graph that is replaced as a whole: what an editor saves, what stands in the way of it, and two people who edit the same workflow.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/request'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
afterAll(() => world.close())

let counter = 0

interface Editable {
  id: string
  revision: number
  trigger: Record<string, unknown>
  triggerId: string
}

async function create(): Promise<Editable> {
  const { body } = await world.call('POST', '/workflows', {
    body: { name: 'Drawn', eventName: `drawn.${++counter}` },
  })
  const { steps, revision } = await whole(body.id)
  const { id, type, name, config } = steps[0]
  return { id: body.id, revision, triggerId: id, trigger: { id, type, name, config } }
}

const whole = async (id: string): Promise<Answer['body']> =>
  (await world.call('GET', `/workflows/${id}`)).body

const put = (id: string, body: Record<string, unknown>): Promise<Answer> =>
  world.call('PUT', `/workflows/${id}/graph`, { body })

const step = (type: string, config: Record<string, unknown> = {}, more: Record<string, unknown> = {}) => ({
  id: Bun.randomUUIDv7(),
  type,
  name: `A ${type}`,
  config,
  ...more,
})

const lead = (fromStepId: unknown, toStepId: unknown, more: Record<string, unknown> = {}) => ({
  fromStepId,
  toStepId,
  ...more,
})

const fields = (answer: Answer): string[] =>
  answer.body.error.errors.map(({ field }: { field: string }) => field)

describe('a graph that is saved as a whole', () => {
  test('has the steps and transitions that were sent, and no others', async () => {
    const { id, revision, trigger, triggerId } = await create()
    const delay = step('DELAY', { amount: 2, unit: 'days' }, { position: { x: 5, y: 7 } })
    const gone = step('EXIT')
    const saved = await put(id, {
      revision,
      steps: [trigger, delay, gone],
      transitions: [lead(triggerId, delay.id), lead(delay.id, gone.id)],
    })
    expect(saved.status).toBe(200)
    expect(saved.body).toMatchObject({ id, revision: revision + 1, warnings: [] })
    expect(saved.body.steps).toMatchObject([
      { id: triggerId },
      { id: delay.id, config: delay.config, position: { x: 5, y: 7 } },
      { id: gone.id },
    ])
    const templateId = await world.template()
    const send = step('SEND_EMAIL', {}, { templateId })
    const next = await put(id, {
      revision: revision + 1,
      steps: [trigger, { ...delay, name: 'Breathe' }, send],
      transitions: [lead(triggerId, delay.id), lead(delay.id, send.id)],
    })
    expect(next.body.steps.map(({ name }: { name: string }) => name)).toEqual([
      trigger['name'] as string,
      'Breathe',
      'A SEND_EMAIL',
    ])
    const now = await whole(id)
    expect(now.transitions).toMatchObject([{ toStepId: delay.id }, { toStepId: send.id }])
    expect(now.transitions[0].id).toBe(saved.body.transitions[0].id)
    expect(now.steps[2].template).toMatchObject({ id: templateId, name: 'T' })
  })

  test('raises no revision where nothing changes', async () => {
    const { id, revision, trigger } = await create()
    const answer = await put(id, { revision, steps: [trigger], transitions: [] })
    expect([answer.status, answer.body.revision]).toEqual([200, revision])
  })

  test('is what executions run on from then on', async () => {
    const { id, trigger, triggerId } = await create()
    const exit = step('EXIT', { reason: 'drawn' })
    await put(id, { steps: [trigger, exit], transitions: [lead(triggerId, exit.id)] })
    await world.call('PATCH', `/workflows/${id}`, { body: { enabled: true } })
    await world.track('drawn@example.com', `drawn.${counter}`)
    const execution = await world.execution(id)
    expect(execution).toMatchObject({ status: 'EXITED', exitReason: 'drawn' })
    expect(execution.graph.steps).toMatchObject([{ id: triggerId }, { id: exit.id, config: exit.config }])
    expect(execution.graph.transitions).toMatchObject([{ fromStepId: triggerId, toStepId: exit.id }])
  })
})

describe('what can not be saved', () => {
  test('another revision is 409, and nothing is lost', async () => {
    const { id, revision, trigger } = await create()
    const first = await put(id, { revision, steps: [trigger, step('EXIT')], transitions: [] })
    const second = await put(id, { revision, steps: [trigger, step('DELAY')], transitions: [] })
    expect([first.status, second.status]).toEqual([200, 409])
    expect(second.body.error.details).toEqual({ revision: revision + 1 })
    expect((await whole(id)).steps).toHaveLength(2)
    const renamed = await world.call('PATCH', `/workflows/${id}`, { body: { revision, name: 'Late' } })
    expect(renamed.status).toBe(409)
  })

  test('each fault is told at its step or transition, all at once', async () => {
    const { id, trigger, triggerId } = await create()
    const [delay, other, condition] = [
      step('DELAY', { amount: -1, unit: 'days' }),
      step('SEND_EMAIL', {}, { templateId: Bun.randomUUIDv7() }),
      step('CONDITION', { field: 'email', operator: 'exists' }),
    ]
    const answer = await put(id, {
      steps: [trigger, delay, other, condition, { ...step('EXIT'), name: ' ' }],
      transitions: [
        lead(triggerId, delay.id),
        lead(triggerId, other.id),
        lead(condition.id, other.id, { branch: 'perhaps' }),
        lead(delay.id, Bun.randomUUIDv7()),
      ],
    })
    expect(answer.status).toBe(422)
    expect(fields(answer)).toEqual([
      'steps.1.config.amount',
      'steps.4.name',
      'transitions.1',
      'transitions.2',
      'transitions.3',
    ])
    const named = await put(id, { steps: [trigger, other], transitions: [] })
    expect([named.status, ...fields(named)]).toEqual([422, 'steps.1.templateId'])
    expect((await whole(id)).steps).toHaveLength(1)
  })

  test('a loop, a second trigger, a missing trigger, a step twice, one that changes its type', async () => {
    const { id, trigger, triggerId } = await create()
    const [a, b] = [
      step('DELAY', { amount: 1, unit: 'days' }),
      step('UPDATE_CONTACT', { updates: { seen: true } }),
    ]
    const loop = await put(id, {
      steps: [trigger, a, b],
      transitions: [lead(triggerId, a.id), lead(a.id, b.id), lead(b.id, a.id)],
    })
    expect([loop.status, ...fields(loop)]).toEqual([422, 'transitions'])
    await put(id, { steps: [trigger, a], transitions: [] })
    for (const [steps, field] of [
      [[trigger, step('TRIGGER')], 'steps.1.type'],
      [[a], 'steps'],
      [[trigger, a, a], 'steps.2.id'],
      [[trigger, { ...a, type: 'EXIT', config: {} }], 'steps.1.type'],
    ] as const) {
      const answer = await put(id, { steps, transitions: [] })
      expect([answer.status, ...fields(answer)]).toEqual([422, field])
    }
  })

  test('more than 200 steps', async () => {
    const { id, trigger } = await create()
    const steps = [trigger, ...Array.from({ length: 200 }, () => step('EXIT'))]
    expect((await put(id, { steps, transitions: [] })).status).toBe(422)
  })
})

test('warnings name steps that would fail and steps that nothing leads to', async () => {
  const { id, trigger, triggerId } = await create()
  const [empty, lone] = [step('SEND_EMAIL'), step('DELAY', { amount: 1, unit: 'days' })]
  const { body } = await put(id, {
    steps: [trigger, empty, lone],
    transitions: [lead(triggerId, empty.id)],
  })
  const told = [
    { code: 'NOT_CONFIGURED', stepId: empty.id },
    { code: 'UNREACHABLE', stepId: lone.id },
  ]
  expect(body.warnings).toMatchObject(told)
  const on = await world.call('PATCH', `/workflows/${id}`, { body: { enabled: true } })
  expect(on.body.warnings).toMatchObject(told)
})

test('a dry run may be of a graph that is not saved', async () => {
  const { id, trigger, triggerId } = await create()
  const exit = step('EXIT', { reason: 'only drawn' })
  const { status, body } = await world.call('POST', `/workflows/${id}/simulate`, {
    body: { graph: { steps: [trigger, exit], transitions: [lead(triggerId, exit.id)] } },
  })
  expect([status, body.status, body.exitReason]).toEqual([200, 'EXITED', 'only drawn'])
  expect((await whole(id)).steps).toHaveLength(1)
  const faulty = await world.call('POST', `/workflows/${id}/simulate`, {
    body: { graph: { steps: [trigger, step('DELAY', { amount: 0 })], transitions: [] } },
  })
  expect(faulty.status).toBe(422)
  expect(fields(faulty)).toContain('graph.steps.1.config.amount')
})

test('executions are counted by state and read page after page by cursor', async () => {
  const { id } = await world.chain('counted', [{ type: 'EXIT' }], { allowReentry: true })
  for (let nth = 0; nth < 5; nth++) await world.track(`counted${nth}@example.com`, 'counted')
  expect((await whole(id)).executionCounts).toEqual({
    ...{ RUNNING: 0, WAITING: 0, COMPLETED: 0, EXITED: 5, FAILED: 0, CANCELLED: 0 },
  })
  const { body: list } = await world.call('GET', '/workflows?search=On counted')
  expect(list.data[0].executionCounts.EXITED).toBe(5)
  for (const filter of ['', '&status=EXITED']) {
    const all = (await world.executions(id)).map(execution => execution.id)
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await world.call('GET', `/workflows/${id}/executions?pageSize=2${filter}${cursor}`)
      seen.push(...body.data.map((execution: { id: string }) => execution.id))
      expect(body.hasMore).toBe(body.cursor !== null)
      cursor = body.cursor === null ? '' : `&cursor=${body.cursor}`
    } while (cursor)
    expect(seen).toEqual(all)
  }
  expect((await world.call('GET', `/workflows/${id}/executions?cursor=nonsense`)).status).toBe(400)
})

// Liquid in the texts of steps: what can't be read is refused when it is saved, not when a contact gets there.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { areHeavySources } from '../../src/liquid/syntax'
import type { Answer } from '../support/request'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
afterAll(() => world.close())

let counter = 0

async function create(): Promise<{ id: string; trigger: Record<string, unknown> }> {
  const { body } = await world.call('POST', '/workflows', {
    body: { name: 'Written', eventName: `written.${++counter}` },
  })
  const { steps } = (await world.call('GET', `/workflows/${body.id}`)).body
  const { id, type, name, config } = steps[0]
  return { id: body.id, trigger: { id, type, name, config } }
}

const url = 'https://shop.example/hook'
const update = (came: string) => ({ updates: { came } })
const place = ({ status, body }: Answer) => [status, body.error.code, body.error.details?.field]

describe('a step whose Liquid can not be read', () => {
  const broken: Array<[string, string, Record<string, unknown>, string, string]> = [
    ['that is not closed', 'WEBHOOK', { url: `${url}/{{ name` }, 'config.url', '"{{" is not closed'],
    [
      'with an unknown filter',
      'UPDATE_CONTACT',
      update('{{ name | shout }}'),
      'config.updates.came',
      'shout',
    ],
    [
      'with an unknown operator',
      'WEBHOOK',
      { url, headers: { 'X-Who': '{% if a is b %}x{% endif %}' } },
      'config.headers.X-Who',
      '"is" is not an operator',
    ],
    [
      'with an unknown tag',
      'WEBHOOK',
      { url, body: { items: ['{{ a }}', { deep: '{% nope %}' }] } },
      'config.body.items.1.deep',
      'nope',
    ],
    [
      'under another name',
      'UPDATE_CONTACT',
      { data: { came: '{% if x %}' } },
      'config.data.came',
      'not closed',
    ],
  ]
  for (const [what, type, config, field, reason] of broken)
    test(`is refused ${what}`, async () => {
      const { id, trigger } = await create()
      const steps = `/workflows/${id}/steps`
      const added = await world.call('POST', steps, { body: { type, name: 'Write it', config } })
      expect(place(added)).toEqual([400, 'VALIDATION_ERROR', field])
      expect(added.body.error.message).toContain(reason)
      expect(added.body.error.suggestion).toBe(
        `Correct the Liquid in ${field} of the step "Write it", then save again.`,
      )
      const draft = await world.call('POST', steps, { body: { type, name: 'Draft', config: {} } })
      const changed = await world.call('PATCH', `${steps}/${draft.body.id}`, { body: { config } })
      expect(place(changed)).toEqual([400, 'VALIDATION_ERROR', field])
      const graph = {
        steps: [trigger, { id: Bun.randomUUIDv7(), type, name: 'Write it', config }],
        transitions: [],
      }
      const drawn = await world.call('PUT', `/workflows/${id}/graph`, { body: graph })
      expect(place(drawn)).toEqual([400, 'VALIDATION_ERROR', `steps.1.${field}`])
      expect(drawn.body.error.errors).toMatchObject([{ field: `steps.1.${field}` }])
      const tried = await world.call('POST', `/workflows/${id}/simulate`, { body: { graph } })
      expect(place(tried)).toEqual([400, 'VALIDATION_ERROR', `graph.steps.1.${field}`])
    })

  test('that was stored before is kept, and its workflow can be edited', async () => {
    const { id, trigger } = await create()
    const { body } = await world.call('POST', `/workflows/${id}/steps`, {
      body: { type: 'UPDATE_CONTACT', name: 'Old', config: update('{{ name }}') },
    })
    const config = update('{{ name | shout }}')
    await world.ctx
      .sql`update workflow_steps set config = ${JSON.stringify(config)}::text::jsonb where id = ${body.id}`
    const step = { id: body.id, type: 'UPDATE_CONTACT', name: 'Renamed', config }
    const drawn = await world.call('PUT', `/workflows/${id}/graph`, {
      body: { steps: [trigger, step], transitions: [{ fromStepId: trigger['id'], toStepId: step.id }] },
    })
    expect([drawn.status, drawn.body.steps?.[1].name]).toEqual([200, 'Renamed'])
    const one = `/workflows/${id}/steps/${step.id}`
    const named = await world.call('PATCH', one, { body: { name: 'Again', config } })
    expect([named.status, named.body.name]).toEqual([200, 'Again'])
    expect((await world.call('POST', `/workflows/${id}/simulate`, { body: {} })).status).toBe(200)
  })
})

test('thousands of short texts are checked together where nobody waits', async () => {
  const { id, trigger } = await create()
  const texts = Array.from({ length: 1_800 }, (_, n) => `{{a${n % 10}}}`)
  const steps = Array.from({ length: 10 }, (_, n) => ({
    id: Bun.randomUUIDv7(),
    type: 'WEBHOOK',
    name: 'Full',
    config: { url, body: n === 9 ? [...texts.slice(1), '{{a | nope}}'] : texts },
  }))
  const body = { steps: [trigger, ...steps], transitions: [] }
  const saved = await world.call('PUT', `/workflows/${id}/graph`, { body })
  expect(place(saved)).toEqual([400, 'VALIDATION_ERROR', 'steps.10.config.body.1799'])
  expect(areHeavySources(texts.map(source => ({ field: 'x', source })))).toBe(true)
  expect(areHeavySources([{ field: 'x', source: texts[0]! }])).toBe(false)
})

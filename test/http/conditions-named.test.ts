// What every condition that a client sends is held against, whether it is a segment's, a campaign's or a workflow's: types of fields, and
// segments that are named.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { message } from '../support/campaigns'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
afterAll(() => world.close())

const call = (method: string, path: string, body?: unknown) =>
  world.call(method, path, body === undefined ? {} : { body })
const one = (filter: Record<string, unknown>) => ({ logic: 'AND', groups: [{ filters: [filter] }] })
const filtered = (audienceCondition: unknown) => ({ audienceType: 'FILTERED', audienceCondition })

test('a text that is no date is refused beside a field of dates; what is stored stays', async () => {
  await call('POST', '/contacts', { email: 'a@x.test', data: { since: '2026-01-31' } })
  const before = (field: string) => one({ field, operator: 'lessThan', value: '31.12.2026' })
  const { id } = await world.chain('any', [{ type: 'EXIT' }])
  const step = (field: string) => ({ type: 'CONDITION', name: 'x', config: { condition: before(field) } })
  const { steps, transitions } = (await call('GET', `/workflows/${id}`)).body
  const graph = { steps: [...steps, { ...step('data.since'), id: Bun.randomUUIDv7() }], transitions }
  const refused = [
    await call('POST', '/campaigns', { ...message, ...filtered(before('data.since')) }),
    await call('POST', '/campaigns/audience', filtered(before('data.since'))),
    await call('POST', `/workflows/${id}/steps`, step('data.since')),
    await call('PUT', `/workflows/${id}/graph`, graph),
  ]
  expect(refused.map(({ status, body }) => [status, body.error?.message])).toEqual(
    refused.map(() => [400, 'The field "data.since" holds dates, and the value is none']),
  )
  const stored = await call('POST', '/campaigns', { ...message, ...filtered(before('data.later')) })
  expect(stored.status).toBe(201)
  expect((await call('POST', `/workflows/${id}/steps`, step('data.later'))).status).toBe(201)
  await call('POST', '/contacts', { email: 'b@x.test', data: { later: '2026-01-31' } })
  const change = (audience: object) =>
    call('PUT', `/campaigns/${stored.body.data.id}`, { name: 'y', ...audience })
  expect((await change(filtered(before('data.later')))).status).toBe(200)
  expect((await change(filtered(before('data.since')))).status).toBe(400)
})

test('a segment that a condition asks not to be in is not deleted', async () => {
  const condition = one({ field: 'email', operator: 'contains', value: '@' })
  const name = async () => (await call('POST', '/segments', { name: 'x', condition })).body.id
  const not = (id: string) => one({ field: `segment.${id}`, operator: 'notMemberOfSegment' })
  const uses: Array<(id: string) => Promise<unknown>> = [
    id => call('POST', '/segments', { name: 'y', condition: not(id) }),
    id => call('POST', '/campaigns', { ...message, ...filtered(not(id)) }),
    id => world.chain('any', [{ type: 'CONDITION', config: not(id) }]),
  ]
  for (const use of uses) {
    const id = await name()
    await use(id)
    expect((await call('DELETE', `/segments/${id}`)).status).toBe(409)
  }
})

// Filters that ask about topics: in searches, segments, audiences and workflows; and what they name is not deleted meanwhile.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { message } from '../support/campaigns'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
afterAll(() => world.close())

let counter = 0

async function made(path: string, body: object) {
  const answer = await world.call('POST', path, { body })
  expect([answer.status, answer.body?.error]).toEqual([201, undefined])
  return path === '/campaigns' ? answer.body.data : answer.body
}

/** A topic, and three contacts: who is in it, who left it, who said nothing. */
async function stage(subscribedByDefault: boolean) {
  const mark = `g${++counter}`
  const topic = await made('/topics', { name: `Topic ${mark}`, subscribedByDefault })
  const [joined, left, silent] = await Promise.all(
    ['joined', 'left', 'silent'].map(name =>
      made('/contacts', { email: `${name}.${mark}@x.test`, data: { mark } }),
    ),
  )
  const decide = (contact: { id: string }, subscribed: boolean) =>
    world.call('PUT', `/contacts/${contact.id}/topics`, { body: { topics: [{ id: topic.id, subscribed }] } })
  await decide(joined, true)
  await decide(left, false)
  const tree = (value: boolean, operator = 'equals') => ({
    logic: 'AND',
    groups: [
      {
        filters: [
          { field: 'data.mark', operator: 'equals', value: mark },
          { field: `topic.${topic.id}`, operator, value },
        ],
      },
    ],
  })
  return { mark, topic, joined, left, silent, decide, tree }
}

const names = (rows: Array<{ email: string }>): string[] =>
  rows.map(({ email }) => email.slice(0, email.indexOf('.'))).sort()

test.each([
  [true, ['joined', 'silent'], ['left']],
  [false, ['joined'], ['left', 'silent']],
])(
  'subscribed by default %p: the search finds who is in it, and who is not',
  async (byDefault, inside, outside) => {
    const { tree } = await stage(byDefault)
    const search = async (filter: object) =>
      names((await world.call('POST', '/contacts/search', { body: { filter } })).body.data)
    expect(await search(tree(true))).toEqual(inside)
    expect(await search(tree(false, 'notEquals'))).toEqual(inside)
    expect(await search(tree(false))).toEqual(outside)
  },
)

test('a segment of a topic is counted and computed, and named by others', async () => {
  const { tree, decide, silent, topic } = await stage(false)
  const segment = await made('/segments', {
    name: `In ${topic.name}`,
    condition: tree(true),
    trackMembership: true,
  })
  expect(segment.memberCount).toBe(1)
  const compute = async () => (await world.call('POST', `/segments/${segment.id}/compute`)).body
  expect(await compute()).toMatchObject({ added: 1, removed: 0 })
  await decide(silent, true)
  expect(await compute()).toMatchObject({ added: 1, removed: 0, total: 2 })
  const condition = {
    logic: 'AND',
    groups: [{ filters: [{ field: `segment.${segment.id}`, operator: 'memberOfSegment' }] }],
  }
  expect(await made('/segments', { name: 'Of that', condition })).toMatchObject({ memberCount: 2 })
})

test('a campaign goes to an audience by topic', async () => {
  const { tree } = await stage(true)
  const audience = { audienceType: 'FILTERED', audienceCondition: tree(true) }
  expect((await world.call('POST', '/campaigns/audience', { body: audience })).body).toMatchObject({
    matching: 2,
  })
  const { id } = await made('/campaigns', { ...message, ...audience })
  world.mail.clear()
  await world.call('POST', `/campaigns/${id}/send`, { body: {} })
  await world.drain()
  const receivers = world.mail.sent.flatMap(({ envelope }) => envelope.to).map(email => ({ email }))
  expect(names(receivers)).toEqual(['joined', 'silent'])
})

test('a step asks about a topic, in a simulation too', async () => {
  const { topic, joined, left, mark } = await stage(false)
  const condition = {
    logic: 'AND',
    groups: [{ filters: [{ field: `topic.${topic.id}`, operator: 'equals', value: true }] }],
  }
  const { id } = await world.graph(
    mark,
    [
      { type: 'CONDITION', config: condition },
      { type: 'EXIT', config: { reason: 'in' } },
      { type: 'EXIT', config: { reason: 'out' } },
    ],
    [
      [-1, 0],
      [0, 1, { branch: 'yes' }],
      [0, 2, { branch: 'no' }],
    ],
  )
  const reasonOf = async (contact: { id: string; email: string }) => {
    await world.track(contact.email, mark)
    const simulated = await world.call('POST', `/workflows/${id}/simulate`, {
      body: { contactId: contact.id },
    })
    return [(await world.execution(id)).exitReason, simulated.body.exitReason]
  }
  expect(await reasonOf(joined)).toEqual(['in', 'in'])
  expect(await reasonOf(left)).toEqual(['out', 'out'])
})

const oneFilter = (field: string): Record<string, unknown> => ({
  logic: 'AND',
  groups: [{ filters: [{ field, operator: 'equals', value: true }] }],
})

test.each([
  ['a segment', (condition: Record<string, unknown>) => made('/segments', { name: 'Named', condition })],
  [
    'a draft of a campaign',
    (audienceCondition: Record<string, unknown>) =>
      made('/campaigns', { ...message, audienceType: 'FILTERED', audienceCondition }),
  ],
  [
    'a step of a workflow',
    (config: Record<string, unknown>) => world.chain(`named.${++counter}`, [{ type: 'CONDITION', config }]),
  ],
])('the topic that %s asks about is not deleted', async (_, name) => {
  const topic = await made('/topics', { name: `Named ${++counter}` })
  await name(oneFilter(`topic.${topic.id.toUpperCase()}`))
  expect((await world.call('DELETE', `/topics/${topic.id}`)).status).toBe(409)
})

test('a topic that the project does not have is refused wherever it is named', async () => {
  const stranger = await world.newProject()
  const theirs = await world.call('POST', '/topics', { key: stranger.secretKey, body: { name: 'Theirs' } })
  const { id: workflow } = await world.chain('any', [{ type: 'EXIT' }])
  for (const id of [theirs.body.id, Bun.randomUUIDv7(), 'news']) {
    const condition = oneFilter(`topic.${id}`)
    const step = { type: 'CONDITION', name: 'In it?', config: condition }
    const { steps, transitions } = (await world.call('GET', `/workflows/${workflow}`)).body
    const graph = { steps: [...steps, { ...step, id: Bun.randomUUIDv7() }], transitions }
    const filtered = { audienceType: 'FILTERED', audienceCondition: condition }
    const answers = [
      await world.call('POST', '/contacts/search', { body: { filter: condition } }),
      await world.call('POST', '/segments', { body: { name: 'S', condition } }),
      await world.call('POST', '/campaigns', { body: { ...message, ...filtered } }),
      await world.call('POST', `/workflows/${workflow}/steps`, { body: step }),
      await world.call('PUT', `/workflows/${workflow}/graph`, { body: graph }),
    ].map(({ status, body }) => [status, body.error.message])
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([404]))
    expect(answers[0]![1]).toContain('Topic')
  }
})

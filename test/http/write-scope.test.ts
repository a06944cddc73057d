// A key that may write and not send changes nothing that will be sent, by whatever route, and one that may not read gets no data sent to it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { buildApp } from '../../src/server/app'
import { type Answer, request } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let app: ReturnType<typeof buildApp>
let writer: string
let both: string
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
beforeEach(async () => {
  world.project = await world.newProject()
  writer = await keyWith(['write'])
  both = await keyWith(['write', 'send'])
})
afterAll(() => world.close())

const call = (method: string, path: string, body?: unknown, key = world.project.secretKey): Promise<Answer> =>
  request(app, method, path, { key, body })
async function must(method: string, path: string, body?: unknown): Promise<Answer['body']> {
  const answer = await call(method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}
const keyWith = async (scopes: string[]): Promise<string> =>
  (await must('POST', `/projects/${world.project.id}/api-keys`, { name: 'K', scopes })).key

const text = { subject: 'S', body: '<p>B</p>', from: sender }
const makeTemplate = async (more: object = {}) =>
  (await must('POST', '/templates', { name: 'T', ...text, ...more })).id as string
const makeSegment = async (more: object = { type: 'STATIC' }) =>
  (await must('POST', '/segments', { name: `S ${crypto.randomUUID()}`, ...more })).id as string

/** A workflow that sends a template, enabled or not. */
async function makeWorkflow(templateId: string, enabled: boolean) {
  const { id } = await must('POST', '/workflows', { name: 'W', eventName: 'signed up' })
  const step = await must('POST', `/workflows/${id}/steps`, {
    ...{ type: 'SEND_EMAIL', name: 'Mail', config: {}, templateId },
  })
  if (enabled) await must('PATCH', `/workflows/${id}`, { enabled: true })
  return { id: id as string, stepId: step.id as string }
}

async function makeCampaign(more: object = {}, scheduled = true): Promise<string> {
  const { data } = await must('POST', '/campaigns', { name: 'C', audienceType: 'ALL', ...text, ...more })
  // Without recipients it would not be scheduled.
  await must('POST', '/contacts', { email: 'reader@example.com', subscribed: true, data: { plan: 'b' } })
  if (data.segmentId)
    await call('POST', `/segments/${data.segmentId}/members`, { emails: ['reader@example.com'] })
  const scheduledFor = new Date(world.clock.now().getTime() + 86_400_000).toISOString()
  if (scheduled) await must('POST', `/campaigns/${data.id}/send`, { scheduledFor })
  return data.id
}

const needsSend = { status: 403, body: { error: { details: { needed: ['send'], scopes: ['write'] } } } }

/** The same change by the one that may not and by the one that may. */
async function expectBorder(method: string, path: string, body?: unknown): Promise<void> {
  expect(await call(method, path, body, writer)).toMatchObject(needsSend)
  expect((await call(method, path, body, both)).status).toBeLessThan(300)
}

describe('of a workflow that is on', () => {
  test('steps, transitions, trigger and name are changed with send alone', async () => {
    const template = await makeTemplate()
    const { id, stepId } = await makeWorkflow(template, true)
    await expectBorder('PATCH', `/workflows/${id}/steps/${stepId}`, { name: 'Other' })
    await expectBorder('PATCH', `/workflows/${id}`, { triggerConfig: { eventName: 'other' } })
    await expectBorder('POST', `/workflows/${id}/steps`, {
      ...{ type: 'DELAY', name: 'D', config: { amount: 1, unit: 'days' } },
    })
    const { steps, transitions } = await must('GET', `/workflows/${id}`)
    await expectBorder('PUT', `/workflows/${id}/graph`, { steps, transitions })
    await expectBorder('DELETE', `/workflows/${id}/transitions/${transitions.at(-1).id}`)
    const [fromStepId, toStepId] = [transitions.at(-1).fromStepId, transitions.at(-1).toStepId]
    await expectBorder('POST', `/workflows/${id}/transitions`, { fromStepId, toStepId })
    await expectBorder('DELETE', `/workflows/${id}/steps/${stepId}`)
  })

  test('to switch it off is not to send, and then it may be changed', async () => {
    const { id, stepId } = await makeWorkflow(await makeTemplate(), true)
    expect((await call('PATCH', `/workflows/${id}`, { enabled: false }, writer)).status).toBe(200)
    expect((await call('PATCH', `/workflows/${id}/steps/${stepId}`, { name: 'O' }, writer)).status).toBe(200)
  })
})

describe('of a template', () => {
  test('what an enabled workflow sends is changed with send alone, in its layout too', async () => {
    const { id: layoutId } = await must('POST', '/layouts', { name: 'L', body: '<p>{{ content }}</p>' })
    const template = await makeTemplate({ layoutId })
    await expectFree('PATCH', `/templates/${template}`, { subject: 'A' })
    await makeWorkflow(template, false)
    await expectFree('PATCH', `/templates/${template}`, { subject: 'B' })
    await makeWorkflow(template, true)
    await expectBorder('PATCH', `/templates/${template}`, { subject: 'C' })
    await expectBorder('PATCH', `/layouts/${layoutId}`, { body: '<b>{{ content }}</b>' })
  })

  test('what an enabled form confirms with is', async () => {
    const template = await makeTemplate({
      body: '<a href="{{ confirmUrl }}">Confirm</a>',
      type: 'TRANSACTIONAL',
    })
    await must('POST', '/signup-forms', { name: 'F', templateId: template, enabled: true })
    await expectBorder('PATCH', `/templates/${template}`, { subject: 'C' })
  })
})

const expectFree = async (method: string, path: string, body?: unknown): Promise<void> =>
  expect((await call(method, path, body, writer)).status).toBeLessThan(300)

describe('of a campaign', () => {
  test('a draft is free; once it is scheduled, content, audience, layout and segment are not', async () => {
    const { id: layoutId } = await must('POST', '/layouts', { name: 'L', body: '<p>{{ content }}</p>' })
    const segmentId = await makeSegment()
    const draft = await makeCampaign({ layoutId, audienceType: 'SEGMENT', segmentId }, false)
    await expectFree('PUT', `/campaigns/${draft}`, { subject: 'A' })
    await expectFree('PATCH', `/layouts/${layoutId}`, { name: 'M' })
    await expectFree('POST', `/segments/${segmentId}/members`, { emails: ['a@b.example'] })
    const id = await makeCampaign({ layoutId, audienceType: 'SEGMENT', segmentId })
    await expectBorder('PUT', `/campaigns/${id}`, { body: '<p>Other</p>' })
    await expectBorder('PATCH', `/layouts/${layoutId}`, { body: '<b>{{ content }}</b>' })
    await expectBorder('POST', `/segments/${segmentId}/members`, { emails: ['a@b.example'] })
    const { id: contactId } = await must('POST', '/contacts', { email: 'ada@example.com' })
    await expectBorder('POST', '/contacts/bulk-add-to-segment', { contactIds: [contactId], segmentId })
    await expectBorder('PUT', `/campaigns/${id}`, { audienceType: 'ALL' })
    await expectFree('POST', `/campaigns/${id}/cancel`)
  })

  test('the condition of its segment is not either', async () => {
    const condition = (value: string) => ({
      logic: 'AND',
      groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value }] }],
    })
    const segmentId = await makeSegment({ type: 'DYNAMIC', condition: condition('a') })
    await expectFree('PATCH', `/segments/${segmentId}`, { condition: condition('b') })
    await makeCampaign({ audienceType: 'SEGMENT', segmentId })
    await expectBorder('PATCH', `/segments/${segmentId}`, { condition: condition('c') })
    await expectFree('PATCH', `/segments/${segmentId}`, { description: 'Other' })
  })

  test('a wider audience of a scheduled one is counted anew', async () => {
    const id = await makeCampaign({ audienceType: 'SEGMENT', segmentId: await makeSegment() })
    await must('POST', '/contacts', { email: 'ada@example.com' })
    const { totalRecipients } = await must('PUT', `/campaigns/${id}`, { audienceType: 'ALL' })
    expect(totalRecipients).toBe(2)
  })
})

test('a message that waits gets another time with send alone', async () => {
  const scheduledFor = new Date(world.clock.now().getTime() + 86_400_000).toISOString()
  const sent = await must('POST', '/v1/send', { to: 'ada@example.com', ...text, scheduledFor })
  const path = `/emails/${sent.data.emails[0].email}`
  expect((await call('PATCH', path, { scheduledFor }, writer)).status).toBe(403)
  expect((await call('PATCH', path, { scheduledFor }, both)).status).toBe(200)
})

describe('a step that calls a webhook', () => {
  const plain = { url: 'https://hooks.example/', method: 'POST', headers: {}, body: { text: 'Hello' } }
  test.each<[string, object, boolean]>([
    ['with the contact as its body', { url: plain.url, method: 'POST', headers: {} }, true],
    ['with a value in its address', { ...plain, url: 'https://hooks.example/?e={{ email }}' }, true],
    ['with a value in a header', { ...plain, headers: { 'x-mail': '{{ email }}' } }, true],
    ['with a value in its body', { ...plain, body: { a: ['{% if email %}x{% endif %}'] } }, true],
    ['with a text of its own', plain, false],
    ['without a body', { url: plain.url, method: 'GET', headers: {} }, false],
  ])('%s', async (_, config, givesAway) => {
    const { id } = await must('POST', '/workflows', { name: 'W', eventName: 'signed up' })
    const step = { type: 'WEBHOOK', name: 'Call', config }
    const reader = await keyWith(['write', 'read'])
    const status = givesAway ? 403 : 201
    const answer = await call('POST', `/workflows/${id}/steps`, step, both)
    expect(answer.status).toBe(status)
    if (givesAway) expect(answer.body.error.details.needed).toEqual(['read'])
    const added = await call('POST', `/workflows/${id}/steps`, step, reader)
    expect(added.status).toBe(201)
    const path = `/workflows/${id}/steps/${added.body.id}`
    expect((await call('PATCH', path, { config }, both)).status).toBe(givesAway ? 403 : 200)
    const { steps, transitions } = await must('GET', `/workflows/${id}`)
    const graph = { steps, transitions }
    expect((await call('PUT', `/workflows/${id}/graph`, graph, both)).status).toBe(givesAway ? 403 : 200)
  })
})

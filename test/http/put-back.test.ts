// What was read may be put back whole: what is unchanged is no change, whatever the state allows.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { buildApp } from '../../src/server/app'
import { type CampaignWorld, campaignWorld, message } from '../support/campaigns'
import { request } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let on: CampaignWorld
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  on = await campaignWorld(world)
  await on.contacts(4)
})
afterAll(() => world.close())

const tomorrow = '2026-03-02T12:00:00.000Z'
const call = (method: string, path: string, body?: unknown) =>
  request(buildApp(world.ctx), method, path, { key: on.project.secretKey, body })

const condition = {
  logic: 'AND',
  groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@' }] }],
}
const variants = [{ subject: 'Other' }]

const states: Array<[string, (id: string) => Promise<unknown>]> = [
  ['DRAFT', async () => {}],
  ['SCHEDULED', id => on.send(id, tomorrow)],
  ['SENDING', id => on.send(id)],
  [
    'CANCELLED',
    async id => {
      await on.send(id, tomorrow)
      await on.call('POST', `/campaigns/${id}/cancel`)
    },
  ],
]

describe.each(states)('a campaign that is %s', (status, bring) => {
  test.each<[string, () => Promise<object>]>([
    ['to everybody', async () => ({ timing: { localTime: '09:00' }, description: 'x' })],
    ['filtered', async () => ({ audienceType: 'FILTERED', audienceCondition: condition })],
    [
      'to a segment',
      async () => {
        const { body } = await call('POST', '/segments', { name: 'S', condition })
        return { audienceType: 'SEGMENT', segmentId: body.id }
      },
    ],
    ['as an A/B test', async () => ({ abTest: { variants, share: 50, afterHours: 4 } })],
  ])('%s', async (_, more) => {
    const made = await on.call('POST', '/campaigns', { ...message, ...(await more()) })
    expect(made.status).toBe(201)
    const { id } = made.body.data
    await bring(id)
    const before = (await on.call('GET', `/campaigns/${id}`)).body
    expect(before.status).toBe(status)
    const again = await on.call('PUT', `/campaigns/${id}`, { ...before, expectedVersion: before.version })
    expect([again.status, again.body]).toEqual([200, before])
    const other = await on.call('PUT', `/campaigns/${id}`, { ...before, name: 'Other' })
    expect(other.status).toBe(status === 'DRAFT' || status === 'SCHEDULED' ? 200 : 409)
  })
})

test.each<[string, string, () => Promise<{ path: string; read?: string }>]>([
  [
    'a template',
    'PATCH',
    async () => made('/templates', { name: 'T', subject: 'S', body: '<p>x</p>', from: sender }),
  ],
  ['a dynamic segment', 'PATCH', async () => made('/segments', { name: 'S', condition })],
  ['a static segment', 'PATCH', async () => made('/segments', { name: 'L', type: 'STATIC' })],
])('%s', async (_, method, make) => {
  const { path } = await make()
  const before = (await call('GET', path)).body
  const again = await call(method, path, before)
  expect([again.status, again.body?.error]).toEqual([200, undefined])
  const { updatedAt: _u, countedAt: _c, version: _v, ...rest } = (await call('GET', path)).body
  expect(before).toMatchObject(rest)
})

async function made(collection: string, body: object): Promise<{ path: string }> {
  const answer = await call('POST', collection, body)
  expect([answer.status, answer.body.error]).toEqual([201, undefined])
  return { path: `${collection}/${answer.body.id}` }
}

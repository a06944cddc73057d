// Who refers to a field, told by the modules that do; and that deleting the field leaves them, matching nobody.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { buildApp } from '../../src/server/app'
import { type Answer, request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let call: (method: string, path: string, body?: unknown) => Promise<Answer>

beforeAll(async () => {
  world = await makeWorld()
  const app = buildApp(world.ctx)
  call = (method, path, body) => request(app, method, path, { key: world.project.secretKey, body })
})
afterAll(() => world.close())

const tree = (field: string, value: unknown = 'pro') => ({
  logic: 'AND',
  groups: [
    {
      filters: [],
      conditions: { logic: 'OR', groups: [{ filters: [{ field, operator: 'equals', value }] }] },
    },
  ],
})

async function campaign(name: string, field: string, value?: unknown): Promise<string> {
  const body = { name, subject: 'a', body: 'b', from: 'hello@acme.example', audienceType: 'FILTERED' }
  const answer = await call('POST', '/campaigns', { ...body, audienceCondition: tree(field, value) })
  expect(answer.status).toBe(201)
  return answer.body.data.id
}

test('segments and campaigns that name the field, in whatever spelling, and no others', async () => {
  await call('POST', '/contacts', { email: 'a@x.test', data: { plan: 'pro', 'say "hi"': 'pro' } })
  const segment = await call('POST', '/segments', { name: 'Pros', condition: tree('data.plan') })
  const one = await campaign('By plan', 'data.plan')
  const two = await campaign('By plan too', 'contact.data.plan')
  const inner = await campaign('Inside', 'data.plan.tier')
  await campaign('Only a value', 'data.other', 'plan')
  await campaign('Longer', 'data.planet')
  const quoted = await campaign('Quoted', 'data.say "hi"')
  const usage = async (field: string) =>
    (await call('GET', `/contacts/fields/${encodeURIComponent(field)}/usage`)).body
  for (const field of ['plan', 'data.plan'])
    expect(await usage(field)).toEqual({
      usedInSegments: [{ id: segment.body.id, name: 'Pros' }],
      usedInCampaigns: [
        { id: inner, name: 'Inside' },
        { id: two, name: 'By plan too' },
        { id: one, name: 'By plan' },
      ],
      usedInWorkflows: [],
      contactCount: 1,
      canDelete: false,
    })
  expect((await usage('say "hi"')).usedInCampaigns).toEqual([{ id: quoted, name: 'Quoted' }])
  expect(await usage('nothing')).toMatchObject({ usedInCampaigns: [], canDelete: true })

  expect((await call('DELETE', '/contacts/fields/data.plan')).body).toEqual({ deletedFrom: 1 })
  expect((await call('GET', `/segments/${segment.body.id}/contacts`)).body.total).toBe(0)
  expect((await call('GET', `/campaigns/${one}`)).status).toBe(200)
})

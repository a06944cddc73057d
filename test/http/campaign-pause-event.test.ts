// The event of a campaign that Waxwing paused: a server of the project hears of it, signed, with why and how many wait.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { makeApplication } from '../../src/http/application'
import { minute, second } from '../../src/lib/time'
import type { FinishedMessage, SendResult, Untaken } from '../../src/mail/message'
import { webhookEndpointRoutes } from '../../src/modules/api/webhooks/routes'
import { networkWebhooks } from '../../src/platform/webhook/network'
import { signatureHeaders } from '../../src/platform/webhook/signature'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let on: CampaignWorld
let app: ReturnType<typeof makeApplication>
let server: ReturnType<typeof Bun.serve>
let heard: Array<{ body: string; headers: Headers }> = []
let secret = ''

beforeAll(async () => {
  world = await makeWorld()
  Object.assign(world.ctx, { webhooks: networkWebhooks({ dns: world.dns, allowPrivate: true }) })
  app = makeApplication(world.ctx, [webhookEndpointRoutes])
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async call => {
      heard.push({ body: await call.text(), headers: call.headers })
      return new Response('ok')
    },
  })
})
beforeEach(async () => {
  await world.ctx.sql`delete from jobs`
  on = await campaignWorld(world)
  heard = []
  const body = { url: `http://127.0.0.1:${server.port}/in`, eventTypes: ['campaign.paused'] }
  const added = await request(app, 'POST', '/webhook-endpoints', { key: on.project.secretKey, body })
  expect(added.status).toBe(201)
  secret = added.body.secret
})
afterAll(async () => {
  await server.stop(true)
  await world.close()
})

const blocked = '550 5.7.1 messages from [192.0.2.1] to'

function refuseOutlook({ envelope }: FinishedMessage): SendResult {
  if (!envelope.to.endsWith('@outlook.com'))
    return { outcome: 'accepted', delivered: true, response: '250 ok', code: 250 }
  return {
    ...{
      outcome: 'refused',
      blame: 'other',
      meaning: 'refused',
      stage: 'rcpt',
      code: 550,
      enhanced: '5.7.1',
    },
    response: `${blocked} <${envelope.to}> are on our block list (S3150)`,
  }
}

test('says which provider rejects it, in its words without the recipient, and how many wait', async () => {
  world.mail.always(refuseOutlook)
  for (let n = 0; n < 70; n++)
    await on.call('POST', '/contacts', { email: `p${n}@outlook.com`, subscribed: true })
  await on.call('POST', '/contacts', { email: 'ada@acme.example', subscribed: true })
  const id = await on.draft({ name: 'October' })
  await on.send(id)
  await on.drain()
  expect(heard).toHaveLength(1)
  const [{ body, headers }] = heard as [(typeof heard)[0]]
  const told = JSON.parse(body)
  const now = world.clock.now()
  expect(told).toEqual({
    type: 'campaign.paused',
    timestamp: now.toISOString(),
    data: {
      ...{ contact: null, emailId: null },
      event: {
        ...{ campaignId: id, name: 'October', receiver: 'outlook' },
        response: `${blocked} <…> are on our block list (S3150)`,
        heldCount: expect.any(Number),
        refusedCount: expect.any(Number),
        answerCount: expect.any(Number),
        nextTryAt: new Date(now.getTime() + 30 * minute).toISOString(),
      },
    },
  })
  expect(told.data.event.refusedCount).toBeGreaterThanOrEqual(10)
  expect(told.data.event.answerCount).toBeLessThanOrEqual(20)
  const sentAt = new Date(Number(headers.get('webhook-timestamp')) * 1000)
  const signed = signatureHeaders(secret, { id: headers.get('webhook-id')!, sentAt, body })
  expect(headers.get('webhook-signature')).toBe(signed['webhook-signature']!)
  expect((await on.call('GET', `/campaigns/${id}`)).body.receivers[0].response).not.toContain('@')
})

test('says that all sending stopped while the transport fails', async () => {
  await on.contacts(30)
  world.mail.always({ outcome: 'deferred', response: 'connect ECONNREFUSED', stage: 'connect' })
  const id = await on.draft()
  await on.send(id)
  await on.drain()
  expect(heard.map(({ body }) => JSON.parse(body).data.event)).toEqual([
    {
      ...{ campaignId: id, name: 'News', receiver: null, response: expect.stringContaining('ECONNREFUSED') },
      nextTryAt: new Date(world.clock.now().getTime() + 5 * second).toISOString(),
    },
  ])
})

test('is not sent where a person pauses', async () => {
  await on.contacts(3)
  const id = await on.draft()
  await on.send(id)
  await on.call('POST', `/campaigns/${id}/pause`)
  await on.drain()
  expect(heard).toEqual([])
})

test('the event of a copy that did not arrive is sent too, without a contact', async () => {
  const body = { url: `http://127.0.0.1:${server.port}/in`, eventTypes: ['email.bounce'] }
  await request(app, 'POST', '/webhook-endpoints', { key: on.project.secretKey, body })
  const untaken: Untaken = {
    ...{ address: 'bob@example.com', outcome: 'refused', blame: 'address', meaning: 'dead' },
    ...{ stage: 'rcpt', code: 550, enhanced: '5.1.1', response: '550 5.1.1 no such user' },
  }
  world.mail.script({ outcome: 'accepted', delivered: true, response: '250 ok', untaken: [untaken] })
  world.project = on.project
  await world.sendOne({ to: 'ada@example.com', cc: ['bob@example.com'] })
  await world.drain()
  expect(heard.map(({ body: text }) => JSON.parse(text).data)).toMatchObject([
    { contact: null, event: { copy: { kind: 'cc', email: 'bob@example.com' }, reason: 'dead' } },
  ])
})

// Usage on its way to the payment provider: what a message costs, that every unit arrives once, and what came in.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { billingKinds } from '../../src/modules/oversight/billing/kinds'
import { reportUsage } from '../../src/modules/oversight/billing/service'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { type BillingWorld, billingWorld } from '../support/billing'
import { type FeedbackWorld, makeFeedbackWorld } from '../support/feedback'
import { notification, topic } from '../support/sns'
import { sender, senderDomain } from '../support/world'

let billing: BillingWorld
let feedback: FeedbackWorld
beforeAll(async () => {
  feedback = await makeFeedbackWorld({ snsTopicArns: [topic], mailTransport: 'outbox' })
  billing = await billingWorld(feedback)
})
beforeEach(async () => {
  const { sql } = billing.world.ctx
  // Others would hold the same sandbox domain, and report what they used.
  await sql`truncate usage_months, email_day_deltas, jobs`
  await sql`delete from domains`
  billing.stripe.fail()
  billing.stripe.calls.length = 0
  billing.world.project = await billing.world.newProject()
})
afterAll(() => billing.close())

const letter = { to: 'ada@example.com', from: sender, subject: 'Hello', body: '<p>Hello</p>' }
const attachments = ['a.txt', 'b.txt'].map(filename => ({
  filename,
  content: Buffer.from('x').toString('base64'),
  contentType: 'text/plain',
}))
const send = async (body: object = {}) => {
  const { status } = await billing.call('POST', '/v1/send', { body: { ...letter, ...body } })
  expect(status).toBe(200)
}
const meter = async () => {
  await billing.world.drain()
  await billing.fold()
  await enqueue(billing.world.ctx, billingKinds.meter, {})
  await billing.world.drain()
}
const meterEvents = () => billing.stripe.callsTo('/v1/billing/meter_events')
const mailIn = () =>
  notification({
    notificationType: 'Received',
    mail: {
      messageId: crypto.randomUUID(),
      source: 'grace@example.org',
      timestamp: '2026-03-01T11:58:00.000Z',
      commonHeaders: { from: ['grace@example.org'], subject: 'Hi', messageId: '<m1@example.org>' },
    },
    receipt: {
      recipients: [`support@${senderDomain}`],
      action: { type: 'SNS', encoding: 'UTF-8' },
    },
    content: 'From: grace@example.org\r\nSubject: Hi\r\n\r\nHello\r\n',
  })

test('a message is a unit, two with attachments however many; nothing that failed is charged', async () => {
  const { customer } = await billing.subscribe()
  await billing.call('POST', '/suppressions', { body: { emails: ['gone@example.com'] } })
  await send()
  await send({ attachments })
  await send({ to: 'gone@example.com', attachments })
  await meter()
  expect(meterEvents().map(({ form }) => form)).toEqual([
    {
      event_name: 'emails',
      identifier: expect.any(String),
      timestamp: String(billing.world.clock.now().getTime() / 1000),
      'payload[stripe_customer_id]': customer,
      'payload[value]': '3',
    },
  ])
})

test('what waits is charged once it has left', async () => {
  const { customer } = await billing.subscribe()
  billing.world.mail.script({ outcome: 'deferred', response: '451 later', code: 451, stage: 'data' })
  await send()
  await meter()
  expect(meterEvents()).toEqual([])
  billing.world.clock.advance(60_000)
  await meter()
  expect(billing.stripe.metered.get(customer)).toBe(1)
})

test('mail that comes in is a unit, and counts against its own limit', async () => {
  const { customer } = await billing.subscribe()
  await billing.setLimits({ inbound: 2 })
  for (const _ of [1, 2, 3]) expect((await feedback.notify(mailIn())).status).toBe(200)
  const { sql } = billing.world.ctx
  const [row] = await sql`
    select count(*)::int as mails, (select count(*)::int from events e where e.project_id = ${billing.world.project.id}
                                       and name = 'email.received') as events
      from emails where project_id = ${billing.world.project.id} and source_type = 'INBOUND'`
  expect(row).toEqual({ mails: 2, events: 2 })
  const { body } = await billing.about('GET', 'billing-limits')
  expect([body.inbound.usage, body.transactional.usage]).toEqual([2, 0])
  await meter()
  expect(billing.stripe.metered.get(customer)).toBe(2)
  // Analytics and reputation are about mail that went out.
  const days = await sql`select 1 from email_days where project_id = ${billing.world.project.id}`
  expect(days.length).toBe(0)
})

test('every unit is reported once, however many processes report and whatever is lost on the way', async () => {
  const { customer } = await billing.subscribe()
  const { ctx } = billing.world
  for (let round = 0; round < 3; round++) {
    await send()
    await billing.world.drain()
    await billing.fold()
    await Promise.all(Array.from({ length: 5 }, () => reportUsage(ctx, new AbortController().signal)))
    billing.stripe.fail('lost', 'lost')
    await billing.world.drain()
    billing.world.clock.advance(60_000)
    await billing.world.drain()
    billing.world.clock.advance(60_000)
    await billing.world.drain()
  }
  expect(billing.stripe.metered.get(customer)).toBe(3)
  expect(meterEvents().length).toBeGreaterThan(3)
  const open = await ctx.sql`select 1 from usage_reports where customer = ${customer} and reported_at is null`
  expect(open.length).toBe(0)
})

test('nothing of before the subscription is charged, and nothing without one', async () => {
  await send()
  await meter()
  expect(meterEvents()).toEqual([])
  const { customer, subscription } = await billing.subscribe()
  await send()
  await meter()
  expect(billing.stripe.metered.get(customer)).toBe(1)
  await billing.deliver('customer.subscription.deleted', { id: subscription })
  await send()
  await meter()
  expect(billing.stripe.metered.get(customer)).toBe(1)
  await billing.deliver('checkout.session.completed', {
    ...{ client_reference_id: billing.world.project.id, customer, subscription: `${subscription}_2` },
  })
  await meter()
  expect(billing.stripe.metered.get(customer)).toBe(1)
})

test('what a deleted project used before is still charged', async () => {
  const { customer } = await billing.subscribe()
  await billing.use('transactional', 7)
  expect((await billing.call('DELETE', `/users/@me/projects/${billing.world.project.id}`)).status).toBe(200)
  await billing.world.drain()
  expect(billing.stripe.metered.get(customer)).toBe(7)
})

test('consumption counts what is not rolled up yet', async () => {
  await billing.subscribe()
  await send({ attachments })
  await billing.world.drain()
  expect((await billing.about('GET', 'billing-consumption')).body.usage.total).toBe(2)
})

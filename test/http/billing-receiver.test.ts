// The receiver of the payment provider: signatures, each event once, and what each of them does.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { suspendProject } from '../../src/modules/oversight/security/service'
import { type BillingWorld, billingWorld } from '../support/billing'
import { request } from '../support/request'
import { signEvent } from '../support/stripe'

let billing: BillingWorld
beforeAll(async () => {
  billing = await billingWorld()
})
beforeEach(async () => {
  billing.stripe.calls.length = 0
  billing.world.mail.clear()
  await billing.world.ctx.sql`delete from jobs`
  billing.world.project = await billing.world.newProject()
})
afterAll(() => billing.close())

const path = '/webhooks/incoming/stripe'
const post = (body: string, headers: Record<string, string>) =>
  request(billing.app, 'POST', path, { body, headers })
const row = async () => {
  const [found] = await billing.world.ctx.sql`
    select customer, subscription, currency from project_billing where project_id = ${billing.world.project.id}`
  return found
}
const state = async () => {
  const [found] = await billing.world.ctx.sql`
    select disabled, disabled_reason as reason,
           (select count(*)::int from project_suspensions s where s.project_id = p.id) as suspensions
      from projects p where id = ${billing.world.project.id}`
  return found
}
const failed = { disabled: true, reason: 'PAYMENT_FAILED', suspensions: 1 }
const invoice = (customer: string, changes = {}) => ({
  id: `in_${crypto.randomUUID()}`,
  object: 'invoice',
  customer,
  amount_due: 1250,
  currency: 'eur',
  billing_reason: 'subscription_cycle',
  ...changes,
})
const letters = () => billing.world.mail.sent.filter(sent => Buffer.from(sent.raw).includes('was suspended'))

describe('what is refused', () => {
  const event = { type: 'invoice.paid', object: { id: 'in_1', customer: 'cus_1' } }

  test('an event without a signature is 400', async () => {
    const { status, body } = await post('{}', {})
    expect(status).toBe(400)
    expect(body).toMatchObject({ success: false, error: { code: 'BAD_REQUEST' } })
  })

  test('so is one that is signed with another secret', async () => {
    const { body, signature } = await signEvent(billing.world.clock.now(), event, 'whsec_of_somebody_else')
    expect((await post(body, { 'stripe-signature': signature })).status).toBe(400)
  })

  test('so is one that was changed on the way', async () => {
    const { body, signature } = await signEvent(billing.world.clock.now(), event)
    expect((await post(`${body} `, { 'stripe-signature': signature })).status).toBe(400)
  })

  test('so is one whose signature is ten minutes old, which somebody may have kept', async () => {
    const old = new Date(billing.world.clock.now().getTime() - 600_000)
    const { body, signature } = await signEvent(old, event)
    expect((await post(body, { 'stripe-signature': signature })).status).toBe(400)
  })

  test.each(['', 'nonsense', 't=1', 't=x,v1=y', `t=1,v1=${'a'.repeat(64)}`])(
    'so is the signature %j',
    async signature => {
      expect((await post('{}', { 'stripe-signature': signature })).status).toBe(400)
    },
  )

  test('a signed text that is no JSON is 400', async () => {
    const { signature } = await signEvent(billing.world.clock.now(), event)
    expect((await post('{"id":', { 'stripe-signature': signature })).status).toBe(400)
  })
})

test('an event of another type is taken and does nothing', async () => {
  const answer = await billing.deliver('customer.created', { id: 'cus_9' })
  expect(answer).toMatchObject({ status: 200, body: { success: true, received: true } })
})

test.each([
  ['checkout.session.completed', {}],
  ['checkout.session.completed', { client_reference_id: 'no-id', customer: 'cus_x', subscription: 'sub_x' }],
  ['checkout.session.completed', { client_reference_id: null, customer: 'cus_x', subscription: 'sub_x' }],
  ['invoice.paid', { id: 'in_1' }],
  ['invoice.payment_failed', { id: 'in_1', customer: 'cus_unknown', amount_due: 1, currency: 'eur' }],
  ['customer.subscription.deleted', { id: 'sub_unknown' }],
])('%s of something that is not ours is taken and does nothing: %j', async (type, object) => {
  expect((await billing.deliver(type, object)).body).toEqual({ success: true, received: true })
  expect(await billing.world.drain()).toEqual([])
})

describe('checkout.session.completed', () => {
  test('makes the project a subscriber', async () => {
    const ids = await billing.subscribe()
    expect(await row()).toEqual({ ...ids, currency: 'eur' })
    await billing.world.drain()
    expect(billing.stripe.callsTo(`/v1/customers/${ids.customer}`)[0]?.form).toEqual({
      name: 'Acme',
      'metadata[projectId]': billing.world.project.id,
    })
  })

  test('that is told again, with another event as well, changes nothing', async () => {
    const ids = await billing.subscribe()
    await billing.deliver('checkout.session.completed', {
      client_reference_id: billing.world.project.id,
      metadata: { projectId: billing.world.project.id },
      ...ids,
    })
    expect(await row()).toEqual({ ...ids, currency: 'eur' })
    expect((await billing.world.drain()).map(run => run.kind)).toEqual(['billing.renameCustomer'])
  })

  test('a second subscription of our own making is cancelled, and the first stays', async () => {
    const ids = await billing.subscribe()
    const { id } = billing.world.project
    const second = { client_reference_id: id, customer: 'cus_second', subscription: 'sub_second' }
    await billing.deliver('checkout.session.completed', { ...second, metadata: { projectId: id } })
    expect(await row()).toMatchObject(ids)
    await billing.world.drain()
    expect(billing.stripe.cancelled).toContain('sub_second')
  })

  test.each([
    ['without metadata', () => ({})],
    ['whose metadata names another project', () => ({ metadata: { projectId: crypto.randomUUID() } })],
    ['whose metadata is something else', () => ({ metadata: { order: '7' } })],
  ])('%s makes nobody a subscriber', async (_, more) => {
    const ids = { customer: 'cus_link', subscription: 'sub_link' }
    const session = { client_reference_id: billing.world.project.id, currency: 'eur', ...ids, ...more() }
    expect((await billing.deliver('checkout.session.completed', session)).status).toBe(200)
    expect(await row()).toBeUndefined()
    await billing.world.drain()
    expect(billing.stripe.cancelled).not.toContain('sub_link')
  })

  test('one that we did not make is left alone', async () => {
    await billing.subscribe()
    const { id } = billing.world.project
    const foreign = { client_reference_id: id, customer: 'cus_f', subscription: 'sub_foreign' }
    await billing.deliver('checkout.session.completed', foreign)
    await billing.world.drain()
    expect(billing.stripe.cancelled).not.toContain('sub_foreign')
  })

  test('nobody gets the customer of another project', async () => {
    const ids = await billing.subscribe()
    const first = billing.world.project
    billing.world.project = await billing.world.newProject()
    const { id } = billing.world.project
    await billing.deliver('checkout.session.completed', {
      ...{ client_reference_id: id, ...ids },
      metadata: { projectId: id },
    })
    expect(await row()).toBeUndefined()
    await billing.world.drain()
    expect(billing.stripe.cancelled).not.toContain(ids.subscription)
    billing.world.project = first
    expect(await row()).toMatchObject(ids)
  })

  test('of a project that is gone is cancelled, so that nobody pays for nothing', async () => {
    const id = crypto.randomUUID()
    await billing.deliver('checkout.session.completed', {
      ...{ client_reference_id: id, customer: 'cus_gone', subscription: 'sub_gone' },
      metadata: { projectId: id },
    })
    await billing.world.drain()
    expect(billing.stripe.cancelled).toContain('sub_gone')
  })
})

describe('invoices', () => {
  test('a failed payment suspends the project, once, with a mail to its members', async () => {
    const { customer } = await billing.subscribe()
    const of = invoice(customer)
    await billing.deliver('invoice.payment_failed', of)
    await billing.deliver('invoice.payment_failed', of)
    expect(await state()).toEqual(failed)
    await billing.world.drain()
    expect(letters()).toHaveLength(1)
    expect(Buffer.from(letters()[0]!.raw).toString()).toContain('12.50 EUR')
    expect((await billing.world.send({ to: 'ada@example.com' })).status).toBe(403)
    // Whoever has to pay must get there.
    expect((await billing.about('POST', 'billing-portal')).status).toBe(200)
  })

  test('the first payment of a subscription may fail', async () => {
    const { customer } = await billing.subscribe()
    await billing.deliver(
      'invoice.payment_failed',
      invoice(customer, { billing_reason: 'subscription_create' }),
    )
    expect(await state()).toMatchObject({ disabled: false, suspensions: 0 })
  })

  test('a paid invoice lets the project go on', async () => {
    const { customer } = await billing.subscribe()
    const of = invoice(customer)
    await billing.deliver('invoice.payment_failed', of)
    await billing.deliver('invoice.paid', of)
    expect(await state()).toEqual({ disabled: false, reason: null, suspensions: 1 })
    expect((await billing.world.send({ to: 'ada@example.com' })).status).toBe(200)
  })

  test('it lifts no suspension for another reason', async () => {
    const { customer } = await billing.subscribe()
    const { id: projectId } = billing.world.project
    await suspendProject(billing.world.ctx, { projectId, reason: 'MANUAL', findings: [], actor: 'test' })
    await billing.deliver('invoice.paid', invoice(customer))
    expect(await state()).toMatchObject({ disabled: true, reason: 'MANUAL' })
  })

  test('a failure that comes after the payment of the same invoice is of the past', async () => {
    const { customer } = await billing.subscribe()
    const of = invoice(customer)
    await billing.deliver('invoice.paid', of)
    await billing.deliver('invoice.payment_failed', of)
    expect(await state()).toMatchObject({ disabled: false, suspensions: 0 })
  })

  test('a failure and the payment of one invoice that come together leave the project open', async () => {
    const { customer } = await billing.subscribe()
    for (let round = 0; round < 5; round++) {
      const of = invoice(customer)
      await Promise.all([
        billing.deliver('invoice.payment_failed', of),
        billing.deliver('invoice.paid', of),
        billing.deliver('invoice.payment_failed', of),
      ])
      expect(await state()).toMatchObject({ disabled: false })
    }
  })
})

test('the end of a subscription leaves the customer', async () => {
  const { customer, subscription } = await billing.subscribe()
  await billing.deliver('customer.subscription.deleted', { id: subscription })
  expect(await row()).toEqual({ customer, subscription: null, currency: 'eur' })
})

test('one event that is delivered twenty times at once is applied once', async () => {
  const { customer } = await billing.subscribe()
  const of = invoice(customer)
  const id = `evt_${crypto.randomUUID()}`
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => billing.deliver('invoice.payment_failed', of, id)),
  )
  expect(answers.map(answer => answer.status)).toEqual(Array(20).fill(200))
  expect(answers.filter(answer => answer.body.duplicate)).toHaveLength(19)
  expect(await state()).toEqual(failed)
  await billing.world.drain()
  expect(letters()).toHaveLength(1)
})

test('an event whose effects fail is not taken: it works when it is sent again', async () => {
  const { customer } = await billing.subscribe()
  const of = invoice(customer)
  const id = `evt_${crypto.randomUUID()}`
  const { sql } = billing.world.ctx
  await sql`alter table project_suspensions add constraint broken check (reason <> 'PAYMENT_FAILED') not valid`
  expect((await billing.deliver('invoice.payment_failed', of, id)).status).toBe(500)
  await sql`alter table project_suspensions drop constraint broken`
  expect(await state()).toMatchObject({ disabled: false, suspensions: 0 })
  const answer = await billing.deliver('invoice.payment_failed', of, id)
  expect(answer.body).toEqual({ success: true, received: true })
  expect(await state()).toEqual(failed)
})

describe('a project that is deleted', () => {
  const remove = () => billing.call('DELETE', `/users/@me/projects/${billing.world.project.id}`)

  test('has its subscription cancelled', async () => {
    const { subscription } = await billing.subscribe()
    expect((await remove()).status).toBe(200)
    await billing.world.drain()
    expect(billing.stripe.cancelled).toContain(subscription)
    const [call] = billing.stripe.callsTo(`/v1/subscriptions/${subscription}`)
    expect(call).toMatchObject({ method: 'DELETE', form: { invoice_now: 'true' } })
  })

  test('is deleted while the provider is away, and the cancellation follows', async () => {
    const { subscription } = await billing.subscribe()
    billing.stripe.fail(...Array<'lost'>(1).fill('lost'))
    expect((await remove()).status).toBe(200)
    const before = await billing.world.drain()
    expect(before.find(run => run.kind === 'billing.cancel')?.outcome.type).toBe('retried')
    billing.world.clock.advance(60_000)
    await billing.world.drain()
    expect(billing.stripe.cancelled.filter(id => id === subscription)).toHaveLength(1)
  })

  test('without a subscription asks nobody', async () => {
    expect((await remove()).status).toBe(200)
    await billing.world.drain()
    expect(billing.stripe.calls).toEqual([])
  })
})

// A project as a customer: checkout, portal, invoices, consumption and limits, and what is answered where billing is off.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { signSession } from '../../src/modules/accounts/users/guard'
import { grantLimits } from '../../src/modules/oversight/billing/service'
import { stripePayments } from '../../src/platform/payments/stripe'
import { buildApp } from '../../src/server/app'
import { type BillingWorld, billingWorld } from '../support/billing'
import { testContext } from '../support/context'
import { makeMember } from '../support/make'
import { request } from '../support/request'
import { invoiceOf } from '../support/stripe'

let billing: BillingWorld
beforeAll(async () => {
  billing = await billingWorld()
})
beforeEach(async () => {
  billing.stripe.calls.length = 0
  billing.stripe.fail()
  billing.world.project = await billing.world.newProject()
})
afterAll(() => billing.close())

const unlimited = { limit: null, usage: 0, percentage: 0, isWarning: false, isBlocked: false }
const limits = { workflows: null, campaigns: null, transactional: null, inbound: null }

describe('where billing is off', () => {
  const off = () => {
    const { ctx } = testContext(billing.world.database)
    return (method: string, path: string, options = {}) =>
      request(buildApp(ctx), method, `/users/@me/projects/${billing.world.project.id}/${path}`, {
        key: billing.world.project.secretKey,
        ...options,
      })
  }

  test.each([
    ['POST', 'checkout'],
    ['POST', 'billing-portal'],
    ['GET', 'billing-consumption'],
    ['GET', 'billing-invoices'],
  ])('%s %s is 404 with a short error', async (method, path) => {
    const { status, body } = await off()(method, path)
    expect(status).toBe(404)
    expect(body).toMatchObject({
      success: false,
      error: { code: expect.any(String), requestId: expect.any(String) },
    })
  })

  test('limits are shown as none, also those of before', async () => {
    await billing.subscribe()
    await billing.setLimits({ transactional: 5 })
    await billing.use('transactional', 7)
    const { status, body } = await off()('GET', 'billing-limits')
    expect(status).toBe(200)
    expect(body).toEqual({
      workflows: unlimited,
      campaigns: unlimited,
      transactional: { ...unlimited, usage: 7 },
      inbound: unlimited,
      currency: 'eur',
    })
  })

  test('limits cannot be set', async () => {
    await billing.subscribe()
    const { status, body } = await off()('PUT', 'billing-limits', { body: limits })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      success: false,
      error: { code: expect.any(String), requestId: expect.any(String) },
    })
  })

  test('the receiver is 404 in the envelope', async () => {
    const { ctx } = testContext(billing.world.database)
    const { status, body } = await request(buildApp(ctx), 'POST', '/webhooks/incoming/stripe', { body: {} })
    expect(status).toBe(404)
    expect(body).toMatchObject({ success: false, error: { code: 'RESOURCE_NOT_FOUND' } })
  })
})

describe('POST checkout', () => {
  test('answers the address of a subscription by usage, charged by calendar month', async () => {
    const { status, body } = await billing.about('POST', 'checkout?currency=gbp')
    expect(status).toBe(200)
    expect(body).toEqual({ url: 'https://checkout.example/gbp' })
    const [call] = billing.stripe.callsTo('/v1/checkout/sessions')
    expect(call?.form).toMatchObject({
      mode: 'subscription',
      client_reference_id: billing.world.project.id,
      currency: 'gbp',
      'line_items[0][price]': 'price_onboarding',
      'line_items[0][quantity]': '1',
      'line_items[1][price]': 'price_usage',
      'subscription_data[billing_cycle_anchor]': String(Date.UTC(2026, 3, 1) / 1000),
      allow_promotion_codes: 'true',
      success_url: expect.stringMatching(/^http:\/\/localhost:3000\/settings\?tab=billing&success=true&/),
      cancel_url: expect.stringMatching(/^http:\/\/localhost:3000\/settings\?tab=billing&canceled=true&/),
    })
    expect(call?.form).not.toHaveProperty('customer')
    expect(call?.form).not.toHaveProperty('line_items[1][quantity]')
  })

  test('is 400 for a currency that is not offered, and asks nobody', async () => {
    const { status, body } = await billing.about('POST', 'checkout?currency=btc')
    expect(status).toBe(400)
    expect(body.error).toMatchObject({
      code: 'BAD_REQUEST',
      message: 'The currency must be one of usd, eur, gbp',
    })
    expect(billing.stripe.calls).toEqual([])
  })

  test('is 400 for a subscriber', async () => {
    await billing.subscribe()
    expect(await billing.about('POST', 'checkout')).toMatchObject({
      status: 400,
      body: { error: { message: 'This project has a subscription already' } },
    })
  })

  test('goes on with the customer of an earlier subscription', async () => {
    const { customer, subscription } = await billing.subscribe()
    await billing.deliver('customer.subscription.deleted', { id: subscription })
    expect((await billing.about('POST', 'checkout')).status).toBe(200)
    expect(billing.stripe.callsTo('/v1/checkout/sessions')[0]?.form).toMatchObject({
      customer,
      currency: 'usd',
    })
  })

  test('is 500 where the instance has no price for usage', async () => {
    const payments = stripePayments({ ...billing.stripe.settings, usagePrice: undefined })
    const app = buildApp({ ...billing.world.ctx, payments })
    const { id, secretKey: key } = billing.world.project
    const { status, body } = await request(app, 'POST', `/users/@me/projects/${id}/checkout`, { key })
    expect(status).toBe(500)
    expect(body.error).toMatchObject({ message: 'Billing has no price on this instance' })
  })

  test('is 503 where the provider is out of order, and tells nothing of it', async () => {
    billing.stripe.fail('error', 'error', 'error')
    const { status, body } = await billing.about('POST', 'checkout')
    expect(status).toBe(503)
    expect(body.error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(JSON.stringify(body)).not.toContain('out of order')
  })

  test('is tried again under the same idempotency key', async () => {
    billing.stripe.fail('error')
    expect((await billing.about('POST', 'checkout')).status).toBe(200)
    const keys = billing.stripe.calls.map(call => call.idempotencyKey)
    expect(keys).toHaveLength(2)
    expect(keys[0]).toMatch(/./)
    expect(keys[1]).toBe(keys[0]!)
  })
})

test('the portal is the customer’s own; 400 for who never was one', async () => {
  expect(await billing.about('POST', 'billing-portal')).toMatchObject({
    status: 400,
    body: { error: { code: 'BAD_REQUEST' } },
  })
  const { customer } = await billing.subscribe()
  expect(await billing.about('POST', 'billing-portal')).toMatchObject({
    status: 200,
    body: { url: `https://portal.example/${customer}` },
  })
})

describe('who comes back from the provider', () => {
  const back = async (path: string, form: string): Promise<string> => {
    await billing.about('POST', path)
    const address = billing.stripe.calls.at(-1)!.form[form]!
    return address.slice('http://localhost:3000'.length)
  }
  const look = async (path: string, app = billing.app) => {
    const { status, body, headers } = await request(app, 'GET', path)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    return [status, /<h1>(.*?)<\/h1>/.exec(body)?.[1], body.includes('Look again')]
  }

  test('with a payment sees that it is not confirmed yet, and then that it is', async () => {
    const path = await back('checkout', 'success_url')
    expect(await look(path)).toEqual([200, 'Waiting for the confirmation', true])
    const { subscription } = await billing.subscribe()
    expect(await look(path)).toEqual([200, 'The subscription is active', false])
    expect(await look(await back('billing-portal', 'return_url'))).toEqual([
      200,
      'The subscription is active',
      false,
    ])
    await billing.deliver('customer.subscription.deleted', { id: subscription })
    expect(await look(await back('billing-portal', 'return_url'))).toEqual([200, 'No subscription', false])
  })

  test('without one sees that there is no subscription, unless another checkout made one', async () => {
    const path = await back('checkout', 'cancel_url')
    expect(await look(path)).toEqual([200, 'No subscription', false])
    await billing.subscribe()
    expect(await look(path)).toEqual([200, 'The subscription is active', false])
  })

  test('by a link that is not ours, about a project that is gone, or where billing is off, sees nothing', async () => {
    const path = await back('checkout', 'success_url')
    const other = await billing.world.newProject()
    const dead = [404, 'This link is not valid', false]
    for (const wrong of ['/settings', '/settings?tab=billing&success=true', `${path}x`])
      expect(await look(wrong)).toEqual(dead)
    expect(await look(path.replace(billing.world.project.id, other.id))).toEqual(dead)
    expect(await look(path, buildApp(testContext(billing.world.database).ctx))).toEqual(dead)
    await billing.world.ctx.sql`delete from projects where id = ${billing.world.project.id}::uuid`
    expect(await look(path)).toEqual(dead)
  })
})

test('invoices come with those that are not paid', async () => {
  expect((await billing.about('GET', 'billing-invoices')).status).toBe(400)
  const { customer } = await billing.subscribe()
  billing.stripe.invoices.set(customer, [
    invoiceOf({ id: 'in_2', status: 'open', due_date: Date.UTC(2026, 2, 9) / 1000 }),
    invoiceOf({ id: 'in_1', status: 'paid', amount_paid: 500 }),
    invoiceOf({ id: 'in_0', status: 'void' }),
  ])
  const { status, body } = await billing.about('GET', 'billing-invoices')
  expect(status).toBe(200)
  expect(body.invoices[1]).toEqual({
    id: 'in_1',
    number: 'A-1',
    status: 'paid',
    amountDue: 500,
    amountPaid: 500,
    currency: 'eur',
    created: '2026-03-01T00:00:00.000Z',
    periodStart: '2026-03-01T00:00:00.000Z',
    periodEnd: '2026-03-02T00:00:00.000Z',
    hostedInvoiceUrl: 'https://invoice.example/1',
    invoicePdf: null,
    subtotal: 500,
    total: 500,
    paid: true,
  })
  expect(body.hasUnpaidInvoices).toBe(true)
  expect(body.unpaidInvoices).toEqual([
    {
      id: 'in_2',
      number: 'A-1',
      amountDue: 500,
      currency: 'eur',
      dueDate: '2026-03-09T00:00:00.000Z',
      hostedInvoiceUrl: 'https://invoice.example/1',
    },
  ])
  expect(billing.stripe.callsTo('/v1/invoices')[0]?.form).toEqual({ customer, limit: '100' })
})

test('consumption is what the month has come to, and what will be charged', async () => {
  expect((await billing.about('GET', 'billing-consumption')).status).toBe(400)
  const { customer } = await billing.subscribe()
  billing.stripe.customers.set(customer, { id: customer, object: 'customer', balance: -250, currency: 'eur' })
  await billing.use('transactional', 3, 4)
  await billing.use('inbound', 1)
  const { status, body } = await billing.about('GET', 'billing-consumption')
  expect(status).toBe(200)
  expect(body).toEqual({
    period: { start: '2026-03-01T00:00:00.000Z', end: '2026-04-01T00:00:00.000Z' },
    usage: {
      total: 5,
      records: [
        { category: 'workflows', units: 0 },
        { category: 'campaigns', units: 0 },
        { category: 'transactional', units: 4 },
        { category: 'inbound', units: 1 },
      ],
    },
    credits: { balance: -250, hasCredits: true, creditAmount: 250, currency: 'eur' },
    upcomingInvoice: {
      amountDue: 1234,
      currency: 'eur',
      periodStart: '2026-03-01T00:00:00.000Z',
      periodEnd: '2026-03-02T00:00:00.000Z',
      subtotal: 1034,
      total: 1234,
    },
  })
})

describe('limits', () => {
  test('of the free tier are one for all categories', async () => {
    await billing.use('campaigns', 700)
    await billing.use('inbound', 100)
    const shared = { limit: 1000, usage: 800, percentage: 80, isWarning: true, isBlocked: false }
    expect((await billing.about('GET', 'billing-limits')).body).toEqual({
      workflows: shared,
      campaigns: shared,
      transactional: shared,
      inbound: shared,
      currency: null,
    })
  })

  test('are set by a subscriber, as numbers or their spelling, and answered like GET', async () => {
    await billing.subscribe()
    await billing.use('transactional', 4)
    const { status, body } = await billing.setLimits({ transactional: '5', campaigns: 20 })
    expect(status).toBe(200)
    expect(body).toEqual({
      workflows: unlimited,
      campaigns: { ...unlimited, limit: 20 },
      transactional: { limit: 5, usage: 4, percentage: 80, isWarning: true, isBlocked: false },
      inbound: unlimited,
      currency: 'eur',
    })
    expect((await billing.about('GET', 'billing-limits')).body).toEqual(body)
    const [entry] = (
      await billing.call(
        'GET',
        `/projects/${billing.world.project.id}/audit-log?action=billing.limitsChanged`,
      )
    ).body.data
    expect(entry?.details).toEqual({ campaigns: 20, transactional: 5 })
  })

  test('that the operator grants need none, and switch the free tier off', async () => {
    await billing.use('transactional', 1_500)
    await billing.use('campaigns', 1_500)
    const { id } = billing.world.project
    await grantLimits(billing.world.ctx, id, { ...limits, transactional: 2_000 }, 'operator')
    const { body } = await billing.about('GET', 'billing-limits')
    expect(body.transactional).toMatchObject({ limit: 2_000, usage: 1_500, isBlocked: false })
    expect(body.campaigns).toEqual({ ...unlimited, usage: 1_500 })
    expect((await billing.setLimits({})).status).toBe(400)
    await grantLimits(billing.world.ctx, id, limits, 'operator')
    expect((await billing.about('GET', 'billing-limits')).body.campaigns).toMatchObject({
      limit: 1_000,
      usage: 3_000,
    })
    expect(grantLimits(billing.world.ctx, crypto.randomUUID(), limits, 'operator')).rejects.toThrow(
      'not found',
    )
  })

  test('need a subscription', async () => {
    expect(await billing.setLimits({})).toMatchObject({
      status: 400,
      body: { error: { code: 'BAD_REQUEST' } },
    })
  })

  test('end with the subscription', async () => {
    const { subscription } = await billing.subscribe()
    await billing.setLimits({ transactional: 5 })
    await billing.deliver('customer.subscription.deleted', { id: subscription })
    expect((await billing.about('GET', 'billing-limits')).body.transactional.limit).toBe(1000)
  })

  test.each([
    ['nought', { transactional: 0 }],
    ['a negative number', { transactional: -1 }],
    ['a fraction', { transactional: 1.5 }],
    ['more than a number holds', { transactional: 2_147_483_648 }],
    ['a spelling of that', { transactional: '9999999999' }],
    ['a word', { inbound: 'many' }],
    ['a blank', { inbound: '' }],
    ['a truth', { inbound: true }],
  ])('that are %s are 422', async (_, wrong) => {
    await billing.subscribe()
    const { status, body } = await billing.about('PUT', 'billing-limits', { body: { ...limits, ...wrong } })
    expect(status).toBe(422)
    expect(body.error.errors[0].field).toBe(Object.keys(wrong)[0])
  })

  test('must all be named', async () => {
    const { inbound, ...others } = limits
    expect((await billing.about('PUT', 'billing-limits', { body: others })).status).toBe(422)
  })

  test('are read by every member and changed by administrators', async () => {
    const { id } = billing.world.project
    const member = await makeMember(billing.world, id, 'MEMBER')
    const session = await signSession(billing.world.ctx, { userId: member.id, version: 1 })
    const as = { key: '', cookie: `waxwing_session=${session}` }
    expect((await billing.about('GET', 'billing-limits', as)).status).toBe(200)
    expect((await billing.about('PUT', 'billing-limits', { ...as, body: limits })).status).toBe(403)
    expect((await billing.about('POST', 'checkout', as)).status).toBe(403)
    expect((await billing.about('POST', 'billing-portal', as)).status).toBe(403)
  })
})

test('the setup of a project tells of its subscription, and the instance of billing', async () => {
  const setup = async () =>
    (await billing.call('GET', `/projects/${billing.world.project.id}/setup-state`)).body
  expect((await setup()).hasSubscription).toBe(false)
  await billing.subscribe()
  expect(await setup()).toMatchObject({ hasSubscription: true })
  expect(Object.keys(await setup())).not.toContain('hadSubscription')
  await billing.world.ctx.sql`
    update project_billing set subscription = null where project_id = ${billing.world.project.id}`
  expect(await setup()).toMatchObject({ hasSubscription: false, hadSubscription: true })
  expect((await billing.call('GET', '/config')).body.features.billing).toEqual({ enabled: true })
})

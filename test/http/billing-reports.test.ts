// Reports of usage that do not arrive at once: each is taken up again until it has, and each unit is charged once.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { hour, minute } from '../../src/lib/time'
import { billingKinds } from '../../src/modules/oversight/billing/kinds'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { checkReports } from '../../src/server/checks/billing'
import type { Config } from '../../src/settings/config'
import { type BillingWorld, billingWorld } from '../support/billing'

let billing: BillingWorld
let customer: string
beforeAll(async () => {
  billing = await billingWorld()
})
beforeEach(async () => {
  await billing.world.ctx.sql`truncate usage_months, usage_reports, jobs`
  billing.stripe.fail()
  billing.world.project = await billing.world.newProject()
  customer = (await billing.subscribe()).customer
  await billing.world.drain()
  billing.stripe.calls.length = 0
  await billing.use('transactional', 7)
})
afterAll(() => billing.close())

const meter = async () => {
  await enqueue(billing.world.ctx, billingKinds.meter, {})
  await billing.world.drain()
}
/** So much time goes by, with the runs of schedules and retries that lie in it. */
const pass = async (hours: number) => {
  for (let passed = 0; passed < hours; passed++) {
    billing.world.clock.advance(hour)
    await meter()
  }
}
const always = (how: 'refused' | 'lost' | 'unreached') =>
  billing.stripe.fail(...Array.from({ length: 2_000 }, () => how))
const told = () => billing.stripe.callsTo('/v1/billing/meter_events').map(({ form }) => form)
const moments = () => new Set(told().map(form => form['timestamp']))
const openReports = async () =>
  (await billing.world.ctx.sql`select 1 from usage_reports where reported_at is null`).length
const seconds = () => String(Math.floor(billing.world.clock.now().getTime() / 1000))

test('doctor tells of reports that are late', async () => {
  always('refused')
  await meter()
  const { ctx } = billing.world
  const look = (stripe: Config['stripe']) => checkReports({ stripe }, ctx)
  await ctx.sql`update usage_reports set created_at = now()`
  expect(await look(undefined)).toEqual([])
  expect(await look(billing.stripe.settings)).toMatchObject([{ level: 'ok', about: 'usage' }])
  await ctx.sql`update usage_reports set created_at = '2026-03-01T11:00:00Z'`
  const words = '7 units in 1 report have not reached Stripe, the oldest of 2026-03-01T11:00:00.000Z'
  expect(await look(undefined)).toMatchObject([{ level: 'warn', words: expect.stringContaining(words) }])
})

test('an error that Stripe saved under an idempotency key does not stand in the way of the next try', async () => {
  billing.stripe.fail('broken')
  await meter()
  expect(billing.stripe.metered.get(customer)).toBeUndefined()
  billing.world.clock.advance(minute)
  await billing.world.drain()
  expect(billing.stripe.metered.get(customer)).toBe(7)
  expect(await openReports()).toBe(0)
})

test('what Stripe has counted already is done', async () => {
  billing.stripe.fail('lost')
  await meter()
  expect(await openReports()).toBe(1)
  billing.world.clock.advance(minute)
  await billing.world.drain()
  expect(told()).toHaveLength(2)
  expect(moments().size).toBe(1)
  expect([billing.stripe.metered.get(customer), await openReports()]).toEqual([7, 0])
})

test('a report that is refused for weeks arrives once the key is right, and for that moment', async () => {
  always('refused')
  await meter()
  await pass(40 * 24)
  expect(told().length).toBeGreaterThan(100)
  billing.stripe.fail()
  await pass(3)
  expect([billing.stripe.metered.get(customer), await openReports()]).toEqual([7, 0])
  expect(Number(seconds()) - Number(told().at(-1)!['timestamp'])).toBeLessThanOrEqual(3 * 3_600)
})

test('one that may have been counted is not told again when its id is forgotten, but asked about', async () => {
  always('lost')
  await meter()
  await pass(22)
  billing.stripe.forget()
  billing.stripe.fail()
  const tries = told().length
  expect(moments().size).toBe(1)
  billing.world.clock.advance(2 * hour)
  await pass(4)
  expect([billing.stripe.metered.get(customer), await openReports()]).toEqual([7, 0])
  expect(told()).toHaveLength(tries)
})

test('one that Stripe has not counted by then is told again', async () => {
  always('unreached')
  await meter()
  await pass(22)
  billing.stripe.forget()
  billing.stripe.fail()
  billing.world.clock.advance(2 * hour)
  await pass(4)
  expect([billing.stripe.metered.get(customer), await openReports()]).toEqual([7, 0])
  expect(moments().size).toBe(2)
})

test('of two of one minute, the one that is known to have arrived says nothing about the other', async () => {
  billing.stripe.fail('unreached')
  await meter()
  await billing.use('transactional', 3)
  await meter()
  expect(billing.stripe.metered.get(customer)).toBe(3)
  billing.stripe.forget()
  billing.world.clock.advance(25 * hour)
  await pass(2)
  expect([billing.stripe.metered.get(customer), await openReports()]).toEqual([10, 0])
})

test('a report of before billing was switched off is taken up when it is on again', async () => {
  const { payments } = billing.world.ctx
  Object.assign(billing.world.ctx, { payments: undefined })
  await meter()
  Object.assign(billing.world.ctx, { payments })
  expect(await openReports()).toBe(1)
  await pass(7)
  expect([billing.stripe.metered.get(customer), await openReports()]).toEqual([7, 0])
})

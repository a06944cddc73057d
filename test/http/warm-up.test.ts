// The warm-up of a sender domain: so many a day, shared by all workers, with the rest of a campaign on the days that follow.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { day, hour, minute } from '../../src/lib/time'
import { domainRoutes } from '../../src/modules/sending/domains/routes'
import { buildApp } from '../../src/server/app'
import { jobHandlers } from '../../src/server/jobs'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { drain } from '../support/drain'
import { type Answer, request } from '../support/request'
import { makeWorld, sender, senderDomain, type World } from '../support/world'

let world: World
let on: CampaignWorld
let domainId: string
let app: ReturnType<typeof buildApp>

beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx, [domainRoutes])
})
beforeEach(async () => {
  await world.ctx.sql`delete from jobs`
  // Noon of another day.
  world.clock.advance(day)
  on = await campaignWorld(world)
  world.project = on.project
  domainId = (await domains('GET', '')).body[0].id
})
afterAll(() => world.close())

const domains = (
  method: string,
  path: string,
  body?: unknown,
  key = world.project.secretKey,
): Promise<Answer> =>
  request(app, method, `/domains${path}`, { key, ...(body === undefined ? {} : { body }) })
const warmUp = (method: string, body?: unknown) => domains(method, `/${domainId}/warm-up`, body)
const today = (): string => world.clock.now().toISOString().slice(0, 10)
const in_ = (days: number): string =>
  new Date(world.clock.now().getTime() + days * day).toISOString().slice(0, 10)

async function start(firstDay: number, factor = 2, target = 1_000): Promise<void> {
  expect((await warmUp('PUT', { firstDay, factor, target })).status).toBe(200)
}

const sentNow = (): number => world.mail.sent.length
const days = async () => (await warmUp('GET')).body.plan.days

describe('the plan', () => {
  test('is started, changed, shown and given up, and that is in the audit log', async () => {
    expect((await warmUp('GET')).body).toEqual({ domain: senderDomain, plan: null })
    await start(50, 2, 400)
    expect((await warmUp('GET')).body).toEqual({
      domain: senderDomain,
      plan: {
        ...{ firstDay: 50, factor: 2, target: 400, endedAt: null, days: [] },
        ...{ startedAt: world.clock.now().toISOString(), targetDate: in_(3) },
      },
    })
    expect((await warmUp('PUT', { firstDay: 100, factor: 2, target: 400 })).body.plan.targetDate).toBe(in_(2))
    expect((await warmUp('DELETE')).body).toEqual({ domain: senderDomain, plan: null })
    expect((await warmUp('DELETE')).status).toBe(200)
    const log = await world.ctx.sql<{ action: string; subject: string }[]>`
      select action, subject from audit_log where project_id = ${world.project.id} and action like 'domain.warmUp%' order by id`
    expect(log.map(each => each.action)).toEqual([
      'domain.warmUpStarted',
      'domain.warmUpChanged',
      'domain.warmUpStopped',
    ])
  })

  test.each([
    [{ firstDay: 0, factor: 2, target: 100 }, 'firstDay'],
    [{ firstDay: 10, factor: 1, target: 100 }, 'factor'],
    [{ firstDay: 10, factor: 11, target: 100 }, 'factor'],
    [{ firstDay: 10, factor: 2, target: 9 }, 'target'],
    [{ firstDay: 10, factor: 2 }, 'target'],
  ])('%j is refused', async (body, field) => {
    const { status, body: answer } = await warmUp('PUT', body)
    expect([status, answer.error.errors[0].field]).toEqual([422, field])
    expect((await warmUp('GET')).body.plan).toBeNull()
  })

  test("another project's domain is not there", async () => {
    const other = await world.newProject()
    for (const [method, body] of [
      ['GET'],
      ['PUT', { firstDay: 1, factor: 2, target: 3 }],
      ['DELETE'],
    ] as const)
      expect((await domains(method, `/${domainId}/warm-up`, body, other.secretKey)).status).toBe(404)
  })
})

/** Of a campaign that its domain's plan alone bounds. */
const nothingElse = {
  ...{ domain: senderDomain, transports: [], moments: [], withoutTimeZone: 0 },
  ...{ heldByCap: 0, skippedByCap: 0, unknown: [] },
}

describe('a campaign', () => {
  test('whose pace can’t be asked for gives its places of the day back', async () => {
    await start(3)
    await on.contacts(3)
    const id = await on.draft()
    await on.send(id)
    const currentRate = () => Promise.reject(new Error('the provider does not answer'))
    const { sendRatePerSecond: _, ...config } = world.ctx.config
    const ctx = { ...world.ctx, config, mail: { ...world.ctx.mail, currentRate } }
    const runs = await drain(ctx, jobHandlers(ctx))
    expect(runs.map(({ outcome }) => outcome.type)).toContain('retried')
    expect(sentNow()).toBe(0)
    world.clock.advance(minute)
    await on.drain()
    expect(sentNow()).toBe(3)
    expect(await days()).toMatchObject([{ sent: 3 }])
  })

  test('is spread over the days as the forecast said, by workers that share each day exactly', async () => {
    await start(5, 2, 12)
    await on.contacts(40)
    const id = await on.draft()
    const forecast = (await on.call('GET', `/campaigns/${id}/forecast`)).body
    expect(forecast).toEqual({
      ...nothingElse,
      recipients: 40,
      lastDate: in_(3),
      days: [
        { date: today(), messages: 5 },
        { date: in_(1), messages: 10 },
        { date: in_(2), messages: 12 },
        { date: in_(3), messages: 13 },
      ],
    })
    await on.send(id)
    const workers = [world.ctx, { ...world.ctx }].map(ctx => ({ ctx, handlers: jobHandlers(ctx) }))
    const work = () => Promise.all(workers.map(each => drain(each.ctx, each.handlers)))
    const seen: number[] = []
    for (let n = 0; n < 4; n++) {
      const before = sentNow()
      for (const wait of [0, hour, hour]) {
        world.clock.advance(wait)
        await work()
      }
      seen.push(sentNow() - before)
      expect(
        (await on.call('GET', `/campaigns/${id}/forecast`)).body.days.map(
          (each: { date: string }) => each.date,
        ),
      ).toEqual(forecast.days.slice(n + 1).map((each: { date: string }) => each.date))
      world.clock.advance(22 * hour)
    }
    expect(seen).toEqual(forecast.days.map((each: { messages: number }) => each.messages))
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', deliveredCount: 40 })
    expect((await warmUp('GET')).body.plan).toMatchObject({ endedAt: expect.any(String), targetDate: null })
  })

  test('that fits into the day is done with it', async () => {
    await start(5)
    await on.contacts(5)
    const id = await on.draft()
    await on.send(id)
    await on.drain()
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', deliveredCount: 5 })
  })

  test('that waits for its pace keeps no places of the day', async () => {
    const slow = await makeWorld({ sendRatePerSecond: 1 })
    try {
      const there = await campaignWorld(slow)
      await there.contacts(6)
      const call = (method: string, path: string, body?: unknown) =>
        request(buildApp(slow.ctx, [domainRoutes]), method, `/domains${path}`, {
          ...{ key: there.project.secretKey, ...(body === undefined ? {} : { body }) },
        })
      const [{ id }] = (await call('GET', '')).body
      const plan = { firstDay: 8, factor: 2, target: 100 }
      expect((await call('PUT', `/${id}/warm-up`, plan)).status).toBe(200)
      await there.send(await there.draft())
      for (let n = 0; n < 20 && slow.mail.sent.length < 6; n++) {
        await there.drain()
        slow.clock.advance(1_000)
      }
      expect(slow.mail.sent).toHaveLength(6)
      const { days } = (await call('GET', `/${id}/warm-up`)).body.plan
      expect(days).toMatchObject([{ allowance: 8, sent: 6 }])
    } finally {
      await slow.close()
    }
  })

  test('a day on which little was sent is no step', async () => {
    await start(10)
    await on.contacts(4)
    await on.send(await on.draft())
    await on.drain()
    world.clock.advance(day)
    await on.contacts(30, { prefix: 'more' })
    const id = await on.draft()
    const { days } = (await on.call('GET', `/campaigns/${id}/forecast`)).body
    expect(days.map((each: { messages: number }) => each.messages)).toEqual([10, 20, 4])
  })

  test('who is not written to after all, or put off, takes nobody else’s place', async () => {
    await start(4)
    const ids = await on.contacts(12)
    const id = await on.draft()
    await on.send(id)
    // The recipients are recorded, and then some opt out.
    for (const contact of ids.slice(0, 3))
      await on.call('PATCH', `/contacts/${contact}`, { subscribed: false })
    world.mail.script({ outcome: 'deferred', stage: 'rcpt', code: 450, response: '450 later' })
    await on.drain()
    world.clock.advance(11 * minute)
    await on.drain()
    expect(sentNow()).toBe(4)
    expect((await days())[0]).toMatchObject({ allowance: 4, sent: 4 })
  })

  test('behind another one of the same domain is told so', async () => {
    await start(10)
    await on.contacts(25)
    const first = await on.draft()
    await on.send(first)
    await on.drain()
    const second = await on.draft()
    expect((await on.call('GET', `/campaigns/${second}/forecast`)).body.days).toEqual([
      { date: in_(1), messages: 5 },
      { date: in_(2), messages: 20 },
    ])
    expect((await on.call('GET', `/campaigns/${first}/forecast`)).body).toMatchObject({
      recipients: 15,
      lastDate: in_(1),
    })
  })

  test('without a plan has no days; scheduled ones begin on their day; those that are done have none left', async () => {
    await on.contacts(3)
    const id = await on.draft()
    expect((await on.call('GET', `/campaigns/${id}/forecast`)).body).toEqual({
      ...{ ...nothingElse, recipients: 3, lastDate: null, days: [] },
    })
    await start(2)
    await on.send(id, new Date(world.clock.now().getTime() + 3 * day).toISOString())
    expect((await on.call('GET', `/campaigns/${id}/forecast`)).body.days).toEqual([
      { date: in_(3), messages: 2 },
      { date: in_(4), messages: 1 },
    ])
    await on.call('POST', `/campaigns/${id}/cancel`)
    expect((await on.call('GET', `/campaigns/${id}/forecast`)).body).toMatchObject({
      days: [],
      lastDate: null,
    })
    expect((await on.call('GET', `/campaigns/${crypto.randomUUID()}/forecast`)).status).toBe(404)
  })
})

describe('other mail', () => {
  test('transactional mail never waits, is counted, and is left room for on the day after', async () => {
    await start(4)
    for (let n = 0; n < 6; n++) await world.sendOne({ to: `p${n}@example.com`, from: sender })
    await world.drain()
    expect(sentNow()).toBe(6)
    expect(await days()).toEqual([{ date: today(), allowance: 4, sent: 6 }])
    world.clock.advance(day)
    await on.contacts(20)
    await on.send(await on.draft())
    await on.drain()
    // Eight today, half of them kept for more such mail.
    expect(sentNow()).toBe(10)
    for (let n = 0; n < 6; n++) await world.sendOne({ to: `q${n}@example.com`, from: sender })
    await world.drain()
    expect(sentNow()).toBe(16)
  })

  test('single marketing mail waits for the next day, and has all of its time for trying then', async () => {
    await start(1, 2, 100)
    for (let n = 1; n <= 3; n++) await world.sendOne({ to: `ada-${n}@example.com`, from: sender })
    // As the mail of a workflow is.
    await world.ctx.sql`update emails set mail_class = 'marketing' where project_id = ${world.project.id}`
    await world.drain()
    expect(sentNow()).toBe(1)
    world.clock.advance(day)
    world.mail.script({ outcome: 'deferred', stage: 'rcpt', code: 450, response: '450 later' })
    await world.drain()
    world.clock.advance(hour)
    await world.drain()
    expect(sentNow()).toBe(3)
  })

  test('what waits leaves when the plan is given up', async () => {
    await start(2)
    await on.contacts(10)
    const id = await on.draft()
    await on.send(id)
    await on.drain()
    expect(sentNow()).toBe(2)
    await warmUp('DELETE')
    world.clock.advance(11 * minute)
    await on.drain()
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', deliveredCount: 10 })
  })

  test('a changed plan counts for the day that has begun, and one that has ended begins anew', async () => {
    await start(2, 2, 2)
    await on.contacts(10)
    const id = await on.draft()
    await on.send(id)
    await on.drain()
    await start(6, 2, 6)
    world.clock.advance(11 * minute)
    await on.drain()
    expect(sentNow()).toBe(6)
    world.clock.advance(day)
    await on.drain()
    expect(await on.stats(id)).toMatchObject({ status: 'SENT' })
    expect((await warmUp('GET')).body.plan.endedAt).toBeString()
    await start(3)
    expect((await warmUp('GET')).body.plan).toMatchObject({ firstDay: 3, endedAt: null, days: [] })
  })
})

// An instance that nobody uses looks at its database less often, and misses nothing that comes due.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { after, minute, second } from '../../src/lib/time'
import { campaignKinds } from '../../src/modules/campaigns/kinds'
import { hasDueCampaigns } from '../../src/modules/campaigns/queries'
import type { Context } from '../../src/platform/context'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { handle, handlerTable } from '../../src/platform/jobs/handlers'
import { holdLease } from '../../src/platform/jobs/lease'
import { startRunner } from '../../src/platform/jobs/runner'
import { fireDue, loadLastTicks, onlyWhere, schedule } from '../../src/platform/jobs/schedule'
import { makeJobSignal } from '../../src/platform/jobs/wake'
import { liveRequests } from '../../src/platform/requests'
import { lookGate, lookTimer, makeRest, type Rest, restMs } from '../../src/platform/rest'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { makeProject } from '../support/make'
import { chore, clearJobs, liveContext, until } from './support'

let database: TestDatabase
let ctx: Context
let clock: ReturnType<typeof testContext>['clock']
let isResting = true
const rest: Rest = {
  isOn: () => isResting,
  end() {
    isResting = false
  },
  onEnd: () => () => {},
}

beforeAll(async () => {
  database = await cloneDatabase()
  const fakes = testContext(database)
  ctx = { ...fakes.ctx, rest }
  clock = fakes.clock
})
afterAll(() => database.drop())
afterEach(async () => {
  isResting = true
  await clearJobs(ctx)
})

describe('rest', () => {
  test('begins when nobody has asked for a while, and ends with a request or other work', () => {
    const requests = liveRequests()
    let now = 0
    const patient = makeRest(requests, () => now)
    const afterMinute = (): boolean => {
      now += minute
      return patient.isOn()
    }
    expect([patient.isOn(), afterMinute()]).toEqual([false, true])
    patient.end()
    expect([patient.isOn(), afterMinute()]).toEqual([false, true])
    const request = { startedAt: performance.now() }
    requests.begin(request)
    expect([patient.isOn(), afterMinute()]).toEqual([false, false])
    requests.end(request)
    expect([patient.isOn(), afterMinute()]).toEqual([false, true])
  })

  test('lets through the first look and one in each stretch; at work, all', () => {
    const isDue = lookGate(ctx)
    isResting = false
    expect([isDue(), isDue()]).toEqual([true, true])
    isResting = true
    expect([isDue(), isDue(), isDue()]).toEqual([true, false, false])
    clock.advance(restMs)
    expect([isDue(), isDue()]).toEqual([true, false])
    isResting = false
    expect(isDue()).toBe(true)
    isResting = true
    expect([isDue(), isDue()]).toEqual([true, false])
  })
})

describe('a look', () => {
  const everyMs = 10
  /** A rest that has begun, a moment before a stretch ends. */
  function atRest(untilStretchMs: number) {
    const requests = liveRequests()
    let monotonic = 0
    const rest = makeRest(requests, () => monotonic)
    monotonic += minute
    expect(rest.isOn()).toBe(true)
    const now = new Date(1_000 * restMs - untilStretchMs)
    let looks = 0
    const timer = lookTimer({ rest, clock: { now: () => now } }, () => looks++)
    return { requests, rest, timer, looks: () => looks }
  }

  test('is made at rest when the next stretch begins', async () => {
    const { timer, looks } = atRest(60)
    timer.plan(everyMs)
    await Bun.sleep(3 * everyMs)
    expect(looks()).toBe(0)
    await until(async () => looks() === 1)
  })

  test('is made earlier where something is certain to come', async () => {
    const { timer, looks } = atRest(10_000)
    timer.plan(everyMs, 2 * everyMs)
    await until(async () => looks() === 1)
  })

  test('is not put off any longer once somebody asks', async () => {
    const { requests, timer, looks } = atRest(10_000)
    timer.plan(everyMs)
    requests.begin({ startedAt: performance.now() })
    await until(async () => looks() === 1)
  })

  test('is not put off any longer once other work is found', async () => {
    const { rest, timer, looks } = atRest(10_000)
    timer.plan(everyMs)
    rest.end()
    await until(async () => looks() === 1)
  })

  test('is not made after it was stopped', async () => {
    const { requests, timer, looks } = atRest(20)
    timer.plan(everyMs)
    timer.stop()
    requests.begin({ startedAt: performance.now() })
    await Bun.sleep(60)
    expect(looks()).toBe(0)
  })
})

describe('schedules with a question', () => {
  const every = schedule(campaignKinds.sweep, { everyMs: 3 * second }, {})

  test('ask once in a stretch', async () => {
    let asked = 0
    const asking = onlyWhere(async () => {
      asked++
      return false
    }, every)
    const known = await loadLastTicks(ctx, [asking])
    const gate = lookGate(ctx)
    for (let tick = 0; tick < 40; tick++) {
      clock.advance(3 * second)
      await fireDue(ctx, [asking], known, gate)
    }
    // Two minutes: at the beginning, and in each half.
    expect([4, 5]).toContain(asked)
    asked = 0
    isResting = false
    clock.advance(3 * second)
    await fireDue(ctx, [asking], known, gate)
    expect(asked).toBe(1)
  })

  test('are on time for what comes due in the middle of a stretch', async () => {
    const due = after(clock.now(), 70 * second)
    const asking = onlyWhere(async (_, by) => by >= due, every)
    const known = await loadLastTicks(ctx, [asking])
    const gate = lookGate(ctx)
    const fired: number[] = []
    for (let tick = 0; tick < 30; tick++) {
      clock.advance(3 * second)
      const names = await fireDue(ctx, [asking], known, gate)
      if (names.length > 0) fired.push(clock.now().getTime() - due.getTime())
    }
    expect(fired[0]).toBeGreaterThanOrEqual(0)
    expect(fired[0]).toBeLessThan(3 * second)
  })

  test('a campaign is seen before its moment', async () => {
    const now = clock.now()
    const project = await makeProject({ ctx })
    await ctx.sql`
      insert into campaigns (id, project_id, name, subject, body, from_email, type, audience_type, status, scheduled_for, created_at, updated_at)
      values (gen_random_uuid(), ${project.id}, 'A', 'A', 'A', 'a@b.example', 'MARKETING', 'ALL', 'SCHEDULED', ${after(now, 10 * second)}, ${now}, ${now})`
    expect(await hasDueCampaigns(ctx, now)).toBe(false)
    expect(await hasDueCampaigns(ctx, after(now, restMs))).toBe(true)
  })
})

test('a lease is renewed with the looks at rest, and as often as before from the end of the rest', async () => {
  const requests = liveRequests()
  let monotonic = 0
  const rest = makeRest(requests, () => monotonic)
  monotonic += minute
  expect(rest.isOn()).toBe(true)
  // The beginning of a stretch, and the clock stands still.
  clock.advance(restMs - (clock.now().getTime() % restMs))
  const lease = await holdLease(
    { ...ctx, rest },
    { leaseMs: minute, beatMs: 20, soleOwner: true, onLost: () => {} },
  )
  const version = async () =>
    (await ctx.sql`select xmin from runners where id = ${lease.runnerId()!}`)[0]!.xmin
  const taken = await version()
  await Bun.sleep(200)
  expect(await version()).toBe(taken)
  requests.begin({ startedAt: performance.now() })
  await until(async () => (await version()) !== taken)
  lease.stop()
  await lease.remove()
})

test('a runner that rests is on time for a job of which it gets no hint', async () => {
  const live = { ...liveContext(database), rest }
  const dueAt = after(live.clock.now(), second)
  await enqueue(live, chore, { n: 1 }, { runAt: dueAt })
  let ranAt: Date | undefined
  const handler = handle(chore, async () => {
    ranAt = live.clock.now()
  })
  const runner = await startRunner(live, { handlers: handlerTable([handler]), concurrency: 1, pollMs: 100 })
  await until(async () => ranAt !== undefined)
  await runner.stop(second)
  expect(ranAt!.getTime()).toBeGreaterThanOrEqual(dueAt.getTime())
})

test('a runner that rests is on time for a job that another job left for later', async () => {
  const live = { ...liveContext(database), rest }
  const signal = makeJobSignal({ ...live, sql: database.sql }, { soleOwner: true })
  const ctx = { ...live, jobWaker: signal }
  let ranAt: Date | undefined
  const handler = handle(chore, async () => {
    ranAt = live.clock.now()
  })
  const handlers = handlerTable([handler])
  const runner = await startRunner(ctx, { handlers, concurrency: 1, pollMs: 100, signal })
  await Bun.sleep(200)
  const dueAt = after(live.clock.now(), second)
  await enqueue(ctx, chore, { n: 1 }, { runAt: dueAt })
  await until(async () => ranAt !== undefined)
  await runner.stop(second)
  await signal.close()
  expect(ranAt!.getTime() - dueAt.getTime()).toBeWithin(0, 3 * second)
})

// An instance that nobody uses polls its database less often, and misses nothing that comes due.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { after, minute, second } from '../../src/lib/time'
import { campaignKinds } from '../../src/modules/features/campaigns/kinds'
import { hasDueCampaigns } from '../../src/modules/features/campaigns/sending/queries/probes'
import type { Context } from '../../src/platform/context'
import { type Idle, idlePollMs, pollTimer, watchIdle } from '../../src/platform/idle'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { handle, handlerTable } from '../../src/platform/jobs/kind'
import { holdLease, type Lease } from '../../src/platform/jobs/lease'
import { startRunner } from '../../src/platform/jobs/runner'
import { fireDue, loadLastTicks, schedule } from '../../src/platform/jobs/schedule'
import { makeJobSignal } from '../../src/platform/jobs/wake'
import { liveRequests } from '../../src/platform/requests'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { makeProject } from '../support/make'
import { chore, clearJobs, liveContext, until } from './support'

let database: TestDatabase
let ctx: Context
let clock: ReturnType<typeof testContext>['clock']
let isIdle = true
const idle: Idle = {
  isOn: () => isIdle,
  end() {
    isIdle = false
  },
  onEnd: () => () => {},
}

beforeAll(async () => {
  database = await cloneDatabase()
  const fakes = testContext(database)
  ctx = { ...fakes.ctx, idle }
  clock = fakes.clock
})
afterAll(() => database.drop())
afterEach(async () => {
  isIdle = true
  await clearJobs(ctx)
})

describe('an idle instance', () => {
  test('begins when nobody has asked for a while, and ends with a request or other work', () => {
    const requests = liveRequests()
    let now = 0
    const patient = watchIdle(requests, () => now)
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
})

describe('a poll', () => {
  const everyMs = 10
  /** An idle instance, a moment before it polls. */
  function whileIdle(untilPollMs: number) {
    const requests = liveRequests()
    let monotonic = 0
    const idle = watchIdle(requests, () => monotonic)
    monotonic += minute
    expect(idle.isOn()).toBe(true)
    const now = new Date(1_000 * idlePollMs - untilPollMs)
    let polls = 0
    const timer = pollTimer({ idle, clock: { now: () => now } }, () => polls++)
    return { requests, idle, timer, polls: () => polls }
  }

  test('is made with all others, however soon it was planned', async () => {
    const { timer, polls } = whileIdle(60)
    const begunAt = performance.now()
    timer.plan(everyMs)
    await until(async () => polls() === 1)
    // Timers may be early by a millisecond.
    expect(performance.now() - begunAt).toBeGreaterThan(55)
  })

  test('is made earlier where something is certain to come', async () => {
    const { timer, polls } = whileIdle(10_000)
    timer.plan(everyMs, 2 * everyMs)
    await until(async () => polls() === 1)
  })

  test('is not put off any longer once somebody asks', async () => {
    const { requests, timer, polls } = whileIdle(10_000)
    timer.plan(everyMs)
    requests.begin({ startedAt: performance.now() })
    await until(async () => polls() === 1)
  })

  test('is not put off any longer once other work is found', async () => {
    const { idle, timer, polls } = whileIdle(10_000)
    timer.plan(everyMs)
    idle.end()
    await until(async () => polls() === 1)
  })

  test('keeps the moment that it was planned for when somebody asks just before it', async () => {
    const requests = liveRequests()
    let monotonic = 0
    const idle = watchIdle(requests, () => monotonic)
    monotonic += minute
    let now = new Date(0)
    let polls = 0
    const timer = pollTimer({ idle, clock: { now: () => now } }, () => polls++)
    timer.plan(5 * minute, 10 * second)
    now = new Date(10 * second)
    requests.begin({ startedAt: performance.now() })
    await until(async () => polls === 1)
    timer.stop()
  })

  test('is not made after it was stopped', async () => {
    const { requests, timer, polls } = whileIdle(20)
    timer.plan(everyMs)
    timer.stop()
    const later = whileIdle(60)
    later.timer.plan(everyMs)
    requests.begin({ startedAt: performance.now() })
    await until(async () => later.polls() === 1)
    expect(polls()).toBe(0)
  })
})

describe('schedules with a question', () => {
  test('are on time for what comes due between two polls', async () => {
    const due = after(clock.now(), 70 * second)
    const asking = schedule(campaignKinds.startDue, 3 * second, async (_, by) => by >= due)
    const known = await loadLastTicks(ctx, [asking])
    const fired: number[] = []
    for (let tick = 0; tick < 30; tick++) {
      clock.advance(3 * second)
      const names = await fireDue(ctx, [asking], known)
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
    expect(await hasDueCampaigns(ctx, after(now, idlePollMs))).toBe(true)
  })
})

test('a lease is renewed with the polls of an idle instance, and as often as before once it is used', async () => {
  const requests = liveRequests()
  let monotonic = 0
  const idle = watchIdle(requests, () => monotonic)
  monotonic += minute
  expect(idle.isOn()).toBe(true)
  // Polls have just been made, and the clock stands still.
  clock.advance(idlePollMs - (clock.now().getTime() % idlePollMs))
  const times = { leaseMs: minute, beatMs: 20 }
  const lease = await holdLease({ ...ctx, idle }, times, () => {})
  const busy = await holdLease({ ...ctx, idle: undefined }, times, () => {})
  const version = async (of: Lease) =>
    (await ctx.sql`select xmin from runners where id = ${of.runnerId()!}`)[0]!.xmin
  const taken = await version(lease)
  const isRenewed = async (of: Lease, since: unknown) => (await version(of)) !== since
  for (let beat = 0; beat < 3; beat++) {
    const before = await version(busy)
    await until(() => isRenewed(busy, before))
  }
  expect(await version(lease)).toBe(taken)
  requests.begin({ startedAt: performance.now() })
  await until(() => isRenewed(lease, taken))
  for (const each of [lease, busy]) {
    await each.stop()
    await each.remove()
  }
})

test('an idle runner is on time for a job of which it gets no hint', async () => {
  const live = { ...liveContext(database), idle }
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

test('an idle runner is on time for a job that another job left for later', async () => {
  const live = { ...liveContext(database), idle }
  const signal = makeJobSignal({ ...live, sql: database.sql }, { soleOwner: true })
  const ctx = { ...live, jobWaker: signal }
  const ranAt: Date[] = []
  const handler = handle(chore, async () => void ranAt.push(live.clock.now()))
  const handlers = handlerTable([handler])
  const runner = await startRunner(ctx, { handlers, concurrency: 1, pollMs: 100, signal })
  // The other job: once it has run, the runner is between two polls.
  await enqueue(ctx, chore, { n: 0 })
  await until(async () => ranAt.length === 1)
  const dueAt = after(live.clock.now(), second)
  await enqueue(ctx, chore, { n: 1 }, { runAt: dueAt })
  await until(async () => ranAt.length === 2)
  await runner.stop(second)
  await signal.close()
  expect(ranAt[1]!.getTime() - dueAt.getTime()).toBeWithin(0, 3 * second)
})

// Schedules against a real database: each tick becomes one job, whoever sees it first.

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { day, minute } from '../../src/lib/time'
import { domainKinds } from '../../src/modules/sending/domains/kinds'
import type { Context } from '../../src/platform/context'
import { job } from '../../src/platform/jobs/kind'
import { fireDue, loadLastTicks, runSchedules, schedule } from '../../src/platform/jobs/schedule'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { clearJobs, countJobs, until } from './support'

let database: TestDatabase
let ctx: Context
let clock: ReturnType<typeof testContext>['clock']
const sweep = schedule(domainKinds.prune, 5 * minute)

beforeAll(async () => {
  database = await cloneDatabase()
  const fakes = testContext(database)
  ctx = fakes.ctx
  clock = fakes.clock
})
afterAll(() => database.drop())
afterEach(() => clearJobs(ctx))

test('a new schedule waits for its next tick; a tick fires once', async () => {
  const known = await loadLastTicks(ctx, [sweep])
  expect(await fireDue(ctx, [sweep], known)).toEqual([])
  clock.advance(5 * minute)
  expect(await fireDue(ctx, [sweep], known)).toEqual(['domain.prune'])
  expect(await fireDue(ctx, [sweep], known)).toEqual([])
  expect(await countJobs(ctx)).toBe(1)
})

test('a schedule that has nothing to do adds no job and writes nothing; its next tick asks again', async () => {
  let hasWork = false
  const asking = schedule(domainKinds.prune, 5 * minute, async () => hasWork)
  const known = await loadLastTicks(ctx, [asking])
  const [before] = await ctx.sql`select last_tick from schedules`
  clock.advance(5 * minute)
  expect(await fireDue(ctx, [asking], known)).toEqual([])
  expect((await ctx.sql`select last_tick from schedules`)[0]).toEqual(before!)
  hasWork = true
  // That tick is over.
  expect(await fireDue(ctx, [asking], known)).toEqual([])
  clock.advance(5 * minute)
  expect(await fireDue(ctx, [asking], known)).toEqual(['domain.prune'])
  expect(await countJobs(ctx)).toBe(1)
})

test('of twenty instances that see the same tick at the same time one adds the job', async () => {
  const views = await Promise.all(Array.from({ length: 20 }, () => loadLastTicks(ctx, [sweep])))
  clock.advance(5 * minute)
  const fired = await Promise.all(views.map(view => fireDue(ctx, [sweep], view)))
  expect(fired.flat()).toEqual(['domain.prune'])
  expect(await countJobs(ctx)).toBe(1)
})

test('an instance that comes late does not repeat a tick whose job has long been done', async () => {
  const late = await loadLastTicks(ctx, [sweep])
  const early = await loadLastTicks(ctx, [sweep])
  clock.advance(5 * minute)
  await fireDue(ctx, [sweep], early)
  await ctx.sql`delete from jobs`
  expect(await fireDue(ctx, [sweep], late)).toEqual([])
  expect(await countJobs(ctx)).toBe(0)
})

test('what was missed while nobody ran fires once at the start', async () => {
  await loadLastTicks(ctx, [sweep])
  clock.advance(60 * minute)
  const running = runSchedules(ctx, [sweep])
  await running.stop()
  expect(await countJobs(ctx)).toBe(1)
})

test('of many missed ticks one is fired, and a clock that went back fires nothing', async () => {
  const known = await loadLastTicks(ctx, [sweep])
  clock.advance(30 * day)
  expect(await fireDue(ctx, [sweep], known)).toEqual(['domain.prune'])
  const [row] = await ctx.sql<{ lastTick: Date }[]>`select last_tick as "lastTick" from schedules`
  expect(clock.now().getTime() - row!.lastTick.getTime()).toBeWithin(0, 5 * minute)
  clock.advance(-6 * minute)
  expect(await fireDue(ctx, [sweep], known)).toEqual([])
  clock.advance(6 * minute)
  expect(await fireDue(ctx, [sweep], known)).toEqual([])
  expect(await countJobs(ctx)).toBe(1)
})

test('a job that cannot be added leaves its tick to be fired, and the others go on', async () => {
  const broken = schedule(job('broken', 'system', { n: Type.Integer() }), 5 * minute)
  await loadLastTicks(ctx, [broken, sweep])
  clock.advance(5 * minute)
  const running = runSchedules(ctx, [broken, sweep])
  await until(async () => (await countJobs(ctx)) === 1)
  await running.stop()
  const [row] = await ctx.sql<
    { lastTick: Date }[]
  >`select last_tick as "lastTick" from schedules where name = 'broken'`
  expect(row!.lastTick.getTime()).toBeLessThan(clock.now().getTime())
})

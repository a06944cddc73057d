// A clock that jumps: ahead and back again, or back. What it wrote while it was wrong must not stop the work when it is right.

import { afterEach, expect, test } from 'bun:test'
import { day, hour, minute } from '../../src/lib/time'
import { domainKinds } from '../../src/modules/sending/domains/kinds'
import { fireDue, loadLastTicks, schedule } from '../../src/platform/jobs/schedule'
import { makeWorld, type World } from '../support/world'

let world: World
const sweep = schedule(domainKinds.prune, 5 * minute)

afterEach(() => world.close())

test('schedules go on although their last tick lies in the future', async () => {
  world = await makeWorld()
  const { ctx, clock } = world
  const right = clock.now()
  clock.advance(5 * minute)
  const known = await loadLastTicks(ctx, [sweep])
  clock.set(new Date(right.getTime() + 30 * day))
  expect(await fireDue(ctx, [sweep], known)).toEqual(['domain.prune'])
  clock.set(new Date(right.getTime() + 10 * minute))
  expect(await fireDue(ctx, [sweep], known)).toEqual([])
  // Another instance that starts meanwhile sees the mended tick.
  const others = await loadLastTicks(ctx, [sweep])
  clock.advance(5 * minute)
  expect(await fireDue(ctx, [sweep], known)).toEqual(['domain.prune'])
  expect(await fireDue(ctx, [sweep], others)).toEqual([])
})

test('a difference that instances may have moves no tick', async () => {
  world = await makeWorld()
  const { ctx, clock } = world
  const known = await loadLastTicks(ctx, [sweep])
  clock.advance(5 * minute)
  expect(await fireDue(ctx, [sweep], known)).toEqual(['domain.prune'])
  const [before] = await ctx.sql`select last_tick from schedules where name = 'domain.prune'`
  clock.advance(-6 * minute)
  expect(await fireDue(ctx, [sweep], known)).toEqual([])
  const [after] = await ctx.sql`select last_tick from schedules where name = 'domain.prune'`
  expect(after).toEqual(before!)
})

test('requests that were counted in the future do not keep the limit used up', async () => {
  world = await makeWorld({ rateLimitPerMinute: 5 })
  const { clock } = world
  const right = clock.now()
  clock.set(new Date(right.getTime() + day))
  for (let count = 0; count < 5; count++) expect((await world.call('GET', '/emails')).status).toBe(200)
  expect((await world.call('GET', '/emails')).status).toBe(429)
  clock.set(right)
  expect((await world.call('GET', '/emails')).status).toBe(200)
})

test('a pace that was spent in the future does not hold mail back', async () => {
  world = await makeWorld({ sendRatePerSecond: 2 })
  const { clock, mail } = world
  const right = clock.now()
  clock.set(new Date(right.getTime() + day))
  await world.sendOne()
  await world.drain()
  clock.set(right)
  await world.sendOne({ to: 'bob@example.com' })
  await world.drain()
  expect(mail.sent.map(message => message.envelope.to)).toContain('bob@example.com')
})

test('a jump ahead sends nothing twice and loses nothing', async () => {
  world = await makeWorld()
  const { clock, mail } = world
  const ids = [await world.sendOne(), await world.sendOne({ to: 'bob@example.com' })]
  clock.advance(3 * hour)
  await world.drain()
  clock.advance(-3 * hour)
  await world.drain()
  clock.advance(4 * hour)
  await world.drain()
  expect(mail.sent.map(message => message.id).sort()).toEqual(ids.sort())
})

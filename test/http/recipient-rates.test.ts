// RECIPIENT_RATES: how much goes to one receiver of mail, for all projects together, while mail to everybody else leaves as ever.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { hour, second } from '../../src/lib/time'
import { drain } from '../../src/platform/jobs/drain'
import { jobHandlers } from '../../src/server/jobs'
import { campaignWorld } from '../support/campaigns'
import { makeWorld, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld({ recipientRates: { gmail: 2, 'slow.example.com': 1 } })
})
beforeEach(async () => {
  world.mail.clear()
  await world.ctx.sql`delete from jobs`
  // What earlier tests spent is free again.
  world.clock.advance(hour)
  world.project = await world.newProject()
})
afterAll(() => world.close())

const sentTo = (ending: string): number =>
  world.mail.sent.filter(({ envelope }) => envelope.to.endsWith(ending)).length

test('all domains of a receiver share its pace, and so do all projects', async () => {
  for (const domain of ['gmail.com', 'googlemail.com']) {
    world.project = await world.newProject()
    for (const n of [1, 2, 3]) await world.sendOne({ to: `p${n}@${domain}` })
  }
  await world.drain()
  for (const expected of [2, 3, 4, 5, 6]) {
    expect(world.mail.sent).toHaveLength(expected)
    world.clock.advance(second / 2)
    await world.drain()
  }
})

test('waiting is no try, and mail to others does not wait', async () => {
  const ids: string[] = []
  for (const n of [1, 2, 3, 4]) ids.push(await world.sendOne({ to: `p${n}@gmail.com` }))
  for (const n of [1, 2, 3, 4]) await world.sendOne({ to: `p${n}@example.com` })
  await world.drain()
  expect([sentTo('@gmail.com'), sentTo('@example.com')]).toEqual([2, 4])
  const waiting = (await Promise.all(ids.map(world.email))).filter(({ status }) => status === 'PENDING')
  expect(waiting.map(({ attempts, error, tries }) => [attempts, error, tries])).toEqual([
    [0, null, []],
    [0, null, []],
  ])
  expect(waiting.every(({ nextAttemptAt }) => nextAttemptAt !== null)).toBe(true)
})

test('processes share it, exactly', async () => {
  for (let n = 0; n < 12; n++) await world.sendOne({ to: `p${n}@gmail.com` })
  const handlers = [jobHandlers(world.ctx), jobHandlers(world.ctx)]
  await Promise.all(handlers.map(each => drain(world.ctx, each)))
  expect(sentTo('@gmail.com')).toBe(2)
})

test('a campaign to a slow receiver has reached everybody else at once, and reaches it in time', async () => {
  const on = await campaignWorld(world)
  await on.contacts(40)
  for (const n of [1, 2, 3, 4, 5, 6])
    await on.call('POST', '/contacts', { email: `p${n}@slow.example.com`, subscribed: true })
  const id = await on.draft()
  await on.send(id)
  await on.drain()
  expect(sentTo('@example.com')).toBe(40)
  expect(sentTo('@slow.example.com')).toBeLessThanOrEqual(1)
  for (let n = 0; n < 20 && (await on.stats(id)).status !== 'SENT'; n++) {
    world.clock.advance(second)
    await on.drain()
  }
  expect(await on.stats(id)).toMatchObject({ status: 'SENT', deliveredCount: 46 })
  expect(sentTo('@slow.example.com')).toBe(6)
})

test('whoever waited for hours has all of the time for trying', async () => {
  const on = await campaignWorld(world)
  for (const n of [1, 2, 3])
    await on.call('POST', '/contacts', { email: `p${n}@slow.example.com`, subscribed: true })
  const id = await on.draft()
  await on.send(id)
  await on.drain()
  const sent = sentTo('@slow.example.com')
  world.clock.advance(20 * hour)
  world.mail.always({ outcome: 'deferred', stage: 'rcpt', code: 450, response: '450 later' })
  await on.drain()
  world.mail.always({ outcome: 'accepted', delivered: true, response: '250 ok' })
  for (let n = 0; n < 20 && (await on.stats(id)).status !== 'SENT'; n++) {
    world.clock.advance(6 * second)
    await on.drain()
  }
  expect(await on.stats(id)).toMatchObject({ status: 'SENT', deliveredCount: 3, failedCount: 0 })
  expect(sentTo('@slow.example.com')).toBeGreaterThan(sent)
})

test('transactional mail goes first', async () => {
  const on = await campaignWorld(world)
  for (let n = 0; n < 8; n++)
    await on.call('POST', '/contacts', { email: `p${n}@gmail.com`, subscribed: true })
  await on.send(await on.draft())
  world.project = on.project
  await on.drain()
  const letter = await world.sendOne({ to: 'reset@gmail.com' })
  for (let n = 0; n < 2; n++) {
    world.clock.advance(second)
    await on.drain()
  }
  expect((await world.email(letter)).status).toBe('DELIVERED')
  expect(sentTo('@gmail.com')).toBeLessThan(9)
})

test('a receiver that asks for less gets less, and more again when it is quiet', async () => {
  world.mail.script({
    outcome: 'deferred',
    stage: 'rcpt',
    code: 450,
    enhanced: '4.7.28',
    response: '450 4.7.28',
  })
  await world.sendOne({ to: 'first@googlemail.com' })
  await world.drain()
  // Its own next try would be one of those that are counted below.
  await world.ctx.sql`delete from jobs`
  // One message is a second's worth now, instead of two.
  world.clock.advance(4 * second)
  for (let n = 0; n < 4; n++) await world.sendOne({ to: `p${n}@gmail.com` })
  await world.drain()
  expect(sentTo('@gmail.com')).toBe(1)
  world.clock.advance(second / 2)
  await world.drain()
  expect(sentTo('@gmail.com')).toBe(1)
  world.clock.advance(hour)
  await world.drain()
  expect(sentTo('@gmail.com')).toBe(3)
})

// RECIPIENT_RATES: how much goes to one receiver of mail, for all projects together, while mail to everybody else leaves as ever.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { hour, second } from '../../src/lib/time'
import { jobHandlers } from '../../src/server/jobs'
import { campaignWorld } from '../support/campaigns'
import { drain } from '../support/drain'
import { until } from '../support/until'
import { makeWorld, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld({
    recipientRates: { gmail: 2, 'slow.example.com': 1, 'host.example': 1, 'both.example.com': 1 },
    recipientConnections: { 'narrow.example.com': 2, 'both.example.com': 1 },
  })
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

test('what waits for its rate takes nobody the place on the way there', async () => {
  for (const n of [1, 2, 3]) await world.sendOne({ to: `p${n}@both.example.com` })
  await world.drain()
  for (const expected of [1, 2, 3]) {
    expect(sentTo('@both.example.com')).toBe(expected)
    world.clock.advance(2 * second)
    await world.drain()
  }
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

test('a company that Google receives for shares its pace, and so do all that one operator receives for', async () => {
  const mx = (exchange: string) => ({ exchange, priority: 10 })
  world.dns.set('acme.test', 'mx', mx('aspmx.l.google.com'))
  for (const domain of ['one.test', 'two.test']) world.dns.set(domain, 'mx', mx(`${domain}.mx.host.example`))
  const domains = ['acme.test', 'one.test', 'two.test']
  // The first message to each finds nothing known, and does not wait for the DNS.
  for (const domain of domains) await world.sendOne({ to: `first@${domain}` })
  await world.drain()
  expect(domains.map(domain => sentTo(`first@${domain}`))).toEqual([1, 1, 1])
  for (const domain of [...domains, 'gmail.com'])
    for (const n of [1, 2, 3]) await world.sendOne({ to: `p${n}@${domain}` })
  await world.drain()
  const [google, host] = [
    () => sentTo('@acme.test') + sentTo('@gmail.com') - 1,
    () => sentTo('@one.test') + sentTo('@two.test') - 2,
  ]
  expect([google(), host()]).toEqual([2, 1])
  world.clock.advance(second)
  await world.drain()
  expect([google(), host()]).toEqual([4, 2])
})

test('so many are on their way to a receiver at a time, and everybody else is reached meanwhile', async () => {
  const on = await campaignWorld(world)
  await on.contacts(60)
  for (let n = 0; n < 30; n++)
    await on.call('POST', '/contacts', { email: `p${n}@narrow.example.com`, subscribed: true })
  const waiting: Array<() => void> = []
  let [now, most] = [0, 0]
  world.mail.always(async ({ envelope }) => {
    if (!envelope.to.endsWith('@narrow.example.com'))
      return { outcome: 'accepted', delivered: true, response: '250 ok' }
    most = Math.max(most, ++now)
    await new Promise<void>(resolve => waiting.push(resolve))
    now--
    return { outcome: 'accepted', delivered: true, response: '250 ok' }
  })
  const id = await on.draft()
  await on.send(id)
  const drained = on.drain()
  // It hangs on the two that are on their way; had others gone with them, they would fill the places of all campaigns.
  await until('all others have left', () => sentTo('@example.com') >= 60 && waiting.length >= 2)
  expect(waiting).toHaveLength(2)
  let isOver = false
  const release = async (): Promise<void> => {
    while (!isOver) {
      for (const each of waiting.splice(0)) each()
      await Bun.sleep(1)
    }
  }
  const released = release()
  await drained
  for (let n = 0; n < 200 && (await on.stats(id)).status !== 'SENT'; n++) {
    world.clock.advance(second)
    await on.drain()
  }
  isOver = true
  await released
  expect(await on.stats(id)).toMatchObject({ status: 'SENT', deliveredCount: 90 })
  expect(most).toBe(2)
})

test('a receiver that asks again although it gets less gets nothing for a while, and then all of it', async () => {
  world.mail.always({
    outcome: 'deferred',
    stage: 'final',
    code: 451,
    enhanced: '4.7.0',
    response: '451 4.7.0',
  })
  await world.sendOne({ to: 'first@gmail.com' })
  await world.drain()
  world.clock.advance(31 * second)
  await world.sendOne({ to: 'second@gmail.com' })
  await world.drain()
  await world.ctx.sql`delete from jobs`
  world.mail.clear()
  for (let n = 0; n < 3; n++) await world.sendOne({ to: `p${n}@googlemail.com` })
  world.clock.advance(29 * second)
  await world.drain()
  expect(world.mail.sent).toHaveLength(0)
  for (let n = 0; n < 10; n++) {
    world.clock.advance(2 * second)
    await world.drain()
  }
  expect(world.mail.sent).toHaveLength(3)
})

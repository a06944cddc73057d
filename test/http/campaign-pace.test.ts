// A campaign under a sending pace: never faster, never stuck, and in the order of its slices.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { makeBooker } from '../../src/modules/sending/delivery/service'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { makeWorld, type World } from '../support/world'

let world: World
let on: CampaignWorld
beforeAll(async () => {
  world = await makeWorld({ sendRatePerSecond: 10 })
  on = await campaignWorld(world)
})
afterAll(() => world.close())

/** Time passes as the jobs of a campaign see it: they come back as soon as another message may leave. */
async function pass(seconds: number): Promise<void> {
  for (let halves = 0; halves < seconds * 2; halves++) {
    world.clock.advance(500)
    await on.drain()
  }
}

test('ten a second: a burst of eight, for two are kept for others, then ten for each second, until all are sent once', async () => {
  await on.contacts(35)
  const id = await on.draft()
  await on.send(id)
  const sentBySecond: number[] = []
  await on.drain()
  for (let seconds = 0; seconds < 5; seconds++) {
    sentBySecond.push(world.mail.sent.length)
    await pass(1)
  }
  expect(sentBySecond.slice(0, 4)).toEqual([8, 18, 28, 35])
  expect(await on.stats(id)).toMatchObject({ status: 'SENT', sentCount: 35 })
  expect(new Set(world.mail.sent.map(message => message.envelope.to)).size).toBe(35)
})

test('the rate and the time left are told while it is on its way', async () => {
  world.mail.clear()
  world.clock.advance(60_000)
  const id = await on.draft()
  await on.send(id)
  await on.drain()
  await pass(1)
  expect((await on.stats(id)).progress).toEqual({
    processed: 18,
    remaining: 17,
    ratePerSecond: 18,
    secondsLeft: 1,
  })
  world.clock.advance(1_000)
  expect((await on.stats(id)).progress).toMatchObject({ ratePerSecond: 9, secondsLeft: 2 })
  await pass(4)
})

describe('beside transactional mail', () => {
  const to = (address: string): number =>
    world.mail.sent.filter(message => message.envelope.to === address).length
  const transactional = (): number =>
    world.mail.sent.filter(message => message.envelope.to.startsWith('code')).length
  async function code(...addresses: string[]): Promise<void> {
    const { status } = await world.send({ to: addresses }, { key: on.project.secretKey })
    expect(status).toBe(200)
  }
  async function fresh(contacts: number): Promise<string> {
    on = await campaignWorld(world)
    world.clock.advance(60_000)
    await on.contacts(contacts)
    const id = await on.draft()
    await on.send(id)
    return id
  }

  test('a campaign leaves a part of each second to it, so that it leaves at once', async () => {
    await fresh(60)
    for (let seconds = 1; seconds <= 4; seconds++) {
      await on.drain()
      await code(`code-${seconds}@example.com`)
      await on.drain()
      expect(to(`code-${seconds}@example.com`)).toBe(1)
      await pass(1)
    }
    // The burst of one second, and then ten a second: no more than without a campaign.
    expect(world.mail.sent.length).toBeLessThanOrEqual(10 + 4 * 10)
    expect(world.mail.sent.length).toBeGreaterThanOrEqual(46)
    await pass(3)
  })

  test('a flood of it goes first, and the campaign goes on when it is over', async () => {
    const id = await fresh(20)
    await on.drain()
    const before = world.mail.sent.length
    await code(...Array.from({ length: 30 }, (_, n) => `code-flood-${n}@example.com`))
    const campaign = (): number => world.mail.sent.length - transactional()
    const sentBefore = campaign()
    await on.drain()
    for (let tenths = 0; tenths < 27; tenths++) {
      expect(campaign()).toBe(sentBefore)
      world.clock.advance(100)
      await on.drain()
    }
    expect(world.mail.sent.length - before).toBeGreaterThanOrEqual(27)
    for (let seconds = 0; seconds < 6; seconds++) {
      world.clock.advance(1_000)
      await on.drain()
    }
    expect(transactional()).toBe(30)
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', sentCount: 20 })
  })

  test('several instances share budget and reserve exactly', async () => {
    const { id } = await world.newProject()
    world.clock.advance(60_000)
    const bookers = [makeBooker(world.ctx), makeBooker(world.ctx), makeBooker(world.ctx)]
    const granted = async (): Promise<number> => {
      const booked = await Promise.all(Array.from({ length: 12 }, (_, n) => bookers[n % 3]!(id, 3)))
      return booked.reduce((sum, each) => sum + each.granted, 0)
    }
    // Ten less the two that stay for others; those can still leave.
    expect([await granted(), await granted()]).toEqual([8, 0])
    const accepted = await world.send({ to: ['a@example.com', 'b@example.com', 'c@example.com'] }, {})
    expect(accepted.status).toBe(200)
    world.clock.advance(500)
    expect(await granted()).toBe(5)
  })
})

describe('a pace of one a second, which has nothing to spare', () => {
  test('the transactional message has the next turn, not the campaign', async () => {
    const slow = await makeWorld({ sendRatePerSecond: 1 })
    try {
      const there = await campaignWorld(slow)
      await there.contacts(5)
      const id = await there.draft()
      await there.send(id)
      await there.drain()
      expect(slow.mail.sent).toHaveLength(1)
      await slow.send({ to: 'code@example.com' }, { key: there.project.secretKey })
      await there.drain()
      slow.clock.advance(1_000)
      // Whoever of the two is run first.
      await there.drain()
      expect(slow.mail.sent.map(message => message.envelope.to)[1]).toBe('code@example.com')
      for (let seconds = 0; seconds < 8; seconds++) {
        slow.clock.advance(1_000)
        await there.drain()
      }
      expect(await there.stats(id)).toMatchObject({ status: 'SENT', sentCount: 5 })
    } finally {
      await slow.close()
    }
  })
})

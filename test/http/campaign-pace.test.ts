// A campaign under a sending pace: never faster, never stuck, and in the order of its slices.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { makeWorld, type World } from '../support/world'

let world: World
let on: CampaignWorld
beforeAll(async () => {
  world = await makeWorld({ sendRatePerSecond: 10 })
  on = await campaignWorld(world)
})
afterAll(() => world.close())

test('ten a second: a burst of ten, then ten for each second, until all are sent once', async () => {
  await on.contacts(35)
  const id = await on.draft()
  await on.send(id)
  const sentBySecond: number[] = []
  for (let seconds = 0; seconds < 5; seconds++) {
    await on.drain()
    sentBySecond.push(world.mail.sent.length)
    world.clock.advance(1_000)
  }
  expect(sentBySecond.slice(0, 4)).toEqual([10, 20, 30, 35])
  await on.drain()
  expect(await on.stats(id)).toMatchObject({ status: 'SENT', sentCount: 35 })
  expect(new Set(world.mail.sent.map(message => message.envelope.to)).size).toBe(35)
})

test('the rate and the time left are told while it is on its way', async () => {
  world.mail.clear()
  world.clock.advance(60_000)
  const id = await on.draft()
  await on.send(id)
  await on.drain()
  world.clock.advance(1_000)
  await on.drain()
  expect((await on.stats(id)).progress).toEqual({
    processed: 20,
    remaining: 15,
    ratePerSecond: 20,
    secondsLeft: 1,
  })
  world.clock.advance(1_000)
  expect((await on.stats(id)).progress).toMatchObject({ ratePerSecond: 10, secondsLeft: 2 })
})

// The rates of a campaign beside those of the ones before it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { hour } from '../../src/lib/time'
import { campaignWorld } from '../support/campaigns'
import { makeWorld, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

test('a campaign has the medians of those before it, of its topic where there are enough', async () => {
  const on = await campaignWorld(world)
  await on.contacts(4)
  const { sql } = world.ctx
  const topicId = Bun.randomUUIDv7()
  await sql`
    insert into topics (id, project_id, name, by_default, created_at, updated_at)
    values (${topicId}, ${on.project.id}, 'Offers', true, now(), now())`
  const sent = async (opened: number, body: object = {}): Promise<string> => {
    world.clock.advance(hour)
    const id = await on.draft({ ...body })
    await on.send(id)
    await on.drain()
    await sql`insert into campaign_deltas (project_id, campaign_id, opened) values (${on.project.id}, ${id}, ${opened})`
    return id
  }
  const first = await sent(4)
  await sent(1)
  const third = await sent(2)
  const fourth = await sent(0)
  expect((await on.stats(first)).usual).toBeNull()
  expect((await on.stats(third)).usual).toBeNull()
  const usual = {
    campaigns: 3,
    openRate: 50,
    deliveryRate: 100,
    clickRate: 0,
    bounceRate: 0,
    unsubscribeRate: 0,
  }
  expect((await on.stats(fourth)).usual).toEqual(usual)
  // Too few of the topic: all of the project. What comes later changes nothing.
  for (const opened of [4, 4, 4]) await sent(opened, { topicId })
  expect((await on.stats(fourth)).usual).toEqual(usual)
  expect((await on.stats(await sent(0, { topicId }))).usual).toMatchObject({ campaigns: 3, openRate: 100 })
  expect((await on.stats(await on.draft())).usual).toBeNull()
})

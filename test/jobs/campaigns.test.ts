// Campaigns under real runners: two processes share the slices of one, each recipient is written to once, and a password mail that
// comes in the middle does not wait for the end.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Runner, startRunner } from '../../src/platform/jobs/runner'
import { jobHandlers } from '../../src/server/jobs'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { makeWorld, type World } from '../support/world'
import { until } from './support'

let world: World
let on: CampaignWorld
let runners: Runner[] = []
beforeAll(async () => {
  world = await makeWorld()
  on = await campaignWorld(world)
})
afterAll(async () => {
  await Promise.all(runners.map(runner => runner.stop(5_000)))
  await world.close()
})

test('two runners send a campaign of several slices once to everybody, and let urgent mail through', async () => {
  const recipients = 3_000
  await world.ctx.sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select uuid_v7(${world.clock.now()}::timestamptz, n), ${on.project.id}, 'many-' || n || '@example.com', true, '{}',
           ${world.clock.now()}, ${world.clock.now()} from generate_series(1, ${recipients}::int) n`
  const half = Promise.withResolvers<void>()
  let sent = 0
  world.mail.always(() => {
    if (++sent === recipients / 2) half.resolve()
    return { outcome: 'accepted', delivered: true, response: '250 ok' }
  })
  const id = await on.draft()
  await on.send(id)
  const options = { concurrency: 6, pollMs: 20 }
  runners = await Promise.all(
    [1, 2].map(() => startRunner(world.ctx, { ...options, handlers: jobHandlers(world.ctx) })),
  )
  await half.promise
  const before = world.mail.sent.length
  await world.send({ to: 'urgent@example.com' }, { key: on.project.secretKey })
  await until(async () => (await on.stats(id)).status === 'SENT')
  const addresses = world.mail.sent.map(message => message.envelope.to)
  expect(addresses.indexOf('urgent@example.com') - before).toBeLessThan(recipients / 3)
  expect(addresses).toHaveLength(recipients + 1)
  expect(new Set(addresses).size).toBe(recipients + 1)
  expect(await on.stats(id)).toMatchObject({
    sentCount: recipients,
    deliveredCount: recipients,
    failedCount: 0,
  })
})

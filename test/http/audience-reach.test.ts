// How many an audience reaches, and why the others get nothing: the counts before a send agree with what the send does.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { day } from '../../src/lib/time'
import { eraseAddress } from '../../src/modules/oversight/privacy'
import { buildApp } from '../../src/server/app'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { type Answer, request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let on: CampaignWorld
let app: ReturnType<typeof buildApp>

beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
beforeEach(async () => {
  on = await campaignWorld(world)
  world.project = on.project
})
afterAll(() => world.close())

async function call(method: string, path: string, body?: unknown): Promise<Answer['body']> {
  const given = { key: on.project.secretKey, ...(body === undefined ? {} : { body }) }
  const { status, body: answer } = await request(app, method, path, given)
  expect([status, answer.error]).toEqual([expect.any(Number), undefined])
  return answer
}

const capped = (whenHeld: 'SKIP' | 'LATER') =>
  call('PATCH', `/users/@me/projects/${on.project.id}`, { mailCap: { messages: 1, days: 7, whenHeld } })

/** Three who get everything, and some for each reason; two reasons meet in some of them. Answers a topic that one of them has left. */
async function audience(): Promise<string> {
  const topic = await call('POST', '/topics', { name: 'Offers', subscribedByDefault: true })
  const left = await on.contacts(1, { prefix: 'left' })
  await call('PUT', `/contacts/${left[0]}/topics`, { topics: [{ id: topic.id, subscribed: false }] })
  await on.contacts(2, { prefix: 'full' })
  const earlier = {
    logic: 'AND',
    groups: [{ filters: [{ field: 'email', operator: 'contains', value: 'full-' }] }],
  }
  await on.send(await on.draft({ audienceType: 'FILTERED', audienceCondition: earlier }))
  await on.drain()
  world.mail.clear()
  await on.contacts(3)
  await on.contacts(4, { prefix: 'never', subscribed: false })
  for (const id of await on.contacts(2, { prefix: 'out' }))
    await call('PATCH', `/contacts/${id}`, { subscribed: false })
  const [asleep] = await on.contacts(1, { prefix: 'asleep' })
  const until = new Date(world.clock.now().getTime() + 30 * day)
  await world.ctx.sql`update contacts set subscribed = false, snoozed_until = ${until} where id = ${asleep!}`
  await on.contacts(1, { prefix: 'blocked' })
  // Suppressed as well as unsubscribed: the first reason counts.
  const emails = ['blocked-1@example.com', 'out-1@example.com']
  await call('POST', '/suppressions', { emails })
  await on.contacts(1, { prefix: 'erased' })
  await eraseAddress(world.ctx, { projectId: on.project.id, by: 'operator' }, 'erased-1@example.com')
  await world.ctx.sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select gen_random_uuid(), project_id, 'erased-1@example.com', true, '{}', created_at, updated_at from contacts where id = ${asleep!}`
  return topic.id
}

const sentTo = async (id: string) => {
  const rows = await on.recipients(id)
  const of = (error: string | null, status: string): number =>
    rows.filter(row => row['status'] === status && row['lastError'] === error).length
  return { all: rows.length, of, rows }
}

describe('the reach of an audience', () => {
  test('is what a send does, and says for each other contact why not', async () => {
    await capped('SKIP')
    const topicId = await audience()
    const reach = await call('POST', '/campaigns/audience', { audienceType: 'ALL', topicId })
    const id = await on.draft({ topicId })
    await on.send(id)
    await on.drain()
    const { all, of, rows } = await sentTo(id)
    expect(reach).toEqual({
      matching: 14,
      recipients: 7,
      reached: 3,
      delayed: 0,
      skipped: { unsubscribed: 2, snoozed: 1, neverSubscribed: 4, topic: 1, suppressed: 2, cap: 2 },
    })
    expect(all).toBe(reach.recipients)
    expect(world.mail.sent).toHaveLength(reach.reached)
    expect(of('skipped by cap', 'SKIPPED')).toBe(reach.skipped.cap)
    expect(rows.filter(row => row['status'] === 'SKIPPED')).toHaveLength(
      reach.skipped.cap + reach.skipped.suppressed,
    )
    const skipped = Object.values<number>(reach.skipped).reduce((sum, each) => sum + each, 0)
    const [{ contacts }] = await world.ctx.sql<[{ contacts: number }]>`
      select count(*)::int as contacts from contacts where project_id = ${on.project.id}`
    expect(reach.reached + skipped).toBe(contacts)
    expect((await call('POST', `/campaigns/${id}/preview`, {})).audience).toEqual({
      matching: 14,
      recipients: 7,
    })
  })

  test('counts whom the cap puts off as reached, later', async () => {
    await capped('LATER')
    await audience()
    const reach = await call('POST', '/campaigns/audience', { audienceType: 'ALL' })
    expect(reach).toMatchObject({ recipients: 8, reached: 6, delayed: 2, skipped: { topic: 0, cap: 0 } })
    const id = await on.draft()
    await on.send(id)
    await on.drain()
    expect(await on.stats(id)).toMatchObject({ deliveredCount: 4, heldCount: 2, skippedCount: 2 })
  })

  test('of a transactional campaign is everybody but the suppressed', async () => {
    await capped('SKIP')
    await audience()
    const reach = await call('POST', '/campaigns/audience', { audienceType: 'ALL', type: 'TRANSACTIONAL' })
    expect(reach).toMatchObject({ matching: 15, recipients: 15, reached: 12, delayed: 0 })
    expect(reach.skipped).toEqual({
      unsubscribed: 0,
      snoozed: 0,
      neverSubscribed: 0,
      topic: 0,
      suppressed: 3,
      cap: 0,
    })
    const id = await on.draft({ type: 'TRANSACTIONAL' })
    await on.send(id)
    await on.drain()
    expect(world.mail.sent).toHaveLength(12)
  })
})

// Sending again to whom a campaign did not reach, where that takes several pages: the first in the request, the others by a job.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { hour } from '../../src/lib/time'
import { systemActor } from '../../src/modules/accounts/projects/service'
import { retryFailed, retryRest } from '../../src/modules/features/campaigns/sending/service/retry'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { makeWorld, type World } from '../support/world'

let world: World
let on: CampaignWorld
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  on = await campaignWorld(world)
})
afterAll(() => world.close())

const sizes = { page: 3, counted: 100 }
const actor = () => ({ projectId: on.project.id, role: 'OWNER' as const, by: systemActor })
const retry = (id: string, given = sizes) => retryFailed(world.ctx, actor(), id, given)
const never = new AbortController().signal

/** A campaign whose messages were all refused. */
async function failedCampaign(contacts: number): Promise<{ id: string; contacts: string[] }> {
  const made = await on.contacts(contacts)
  const id = await on.draft()
  world.mail.always({ outcome: 'refused', blame: 'other', response: '554 policy' })
  await on.send(id)
  await on.drain()
  world.mail.clear()
  expect(await on.stats(id)).toMatchObject({ status: 'SENT', failedCount: contacts })
  world.clock.advance(1_000)
  return { id, contacts: made }
}

/** What the request left to the job. */
async function queuedRest(id: string) {
  const rows = await world.ctx.sql<{ args: { campaignId: string; after: string; until: string } }[]>`
    select args from jobs where kind = 'campaign.retry' and args->>'campaignId' = ${id}`
  return rows.map(({ args }) => ({ ...args, projectId: on.project.id, until: new Date(args.until) }))
}

test('a request opens one page, answers for all, and the job opens the others', async () => {
  const { id, contacts } = await failedCampaign(8)
  await on.call('PATCH', `/contacts/${contacts[1]}`, { subscribed: false })
  await on.call('PATCH', `/contacts/${contacts[6]}`, { subscribed: false })
  expect(await retry(id)).toEqual({ requeued: 6, skipped: 2 })
  expect(await on.recipients(id, '&status=PENDING')).toHaveLength(2)
  expect(await on.stats(id)).toMatchObject({ status: 'SENDING', failedCount: 6 })
  expect(await queuedRest(id)).toHaveLength(1)
  await on.drain()
  expect(await on.stats(id)).toMatchObject({ status: 'SENT', sentCount: 6, failedCount: 2 })
  expect(world.mail.sent).toHaveLength(6)
})

test('those whose attempts were used up are among those who were not reached, and are sent to again', async () => {
  await on.contacts(2)
  const id = await on.draft()
  world.mail.always({ outcome: 'deferred', stage: 'rcpt', code: 451, response: '451 not now' })
  await on.send(id)
  await on.drain()
  world.clock.advance(6 * hour)
  await on.drain()
  world.mail.clear()
  expect(await on.stats(id)).toMatchObject({ status: 'SENT', failedCount: 2, bouncedCount: 0, sentCount: 0 })
  expect((await on.recipients(id)).map(({ status }) => status)).toEqual(['BOUNCED', 'BOUNCED'])
  expect(await retry(id)).toEqual({ requeued: 2, skipped: 0 })
  await on.drain()
  expect(await on.stats(id)).toMatchObject({ status: 'SENT', sentCount: 2, failedCount: 0 })
})

test('of more than are looked at, the others count as queued', async () => {
  const { id, contacts } = await failedCampaign(7)
  await on.call('PATCH', `/contacts/${contacts[6]}`, { subscribed: false })
  expect(await retry(id, { page: 2, counted: 2 })).toEqual({ requeued: 7, skipped: 0 })
  await on.drain()
  expect(await on.stats(id)).toMatchObject({ status: 'SENT', sentCount: 6, failedCount: 1 })
})

test('the job takes page after page, and run twice it sends nothing twice', async () => {
  const { id } = await failedCampaign(8)
  await retry(id)
  const [rest] = await queuedRest(id)
  await retryRest(world.ctx, rest!, never, sizes)
  expect(await on.recipients(id, '&status=PENDING')).toHaveLength(8)
  world.clock.advance(1_000)
  world.mail.always({ outcome: 'refused', blame: 'other', response: '554 policy' })
  await on.drain()
  expect(await on.stats(id)).toMatchObject({ status: 'SENT', failedCount: 8 })
  await retryRest(world.ctx, rest!, never, sizes)
  expect(await on.stats(id)).toMatchObject({ status: 'SENT', failedCount: 8 })
})

test('a cancelled campaign is left as it is', async () => {
  const { id } = await failedCampaign(5)
  await retry(id)
  await on.call('POST', `/campaigns/${id}/cancel`)
  await on.drain()
  expect(await on.stats(id)).toMatchObject({ status: 'CANCELLED', failedCount: 5, sentCount: 0 })
})

test('those who are sent to again do not wait for the next try of somebody else', async () => {
  await on.contacts(2)
  const id = await on.draft()
  world.mail.script(
    { outcome: 'refused', blame: 'other', response: '554 policy' },
    { outcome: 'deferred', response: '451 later' },
  )
  await on.send(id)
  await on.drain()
  expect(await on.stats(id)).toMatchObject({ status: 'SENDING', failedCount: 1 })
  // After a few tries the next one is hours away.
  const later = new Date(world.clock.now().getTime() + 7_200_000)
  await world.ctx.sql`
    update emails set next_attempt_at = ${later} where campaign_id = ${id}::uuid and status = 'PENDING'`
  await world.ctx.sql`
    update jobs set run_at = ${later}
     where state = 'queued' and unique_key in (select 'slice:' || id from campaign_slices where campaign_id = ${id}::uuid)`
  world.clock.advance(1_000)
  expect(await retry(id)).toEqual({ requeued: 1, skipped: 0 })
  await on.drain()
  expect(await on.stats(id)).toMatchObject({ status: 'SENDING', sentCount: 1, failedCount: 0 })
})

test('a retry while another recipient of the slice is tried again does not wait for that one', async () => {
  await on.contacts(2)
  const id = await on.draft()
  const isFirst = (to: string): boolean => to.startsWith('ada-1')
  const later = { outcome: 'deferred', stage: 'rcpt', code: 451, response: '451 not now' } as const
  world.mail.always(({ envelope }) =>
    isFirst(envelope.to) ? { outcome: 'refused', blame: 'other', response: '554 policy' } : later,
  )
  await on.send(id)
  await on.drain()
  world.clock.advance(10_000)
  let answered: Promise<{ requeued: number }> | undefined
  world.mail.always(async ({ envelope }) => {
    if (isFirst(envelope.to)) return { outcome: 'accepted', delivered: true, response: '250 ok' }
    answered ??= retry(id)
    await answered
    return later
  })
  await on.drain()
  expect(await answered).toMatchObject({ requeued: 1 })
  const states = (await on.recipients(id)).map(({ email, status }) => [email, status])
  expect(new Map(states as [string, string][]).get('ada-1@example.com')).toBe('DELIVERED')
})

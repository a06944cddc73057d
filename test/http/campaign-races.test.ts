// Two who work on one campaign at the same moment, and what a dead process has left: in each case that the model of campaigns
// (`test/model/campaign.ts`) has named, the campaign still comes to its end with everybody in it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { systemActor } from '../../src/modules/accounts/projects/service'
import { finishCampaign } from '../../src/modules/features/campaigns/queries'
import { expandCampaign } from '../../src/modules/features/campaigns/sending/service/expand'
import { faultLimit } from '../../src/modules/features/campaigns/sending/service/recipient'
import { retryFailed } from '../../src/modules/features/campaigns/sending/service/retry'
import { makeSliceSending } from '../../src/modules/features/campaigns/sending/service/slice'
import { type Context, inTransaction } from '../../src/platform/context'
import { Snooze } from '../../src/platform/jobs/outcome'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import type { Answer } from '../support/request'
import { until } from '../support/until'
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

const idsOf = (campaignId: string) => ({ projectId: on.project.id, campaignId })
const running = { signal: new AbortController().signal }
const retry = (ctx: Context, id: string) =>
  retryFailed(ctx, { projectId: on.project.id, role: 'OWNER', by: systemActor }, id)

/** Statements that wait for the locks of others. */
async function waiting(): Promise<number> {
  const [row] = await world.ctx.sql<[{ count: number }]>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return row.count
}

async function started(contacts: number): Promise<string> {
  await on.contacts(contacts)
  const id = await on.draft()
  await on.send(id)
  return id
}

/** Everybody has ended, once, and so has the campaign. */
async function expectEnd(id: string, status: string): Promise<void> {
  const [row] = await world.ctx.sql`
    select status, (select count(*)::int from emails e where e.campaign_id = c.id and e.status in ('PENDING', 'SENDING')) as open,
           (select count(*)::int from campaign_slices s where s.campaign_id = c.id and done_at is null) as slices
      from campaigns c where id = ${id}`
  expect(row).toEqual({ status, open: 0, slices: 0 } as never)
  const { totalRecipients, progress } = await on.stats(id)
  expect(progress.processed).toBe(totalRecipients)
}

test('whoever has lost its lease writes a page and stops: the holder of the job goes on behind it', async () => {
  const id = await started(1)
  await world.ctx.sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select uuid_v7(now(), n), project_id, 'eve-' || n || '@example.com', true, '{}', created_at, updated_at
      from contacts, generate_series(1, 1500) n where project_id = ${on.project.id}`
  await world.ctx.sql`
    update campaigns set boundary = (select max(id::text)::uuid from contacts where project_id = ${on.project.id}) where id = ${id}`
  const late = Promise.withResolvers<unknown>()
  const holder = Promise.withResolvers<unknown>()
  await inTransaction(world.ctx, async tx => {
    await tx.sql`select from campaigns where id = ${id} for update`
    expandCampaign(world.ctx, idsOf(id), { signal: AbortSignal.abort() }).then(late.resolve, late.resolve)
    await until('one waits', async () => (await waiting()) === 1)
    expandCampaign(world.ctx, idsOf(id), running).then(holder.resolve, holder.resolve)
    await until('two wait', async () => (await waiting()) === 2)
  })
  expect(await late.promise).toBeInstanceOf(Snooze)
  expect(await holder.promise).toBeUndefined()
  const [row] = await world.ctx.sql`select is_expanded, total_recipients from campaigns where id = ${id}`
  expect(row).toEqual({ is_expanded: true, total_recipients: 1501 } as never)
})

test('what a dead process left on its way ends although the campaign was paused and then cancelled', async () => {
  const id = await started(2)
  await expandCampaign(world.ctx, idsOf(id), running)
  await world.ctx.sql`
    update emails set status = 'SENDING', attempts = 1 where campaign_id = ${id} and to_email = 'ada-1@example.com'`
  await on.call('POST', `/campaigns/${id}/pause`)
  await on.drain()
  await on.call('POST', `/campaigns/${id}/cancel`)
  await on.drain()
  await expectEnd(id, 'CANCELLED')
})

test('a slice that somebody else has ended, who died before looking at the campaign', async () => {
  const id = await started(1)
  world.mail.script(async () => {
    await world.ctx.sql`update campaign_slices set done_at = ${world.clock.now()} where campaign_id = ${id}`
    return { outcome: 'accepted', delivered: true, response: '250 ok' }
  })
  await on.drain()
  await expectEnd(id, 'SENT')
})

test('a slice whose recipients are opened again at the moment at which it ends', async () => {
  const id = await started(2)
  world.mail.always({ outcome: 'refused', blame: 'other', response: '554 policy' })
  await expandCampaign(world.ctx, idsOf(id), running)
  let sending: Promise<unknown> = Promise.resolve()
  let retried: Promise<unknown> = Promise.resolve()
  await inTransaction(world.ctx, async tx => {
    await tx.sql`select from campaign_slices where campaign_id = ${id} for update`
    sending = on.drain()
    await until('one waits', async () => (await waiting()) === 1)
    world.mail.clear()
    world.clock.advance(1_000)
    let isOver = false
    retried = retry(world.ctx, id).finally(() => {
      isOver = true
    })
    await until('the other waits or is over', async () => isOver || (await waiting()) === 2)
  })
  expect(await retried).toMatchObject({ requeued: 2 })
  await sending
  await on.drain()
  await expectEnd(id, 'SENT')
  expect(await on.recipients(id, '&status=DELIVERED')).toHaveLength(2)
})

test('a campaign whose recipients are opened again at the moment at which it ends', async () => {
  const id = await started(2)
  world.mail.always({ outcome: 'refused', blame: 'other', response: '554 policy' })
  await on.drain()
  world.mail.clear()
  world.clock.advance(1_000)
  await world.ctx.sql`update campaigns set status = 'SENDING', finished_at = null where id = ${id}`
  let finished: Promise<boolean> = Promise.resolve(true)
  await inTransaction(world.ctx, async tx => {
    await retry(tx, id)
    finished = finishCampaign(world.ctx, on.project.id, id)
    await until('one waits', async () => (await waiting()) === 1)
  })
  expect(await finished).toBe(false)
  await on.drain()
  await expectEnd(id, 'SENT')
  expect(await on.recipients(id, '&status=DELIVERED')).toHaveLength(2)
})

test('two who try at the same moment whether mail leaves again send one message between them', async () => {
  const id = await started(faultLimit + 5)
  world.mail.always({ outcome: 'deferred', response: 'connect ECONNREFUSED', stage: 'connect' })
  await on.drain()
  expect(await on.stats(id)).toMatchObject({ status: 'SENDING' })
  const tried = world.mail.attempts.length
  const [slice] = await world.ctx.sql<
    [{ id: string }]
  >`select id from campaign_slices where campaign_id = ${id}`
  world.clock.advance(5_000)
  const both = [1, 2].map(() => makeSliceSending(world.ctx).sendSlice(slice.id, running).catch(String))
  await Promise.all(both)
  expect(world.mail.attempts).toHaveLength(tried + 1)
})

test('a campaign that is changed while it is checked for sending is not sent as nobody has checked it', async () => {
  await on.contacts(1)
  const id = await on.draft()
  let changed: Promise<Answer> | undefined
  let sent: Promise<Answer> | undefined
  await inTransaction(world.ctx, async tx => {
    await tx.sql`select from campaigns where id = ${id} for update`
    changed = on.call('PUT', `/campaigns/${id}`, { subject: 'Other words' })
    await until('the change waits', async () => (await waiting()) === 1)
    sent = on.send(id)
    await until('so does sending', async () => (await waiting()) === 2)
  })
  expect([(await changed)!.status, (await sent)!.status]).toEqual([200, 409])
  await on.drain()
  expect(world.mail.sent).toHaveLength(0)
  expect((await on.stats(id)).status).toBe('DRAFT')
})

test('the page with which an expansion ends is on the disk before its job goes', async () => {
  const id = await started(3)
  await world.ctx.sql`create table commits (set_by text)`
  await world.ctx.sql`
    create function note_commit() returns trigger language plpgsql as
      'begin insert into commits select source from pg_settings where name = ''synchronous_commit''; return null; end'`
  await world.ctx.sql`
    create constraint trigger note_commit after insert on campaign_slices deferrable initially deferred
      for each row execute function note_commit()`
  await expandCampaign(world.ctx, idsOf(id), running)
  const [row] = await world.ctx.sql<[{ setBy: string }]>`select set_by as "setBy" from commits`
  expect(row.setBy).not.toBe('session')
  await world.ctx.sql`drop trigger note_commit on campaign_slices`
  await world.ctx.sql`drop table commits`
})

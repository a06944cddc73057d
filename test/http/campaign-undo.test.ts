// Taking back a campaign that was sent with a delay: until the delay is over nothing leaves, and afterwards nothing can be taken back.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { inTransaction } from '../../src/platform/context'
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
  await on.contacts(2)
})
afterAll(() => world.close())

const delayed = (id: string, more: object = {}) =>
  on.call('POST', `/campaigns/${id}/send`, { delaySeconds: 60, ...more })
const unschedule = (id: string) => on.call('POST', `/campaigns/${id}/unschedule`)
/** Statements that wait for the locks of others. */
async function waiting(): Promise<number> {
  const [row] = await world.ctx.sql<[{ count: number }]>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return row.count
}
/** Lets so many seconds pass, and runs what is due then. */
async function pass(seconds: number): Promise<void> {
  world.clock.advance(seconds * 1_000)
  await on.sweep()
  await on.drain()
}

describe('a campaign that is sent with a delay', () => {
  test('leaves when the delay is over, and not before', async () => {
    const id = await on.draft()
    const at = new Date(world.clock.now().getTime() + 60_000).toISOString()
    const sent = await delayed(id)
    expect([sent.status, sent.body.data]).toMatchObject([200, { status: 'SCHEDULED', scheduledFor: at }])
    await pass(59)
    expect(world.mail.sent).toHaveLength(0)
    await pass(1)
    expect(world.mail.sent).toHaveLength(2)
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', sentCount: 2 })
  })

  test('can be taken back until then: it is a draft again, is changed, and is sent as it is then', async () => {
    const id = await on.draft()
    await delayed(id)
    const taken = await unschedule(id)
    expect([taken.status, taken.body]).toMatchObject([
      200,
      { status: 'DRAFT', scheduledFor: null, totalRecipients: 0 },
    ])
    await pass(3_600)
    expect(world.mail.sent).toHaveLength(0)
    expect((await on.call('PUT', `/campaigns/${id}`, { subject: 'Mended' })).status).toBe(200)
    expect((await on.send(id)).status).toBe(200)
    await on.drain()
    const subjects = world.mail.sent.map(
      mail => /^Subject: (.*)\r$/m.exec(new TextDecoder().decode(mail.raw))?.[1],
    )
    expect(subjects).toEqual(['Mended', 'Mended'])
  })

  test('is either taken back or sent, whoever comes first', async () => {
    for (let n = 0; n < 8; n++) {
      const id = await on.draft()
      await delayed(id)
      world.mail.clear()
      world.clock.advance(60_000)
      await on.sweep()
      const [taken] = await Promise.all([unschedule(id), on.drain()])
      await on.drain()
      const { status } = await on.stats(id)
      expect([taken.status, status, world.mail.sent.length]).toEqual(
        taken.status === 200 ? [200, 'DRAFT', 0] : [409, 'SENT', 2],
      )
    }
  })

  test('stays taken back where it could not be started at the same moment', async () => {
    const id = await on.draft()
    await delayed(id)
    const { sql } = world.database
    await sql`
      create function fail_late() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(4711); raise exception ''no disk''; end'`
    await sql`
      create trigger fail_late before update on campaigns for each row
        when (new.status = 'SENDING' and new.paused_at is null) execute function fail_late()`
    world.clock.advance(60_000)
    await on.sweep()
    let drained: Promise<unknown> | undefined
    let taken: Promise<Answer> | undefined
    await inTransaction(world.ctx, async tx => {
      await tx.sql`select pg_advisory_xact_lock(4711)`
      drained = on.drain()
      await until('it is being started', async () => (await waiting()) === 1)
      taken = unschedule(id)
      await until('the way back waits', async () => (await waiting()) === 2)
    })
    expect((await taken)!.status).toBe(200)
    await drained
    await sql`drop trigger fail_late on campaigns`
    await sql`drop function fail_late`
    expect((await on.call('GET', `/campaigns/${id}`)).body).toMatchObject({ status: 'DRAFT', pausedAt: null })
  })

  test('is refused at once where it could not be sent', async () => {
    const id = await on.draft({ audienceType: 'FILTERED', audienceCondition: nobody })
    expect((await delayed(id)).status).toBe(400)
    expect((await on.stats(id)).status).toBe('DRAFT')
  })

  test('is not given a moment as well, nor a delay of more than ten minutes', async () => {
    const id = await on.draft()
    const both = await delayed(id, { scheduledFor: '2030-01-01T00:00:00Z' })
    expect([both.status, both.body.error.errors[0].field]).toEqual([422, 'delaySeconds'])
    expect((await on.call('POST', `/campaigns/${id}/send`, { delaySeconds: 601 })).status).toBe(422)
    expect((await on.stats(id)).status).toBe('DRAFT')
  })

  test('leaves at once with a delay of nothing', async () => {
    const id = await on.draft()
    const sent = await on.call('POST', `/campaigns/${id}/send`, { delaySeconds: 0 })
    expect(sent.body.data.status).toBe('SENDING')
  })
})

const nobody = {
  logic: 'AND',
  groups: [{ filters: [{ field: 'data.name', operator: 'equals', value: 'Nobody' }] }],
}

test('the audit log says who took it back', async () => {
  const id = await on.draft()
  await delayed(id)
  await unschedule(id)
  const rows = await world.ctx.sql`
    select action from audit_log where project_id = ${on.project.id}::uuid and subject = ${id} order by id`
  expect(rows.map(row => row.action)).toEqual(['campaign.scheduled', 'campaign.unscheduled'])
})

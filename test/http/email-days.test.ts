// The counts of messages by day, source and hour: whatever happens to messages, in whatever order and wherever folding stands, they are
// what a recount of the rows says.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { day, hour } from '../../src/lib/time'
import { sumDayChanges } from '../../src/modules/sending/emails/days'
import { usageRolledUp } from '../../src/modules/sending/emails/hooks'
import {
  failPending,
  selectDays,
  selectDaysBySource,
  selectReputation,
} from '../../src/modules/sending/emails/queries'
import { rollUpEmailCounts } from '../../src/modules/sending/emails/service'
import { type DeliveryReport, reportKinds } from '../../src/modules/sending/feedback/report'
import { applyReports } from '../../src/modules/sending/feedback/service'
import { on as onHook } from '../../src/platform/hooks'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { withHooks } from '../support/hooks'
import { makeWorld, type World } from '../support/world'

const simulatorDomain = 'simulator.amazonses.com'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

const ever = { first: '2000-01-01', last: '2099-12-31' }

/** What the rows say, in the order of selectDays and selectDaysBySource. */
async function recount(projectId: string, by: 'day' | 'source') {
  const { sql } = world.ctx
  const key =
    by === 'day' ? sql`(created_at at time zone 'UTC')::date::text as day` : sql`source_type as "sourceType"`
  return await sql`
    select ${key}, count(*) as created, count(sent_at) as sent, count(delivered_at) as delivered, count(opened_at) as opened,
           count(clicked_at) as clicked, count(bounced_at) as bounced, count(complained_at) as complained,
           count(*) filter (where status = 'FAILED') as failed
      from emails where project_id = ${projectId} group by 1 order by 1`
}

async function recountReputation(projectId: string, since: Date) {
  const [row] = await world.ctx.sql`
    select count(*) as total, count(bounced_at) as bounces, count(complained_at) as complaints
      from emails where project_id = ${projectId} and created_at >= ${since} and to_email not like ${`%@${simulatorDomain}`}`
  return row
}

/** What limits are held against, and what is charged: as kept, and as the rows say. */
async function usage(projectId: string) {
  return await world.ctx.sql`
    select source_type as "sourceType", sum(used)::int as used, sum(units)::int as units
      from (select source_type, used, units from usage_months where project_id = ${projectId}
             union all
            select source_type, used, units from email_day_deltas where project_id = ${projectId}) as parts
     group by 1 having sum(used) <> 0 or sum(units) <> 0 order by 1`
}

async function recountUsage(projectId: string) {
  return await world.ctx.sql`
    select source_type as "sourceType", count(*) filter (where status not in ('FAILED', 'SKIPPED')) as used,
           coalesce(sum(case when attachment_set is null then 1 else 2 end) filter (where sent_at is not null), 0) as units
      from emails where project_id = ${projectId} group by 1
    having count(*) filter (where status not in ('FAILED', 'SKIPPED')) + count(sent_at) > 0 order by 1`
}

async function expectExact(projectId: string): Promise<void> {
  const { ctx } = world
  expect(await usage(projectId)).toEqual((await recountUsage(projectId)) as never)
  expect(await selectDays(ctx, projectId, ever)).toEqual((await recount(projectId, 'day')) as never)
  expect(await selectDaysBySource(ctx, projectId, ever)).toEqual(
    (await recount(projectId, 'source')) as never,
  )
  const since = (ms: number) => new Date(Math.floor((ctx.clock.now().getTime() - ms) / hour) * hour)
  for (const ms of [day, 7 * day]) {
    const from = since(ms)
    expect(await selectReputation(ctx, projectId, from)).toEqual(
      (await recountReputation(projectId, from)) as never,
    )
  }
}

type Step = (on: CampaignWorld) => Promise<unknown>

const refused = (blame: 'address' | 'other') => ({
  outcome: 'refused' as const,
  blame,
  response: '550 no',
  code: 550,
})
const deferred = { outcome: 'deferred' as const, response: '451 later', code: 451 }

/** What may happen to the messages of a project. */
const steps: Record<string, Step> = {
  'a message is accepted': on => sendTo(on, 'ada@example.com'),
  'a message is sent to the simulator': on => sendTo(on, `bounce@${simulatorDomain}`),
  'two are sent at once': on => sendTo(on, ['eve@example.com', 'fay@example.com']),
  'an address is refused': async on => {
    world.mail.script(refused('address'))
    await sendTo(on, 'gone@example.com')
    await on.drain()
  },
  'a message is refused': async on => {
    world.mail.script(refused('other'))
    await sendTo(on, 'bob@example.com')
    await on.drain()
  },
  'a message has to wait': async on => {
    world.mail.script(deferred)
    await sendTo(on, 'cyd@example.com')
    await on.drain()
  },
  'a campaign is sent, one refused': async on => {
    world.mail.script(refused('other'))
    await on.send(await on.draft())
    await on.drain()
  },
  'a campaign is cancelled halfway': async on => {
    const id = await on.draft()
    await on.send(id)
    await on.call('POST', `/campaigns/${id}/cancel`)
    await on.drain()
  },
  'a campaign is paused, cancelled and closed': async on => {
    const id = await on.draft()
    await on.send(id)
    await on.call('POST', `/campaigns/${id}/pause`)
    await on.drain()
    await on.call('POST', `/campaigns/${id}/cancel`)
    await on.drain()
  },
  'what failed is tried again': async on => {
    for (const { id } of (await on.call('GET', '/campaigns?status=SENT')).body.data)
      await on.call('POST', `/campaigns/${id}/retry-failed`)
  },
  'jobs run': on => on.drain(),
  'every other message is reported about, each in its own way': on => reportAll(on, 2),
  'every message is reported about': on => reportAll(on, 1),
  'hours pass': async () => world.clock.advance(7 * hour),
  'days pass': async () => world.clock.advance(3 * day),
  'the deltas are rolled up': () => rollUpEmailCounts(world.ctx),
  'a message with attachments is sent': async on => {
    const attachments = [{ filename: 'a.txt', content: 'eA==', contentType: 'text/plain' }]
    await sendTo(on, 'gil@example.com', { attachments })
    await on.drain()
  },
  'somebody opts out while a campaign rests': async on => {
    const id = await on.draft()
    await on.send(id)
    await on.call('POST', `/campaigns/${id}/pause`)
    await on.drain()
    const [contact] = (await on.call('GET', '/contacts')).body.data
    await on.call('PATCH', `/contacts/${contact.id}`, { subscribed: false })
    await on.call('POST', `/campaigns/${id}/resume`)
    await on.drain()
    await on.call('PATCH', `/contacts/${contact.id}`, { subscribed: true })
  },
  'who was skipped is tried again': async on => {
    for (const { id } of (await on.call('GET', '/campaigns?status=SENT')).body.data)
      await on.call('POST', `/campaigns/${id}/retry-failed`)
    await on.drain()
  },
  'a message with a time is called off': async on => {
    const scheduledFor = new Date(world.clock.now().getTime() + hour).toISOString()
    const { body } = await world.send({ to: 'ivy@example.com', scheduledFor }, { key: on.project.secretKey })
    const { status } = await on.call('POST', `/emails/${body.data.emails[0].email}/cancel`)
    expect(status).toBe(200)
  },
  'what waits fails because the project may not send': async on => {
    await sendTo(on, ['hal@example.com', `bounce@${simulatorDomain}`])
    const waiting = await world.ctx.sql<{ id: string }[]>`
      select id from emails where project_id = ${on.project.id} and campaign_id is null and status = 'PENDING'`
    const ids = waiting.map(({ id }) => id)
    expect(await failPending(world.ctx, ids, 'projectDisabled')).toHaveLength(ids.length)
    await on.drain()
  },
}

async function sendTo(on: CampaignWorld, to: string | string[], more = {}): Promise<void> {
  const { status } = await world.send({ to, ...more }, { key: on.project.secretKey })
  expect(status).toBe(200)
}

/** A report, twice, about each `step`-th message of the project, of all kinds in turn. */
async function reportAll(on: CampaignWorld, step: number): Promise<void> {
  const { id: projectId } = on.project
  const rows = await world.ctx.sql<{ id: string }[]>`
    select id from emails where project_id = ${projectId} order by id desc`
  const at = world.clock.now()
  const reports = rows
    .filter((_, n) => n % step === 0)
    .map(
      ({ id }, n): DeliveryReport => ({
        projectId,
        emailId: id,
        kind: reportKinds[n % reportKinds.length]!,
        at,
        source: 'provider',
      }),
    )
  await applyReports(world.ctx, [...reports, ...reports])
}

test('the counts are those of the rows at any moment', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...Object.keys(steps)), { minLength: 4, maxLength: 12 }),
      async names => {
        const on = await campaignWorld(world)
        await on.contacts(2)
        for (const name of names) {
          await steps[name]!(on)
          await expectExact(on.project.id)
        }
        await on.drain()
        await rollUpEmailCounts(world.ctx)
        await expectExact(on.project.id)
      },
    ),
    { numRuns: 8 },
  )
})

test('every way in which messages change counts', async () => {
  const on = await campaignWorld(world)
  await on.contacts(3)
  for (const step of Object.values(steps)) {
    await step(on)
    await expectExact(on.project.id)
  }
  const [total] = (await selectDaysBySource(world.ctx, on.project.id, ever)).filter(
    row => row.sourceType === 'TRANSACTIONAL',
  )
  expect(total).toMatchObject({
    ...{ created: 11, sent: 7, bounced: 3, complained: 2, opened: 1, clicked: 1, failed: 2 },
  })
})

test('a message that is told to have come back while it is being refused counts once', async () => {
  const on = await campaignWorld(world)
  const sent = await world.send({ to: 'gone@example.com' }, { key: on.project.secretKey })
  const told = { projectId: on.project.id, emailId: sent.body.data.emails[0].email, kind: 'bounced' as const }
  world.mail.script(async () => {
    await applyReports(world.ctx, [{ ...told, at: world.clock.now(), source: 'provider' }])
    world.clock.advance(1_000)
    return refused('address')
  })
  await on.drain()
  await expectExact(on.project.id)
})

test('folding takes what is there once, also where two fold at a time', async () => {
  const on = await campaignWorld(world)
  await rollUpEmailCounts(world.ctx)
  for (let n = 0; n < 5; n++) await sendTo(on, `a${n}@example.com`)
  const rolledUp = await Promise.all([rollUpEmailCounts(world.ctx), rollUpEmailCounts(world.ctx)])
  expect(rolledUp[0]! + rolledUp[1]!).toBe(5)
  expect(await rollUpEmailCounts(world.ctx)).toBe(0)
  await expectExact(on.project.id)
})

test("where use can't be counted, nothing is rolled up either", async () => {
  const on = await campaignWorld(world)
  await rollUpEmailCounts(world.ctx)
  await sendTo(on, 'ada@example.com')
  const failing = async () => {
    throw new Error('no room')
  }
  await expect(rollUpEmailCounts(withHooks(world.ctx, onHook(usageRolledUp, failing)))).rejects.toThrow(
    'no room',
  )
  await expectExact(on.project.id)
  expect(await rollUpEmailCounts(world.ctx)).toBe(1)
  await expectExact(on.project.id)
})

test('hours of long ago are forgotten, days stay, and what happens to old messages still counts', async () => {
  const on = await campaignWorld(world)
  const sent = await world.send({ to: 'ada@example.com' }, { key: on.project.secretKey })
  const emailId: string = sent.body.data.emails[0].email
  const createdAt = world.clock.now()
  await on.drain()
  await rollUpEmailCounts(world.ctx)
  world.clock.advance(9 * day)
  await rollUpEmailCounts(world.ctx)
  const [{ left }] = await world.ctx.sql<[{ left: number }]>`
    select count(*) as left from email_hours where project_id = ${on.project.id}`
  expect(left).toBe(0)
  const { id: projectId } = on.project
  const at = world.clock.now()
  const told = { projectId, emailId, at, source: 'provider' as const }
  await applyReports(world.ctx, [
    { ...told, kind: 'opened' },
    { ...told, kind: 'clicked' },
  ])
  await rollUpEmailCounts(world.ctx)
  expect(await selectDays(world.ctx, projectId, ever)).toMatchObject([
    { day: createdAt.toISOString().slice(0, 10), created: 1, delivered: 1, opened: 1, clicked: 1 },
  ])
})

test('changes of one hour become one row, and those that come to nothing none', () => {
  const one = {
    projectId: 'p',
    sourceType: 'CAMPAIGN' as const,
    createdAt: new Date('2026-03-01T12:59:59.999Z'),
    toEmail: 'a@b.example',
  }
  expect(
    sumDayChanges([
      { ...one, sent: 1 },
      { ...one, sent: 1, failed: -1 },
    ]),
  ).toMatchObject([{ hour: '2026-03-01T12:00:00.000Z', isSimulated: false, sent: 2, failed: -1, created: 0 }])
  expect(
    sumDayChanges([
      { ...one, failed: 1 },
      { ...one, failed: -1 },
    ]),
  ).toEqual([])
})

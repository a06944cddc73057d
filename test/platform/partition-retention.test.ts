// Retention where events are split by month: a month that nobody keeps is dropped, whatever anybody still keeps stays, and the totals are true.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { retentionKinds } from '../../src/modules/oversight/privacy/kinds'
import { readPartitions } from '../../src/platform/db/partition/catalogue'
import { withMonths } from '../../src/platform/db/partition/jobs'
import { boundsOf } from '../../src/platform/db/partition/months'
import { splitTable } from '../../src/platform/db/partition/split'
import { monthWarnings } from '../../src/platform/db/partition/state'
import { monthlyTables } from '../../src/platform/db/partition/tables'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { buildApp } from '../../src/server/app'
import type { MadeProject } from '../support/make'
import { request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let app: AnyElysia
let [loose, strict]: MadeProject[] = []
const moments = ['2026-02-01', '2026-03-10', '2026-04-05', '2026-04-20', '2026-05-10']

beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
  loose = world.project
  strict = await world.newProject()
  await withMonths(world.ctx, session => splitTable(session, monthlyTables[0]!, world.clock.now(), () => {}))
  for (const moment of moments) {
    world.clock.set(new Date(moment))
    for (const { publicKey } of [loose, strict])
      await request(app, 'POST', '/v1/track', {
        key: publicKey,
        body: { email: 'ada@example.com', event: 'seen' },
      })
  }
})
afterAll(() => world.close())

async function keep(project: MadeProject, eventsDays: number | null): Promise<void> {
  const path = `/projects/${project.id}/retention`
  const { status } = await request(app, 'PUT', path, { key: project.secretKey, body: { eventsDays } })
  expect(status).toBe(200)
}

async function sweepAt(moment: string): Promise<void> {
  world.clock.set(new Date(moment))
  await enqueue(world.ctx, retentionKinds.startDue, {})
  await world.drain()
}

const parts = async () =>
  (await readPartitions(world.ctx.sql, 'events')).map(({ name }) => name.slice(7)).slice(0, 3)

/** The days of the events that are there, and how many the totals say there are. */
async function seen({ id, secretKey }: MadeProject): Promise<{ days: string[]; counted: number }> {
  const rows = await world.ctx.sql<{ day: string }[]>`
    select created_at::date::text as day from events where project_id = ${id} and name = 'seen' order by 1`
  const { body } = await request(app, 'GET', '/events/seen/usage', { key: secretKey })
  return { days: rows.map(({ day }) => day), counted: body.totalCount }
}

test('a month stays as long as one project keeps it', async () => {
  await keep(strict!, 30)
  await sweepAt('2026-05-12')
  expect(await parts()).toEqual(['first', '2026_04', '2026_05'])
  expect(await seen(strict!)).toEqual({ days: ['2026-04-20', '2026-05-10'], counted: 2 })
  expect(await seen(loose!)).toEqual({ days: moments, counted: 5 })
})

test('one that all have passed is dropped, and the totals go down with it', async () => {
  await keep(loose!, 45)
  await sweepAt('2026-05-13')
  await sweepAt('2026-05-20')
  // Until 5 April everything is passed: the first partition went, and an empty one has its place.
  expect(await parts()).toEqual(['first', '2026_04', '2026_05'])
  expect((await world.ctx.sql`select from events_first`).count).toBe(0)
  expect(await seen(loose!)).toEqual({ days: moments.slice(2), counted: 3 })
  await sweepAt('2026-06-30')
  expect(await parts()).toEqual(['first', '2026_05', '2026_06'])
  expect(await seen(loose!)).toEqual({ days: [], counted: 0 })
  // A row of any time has its place.
  await world.ctx.sql`
    insert into events (id, project_id, name, created_at) values ('01000000-0000-7000-8000-000000000000', ${loose!.id}, 'old', now())`
})

test('a run that was killed when the month had left is finished by the next one', async () => {
  await world.ctx.sql.unsafe('delete from events where name = $1', ['old'])
  world.clock.set(new Date('2026-06-30T12:00:00Z'))
  await request(app, 'POST', '/v1/track', {
    key: loose!.publicKey,
    body: { email: 'ada@example.com', event: 'seen' },
  })
  // Where a run was killed, the month says already that it is to be dropped.
  await world.ctx.sql`comment on table events_2026_06 is 'waxwing: nobody keeps these events any more'`
  await world.ctx.sql.unsafe('alter table events detach partition events_2026_06 concurrently')
  expect(await seen(loose!)).toEqual({ days: [], counted: 1 })
  await sweepAt('2026-07-01')
  expect(await seen(loose!)).toEqual({ days: [], counted: 0 })
  expect(await world.ctx.sql`select to_regclass('events_2026_06')::text as name`).toMatchObject([
    { name: null },
  ])
})

test('a month that somebody detached by hand is left alone', async () => {
  world.clock.set(new Date('2026-07-01T06:00:00Z'))
  await request(app, 'POST', '/v1/track', {
    key: loose!.publicKey,
    body: { email: 'ada@example.com', event: 'kept elsewhere' },
  })
  const { sql } = world.ctx
  await sql.unsafe('alter table events detach partition events_2026_07 concurrently')
  await sweepAt('2026-07-02')
  expect(await sql`select name from events_2026_07`).toMatchObject([{ name: 'kept elsewhere' }])
  await sql`delete from events_2026_07`
  await sql`
    insert into event_deltas (project_id, name, day, count)
    values (${loose!.id}, 'kept elsewhere', '2026-07-01', -1)`
  const bounds = boundsOf(new Date('2026-07-01'), new Date('2026-08-01'))
  await sql.unsafe(`alter table events attach partition events_2026_07 ${bounds}`)
})

test('one that was killed while the month was leaving, because somebody was reading, is finished too', async () => {
  world.clock.set(new Date('2026-07-01T12:00:00Z'))
  await request(app, 'POST', '/v1/track', {
    key: loose!.publicKey,
    body: { email: 'ada@example.com', event: 'seen' },
  })
  const reader = await world.database.sql.reserve()
  try {
    await reader`begin`
    await reader`select from events limit 1`
    const session = await world.database.sql.reserve()
    await session`set statement_timeout = '200ms'`
    await expect(
      session.unsafe('alter table events detach partition events_2026_07 concurrently'),
    ).rejects.toThrow('statement timeout')
    await session`reset statement_timeout`
    session.release()
  } finally {
    await reader`rollback`
    reader.release()
  }
  expect(await monthWarnings(world.ctx.sql, world.clock.now())).toEqual([
    expect.stringContaining('events_2026_07 was to be dropped'),
  ])
  expect(await seen(loose!)).toEqual({ days: [], counted: 1 })
  await sweepAt('2026-08-02')
  expect(await seen(loose!)).toEqual({ days: [], counted: 0 })
  expect(await monthWarnings(world.ctx.sql, world.clock.now())).toEqual([])
})

test('with RETENTION_BY_MONTH events stay until their month is over', async () => {
  Object.assign(world.ctx, { config: { ...world.ctx.config, retentionByMonth: true } })
  await keep(strict!, null)
  for (const moment of ['2026-09-10', '2026-10-10', '2026-10-20']) {
    world.clock.set(new Date(moment))
    await request(app, 'POST', '/v1/track', {
      key: loose!.publicKey,
      body: { email: 'ada@example.com', event: 'seen' },
    })
  }
  await sweepAt('2026-11-01')
  expect((await seen(loose!)).days).toEqual(['2026-09-10', '2026-10-10', '2026-10-20'])
  await sweepAt('2026-11-14')
  expect((await seen(loose!)).days).toEqual(['2026-09-10', '2026-10-10', '2026-10-20'])
  await sweepAt('2026-11-15')
  expect((await seen(loose!)).days).toEqual(['2026-10-10', '2026-10-20'])
})

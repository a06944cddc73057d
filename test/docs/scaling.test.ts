// What the product does where events and e-mails are split by month, as docs/scaling.md says. The clock goes on to the next month in between,
// so that rows are in several of them. `TEST_PARTITIONED=1 bun scripts/test.ts` runs any other test like that.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selectClosedProjects } from '../../src/modules/accounts/projects/queries'
import { listEvents } from '../../src/modules/audience/events'
import type { EventListing } from '../../src/modules/audience/events/queries'
import { expandCampaign } from '../../src/modules/features/campaigns/sending/service/expand'
import { dump } from '../../src/platform/backup/dump'
import { filesBelow } from '../../src/platform/backup/files'
import { load } from '../../src/platform/backup/load'
import { makeProgress } from '../../src/platform/backup/progress'
import { readBackup } from '../../src/platform/backup/reader'
import { migrations } from '../../src/platform/db/migrations'
import { withMonths } from '../../src/platform/db/partition/jobs'
import { splitTable } from '../../src/platform/db/partition/split'
import { monthlyTables } from '../../src/platform/db/partition/tables'
import { buildApp } from '../../src/server/app'
import { jobHandlers } from '../../src/server/jobs'
import { cloneDatabase } from '../support/database'
import { drain } from '../support/drain'
import type { MadeProject } from '../support/make'
import { type Answer, request } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

const month = 31 * 86_400_000

let world: World
let app: ReturnType<typeof buildApp>
let other: MadeProject

beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
  other = await world.newProject()
  await send(world.project, 'before@example.com')
  await send(other, 'before@example.com')
  await withMonths(world.ctx, async session => {
    for (const table of monthlyTables) await splitTable(session, table, world.clock.now(), () => {})
  })
})
afterAll(() => world.close())

const call = (project: MadeProject, method: string, path: string, body?: unknown): Promise<Answer> =>
  request(app, method, path, { key: project.secretKey, body })

async function send(project: MadeProject, to: string): Promise<void> {
  const mail = { to, from: sender, subject: 'Hi', body: '<p>Hi</p>', subscribed: true }
  expect((await call(project, 'POST', '/v1/send', mail)).status).toBe(200)
  await drain(world.ctx, jobHandlers(world.ctx))
}

async function partitionsOf(table: string, project: MadeProject): Promise<number> {
  const [row] = await world.database.sql<{ count: number }[]>`
    select count(distinct tableoid)::int from ${world.database.sql(table)} where project_id = ${project.id}`
  return row!.count
}

test('mail, events and lists go on over the border of a month', async () => {
  world.clock.advance(month)
  for (const project of [world.project, other]) await send(project, 'after@example.com')
  for (const table of ['emails', 'events', 'email_attempts'])
    expect(await partitionsOf(table, world.project)).toBe(2)
  const { body } = await call(world.project, 'GET', '/emails')
  expect(body.data.map(({ to, status }: Record<string, string>) => [to, status])).toEqual([
    ['after@example.com', 'DELIVERED'],
    ['before@example.com', 'DELIVERED'],
  ])
  const names = (await call(world.project, 'GET', '/events')).body
  expect(JSON.stringify(names)).toContain('email.delivery')
})

test('a campaign reaches everybody once', async () => {
  const draft = { name: 'N', subject: 'S', body: '<p>B</p>', from: sender, audienceType: 'ALL' }
  const { id } = (await call(world.project, 'POST', '/campaigns', draft)).body.data
  expect((await call(world.project, 'POST', `/campaigns/${id}/send`)).status).toBe(200)
  await drain(world.ctx, jobHandlers(world.ctx))
  const stats = (await call(world.project, 'GET', `/campaigns/${id}/stats`)).body
  expect(stats).toMatchObject({ status: 'SENT', totalRecipients: 2, deliveredCount: 2 })
})

test('a campaign that is expanded again in another month writes to nobody twice', async () => {
  const draft = { name: 'Again', subject: 'S', body: '<p>B</p>', from: sender, audienceType: 'ALL' }
  const { id } = (await call(world.project, 'POST', '/campaigns', draft)).body.data
  expect((await call(world.project, 'POST', `/campaigns/${id}/send`)).status).toBe(200)
  const ids = { projectId: world.project.id, campaignId: id }
  const expand = () => expandCampaign(world.ctx, ids, { signal: new AbortController().signal })
  await expand()
  // As if the rows were there and the cursor were not.
  await world.ctx.sql`update campaigns set is_expanded = false, expanded_to = null where id = ${id}`
  await world.ctx.sql`delete from campaign_slices where campaign_id = ${id}`
  world.clock.advance(month)
  await expand()
  await drain(world.ctx, jobHandlers(world.ctx))
  const rows = await world.ctx.sql`select to_email, status from emails where campaign_id = ${id} order by 1`
  expect(rows.map(row => [row['to_email'], row['status']])).toEqual([
    ['after@example.com', 'DELIVERED'],
    ['before@example.com', 'DELIVERED'],
  ])
})

test('pages of a list come in order and whole, however many months they are of', async () => {
  const { ctx } = world
  const now = world.clock.now()
  const contactId = ctx.random.uuid(now)
  const at = (index: number): Date => new Date(now.getTime() - index * 20 * 86_400_000)
  for (let index = 0; index < 9; index++) {
    const [id, when] = [ctx.random.uuid(at(index)), at(index)]
    await ctx.sql`
      insert into events (id, project_id, name, contact_id, created_at)
      values (${id}::uuid, ${world.project.id}::uuid, 'seen', ${contactId}::uuid, ${when}::timestamptz)`
  }
  for (const of of [{ name: 'seen' }, { contactId }]) {
    const seen: Date[] = []
    for (let after: EventListing['after'] = null; ; ) {
      const { rows } = await listEvents(ctx, world.project.id, { of, after, limit: 2 })
      seen.push(...rows.slice(0, 2).map(({ createdAt }) => createdAt))
      if (rows.length < 3) break
      after = rows[1]!
    }
    expect(seen).toEqual(Array.from({ length: 9 }, (_, index) => at(index)))
  }
})

test('a backup holds the rows of all months, and is restored into a database without them', async () => {
  const parts: Buffer[] = []
  const sink = {
    write: async (bytes: Uint8Array) => void parts.push(Buffer.from(bytes)),
    finish: async () => {},
    abandon: async () => {},
  }
  const progress = makeProgress('test')
  const about = { program: '0.1.0', madeAt: world.clock.now().toISOString(), secretMarks: null }
  const files = filesBelow(join(tmpdir(), 'waxwing-no-such-folder'))
  const { tables } = await dump(world.database.sql, sink, { about, files, secrets: undefined, progress })
  const copy = await cloneDatabase({ empty: true })
  try {
    const backup = await readBackup(piecesOf(parts))
    const loaded = await load(copy.sql, backup, {
      ...{ migrations, now: world.clock.now(), verify: true, replace: false, progress },
      ...{ filesFolder: '/nowhere', onSecrets: async () => {}, beforeCommit: async () => {} },
    })
    expect(loaded.leftOut).toEqual([])
    const [rows] = await copy.sql`select count(*)::int as count from events`
    expect(rows!['count']).toBe(tables['events']!.rows)
    expect(Object.keys(tables).filter(name => name.startsWith('events'))).toEqual(['events'])
  } finally {
    await copy.drop()
  }
})

async function* piecesOf(parts: Buffer[]): AsyncGenerator<Uint8Array> {
  yield* parts
}

test('a reset empties one project in every month, and no row of another', async () => {
  const count = async (project: MadeProject): Promise<number> => {
    const [row] = await world.database.sql<{ count: number }[]>`
      select (select count(*) from emails where project_id = ${project.id}) +
             (select count(*) from events where project_id = ${project.id}) as count`
    return Number(row!.count)
  }
  const before = await count(other)
  expect(before).toBeGreaterThan(4)
  const path = `/users/@me/projects/${world.project.id}/reset`
  expect((await call(world.project, 'POST', path)).status).toBe(200)
  world.clock.advance(60_000)
  await drain(world.ctx, jobHandlers(world.ctx))
  expect(await selectClosedProjects(world.ctx, 10)).toEqual([])
  expect(await count(world.project)).toBe(0)
  expect(await count(other)).toBe(before)
})

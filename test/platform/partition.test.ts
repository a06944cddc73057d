// Splitting events, messages and attempts by month: while mail is sent, killed at any statement, and looked after from then on.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type postgres from 'postgres'
import { partition } from '../../src/cli/partition'
import { migrate } from '../../src/platform/db/migrate'
import type { MigrationSession } from '../../src/platform/db/migration/session'
import { migrations } from '../../src/platform/db/migrations'
import { readIndexes, readPartitions } from '../../src/platform/db/partition/catalogue'
import { withMonths } from '../../src/platform/db/partition/jobs'
import { monthKinds } from '../../src/platform/db/partition/kinds'
import { previewSplit } from '../../src/platform/db/partition/preview'
import { abandonOverdue, splitTable } from '../../src/platform/db/partition/split'
import { monthWarnings } from '../../src/platform/db/partition/state'
import { monthlyTables } from '../../src/platform/db/partition/tables'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { silentLogger } from '../../src/platform/log'
import { buildApp } from '../../src/server/app'
import { pass } from '../../src/server/checks/check'
import { databaseChecks } from '../../src/server/checks/database'
import { cloneDatabase } from '../support/database'
import { request } from '../support/request'
import { makeWorld, type World } from '../support/world'

const names = monthlyTables.map(({ name }) => name)
const [events] = monthlyTables as [(typeof monthlyTables)[0]]
const begin = new Date('2026-03-01T12:00:00Z')

const worlds: World[] = []
async function newWorld(): Promise<World> {
  const world = await makeWorld()
  worlds.push(world)
  return world
}
let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterAll(async () => {
  for (const { close } of worlds) await close()
})

const alone = <T>(of: World, work: (session: MigrationSession) => Promise<T>): Promise<T> =>
  withMonths({ sql: of.ctx.sql, log: silentLogger }, work)

async function split(of: World): Promise<string[]> {
  const said: string[] = []
  await alone(of, async session => {
    for (const table of monthlyTables)
      await splitTable(session, table, of.clock.now(), line => void said.push(line))
  })
  return said
}

async function sendAt(of: World, at: Date, to: string): Promise<string> {
  const now = of.clock.now()
  of.clock.set(at)
  const id = await of.sendOne({ to })
  await of.drain()
  of.clock.set(now)
  return id
}

/** Rows of each partition that has any. */
async function spread(of: World, table: string): Promise<Record<string, number>> {
  const { sql } = of.ctx
  const rows = await sql<{ part: string; count: number }[]>`
    select tableoid::regclass::text as part, count(*)::int as count from ${sql(table)} group by 1 order by 1`
  return Object.fromEntries(rows.map(({ part, count }) => [part, count]))
}

test('a table is split while mail is sent, and every row is in its month', async () => {
  await sendAt(world, new Date('2026-02-03T00:00:00Z'), 'before@example.com')
  await sendAt(world, new Date('2026-05-20T00:00:00Z'), 'ahead@example.com')
  await sendAt(world, new Date('2031-01-01T00:00:00Z'), 'far@example.com')
  let isOver = false
  const sent: string[] = []
  const sending = (async () => {
    for (let n = 0; !isOver || n < 5; n++) {
      sent.push(await world.sendOne({ to: `during${n}@example.com` }))
      await world.drain()
    }
  })()
  const said = await split(world)
  isOver = true
  await sending
  expect(said.map(line => line.replace(/\d+ ms/, 'n ms'))).toEqual(
    names.map(name => `${name}: split; it was locked for n ms at most`),
  )
  for (const id of sent) expect(await world.email(id)).toMatchObject({ status: 'DELIVERED' })
  expect(await spread(world, 'emails')).toEqual({
    ...{ emails_first: sent.length + 1, emails_2026_05: 1, emails_rest: 1 },
  })
  expect(Object.keys(await spread(world, 'events'))).toEqual([
    'events_2026_05',
    'events_first',
    'events_rest',
  ])
  expect(await spread(world, 'email_attempts')).toMatchObject({ email_attempts_rest: 1 })
  const { body } = await world.call('GET', '/emails?limit=3')
  expect(body.data[0]).toMatchObject({ to: 'far@example.com', status: 'DELIVERED' })
})

test('the new table has what the old one had', async () => {
  const plain = await cloneDatabase()
  const about = async (sql: postgres.Sql) => {
    const indexes = await Promise.all(names.map(name => readIndexes(sql, name)))
    const checks = await sql`
      select conrelid::regclass::text as of, conname, pg_get_constraintdef(oid) as says from pg_constraint
       where contype = 'c' and conrelid::regclass::text = any(${names}::text[]) order by 1, 2`
    return { indexes: indexes.flat().map(index => [index.name, index.columns.join()]), checks: [...checks] }
  }
  try {
    const [before, after] = [await about(plain.sql), await about(world.database.sql)]
    // PostgreSQL keeps these two within a month alone.
    const lost = ['emails_campaign', 'emails_provider_id']
    expect(after.indexes).toEqual(before.indexes.filter(([name]) => !lost.includes(name!)))
    expect(after.checks).toEqual(before.checks)
    for (const { name } of await readPartitions(world.database.sql, 'emails')) {
      const own = (await readIndexes(world.database.sql, name)).filter(({ isPart }) => !isPart)
      expect(own.map(index => index.name)).toEqual(lost.map(index => index + name.slice('emails'.length)))
      const [row] = await world.database.sql`select reloptions from pg_class where oid = ${name}::regclass`
      expect(row!['reloptions']).toEqual(['fillfactor=50'])
    }
  } finally {
    await plain.drop()
  }
})

test('months are made ahead of time, and what a clock had made too early gets its place', async () => {
  expect(await monthWarnings(world.ctx.sql, begin)).toEqual([
    expect.stringContaining('events_rest holds rows from beyond the last month'),
    expect.stringContaining('emails_rest holds rows'),
    expect.stringContaining('email_attempts_rest holds rows'),
  ])
  const now = world.clock.now()
  const months = async () => (await readPartitions(world.ctx.sql, 'emails')).map(({ name }) => name.slice(7))
  const made = ['first', ...[4, 5, 6, 7, 8, 9].map(month => `2026_0${month}`), 'rest']
  expect(await months()).toEqual(made)
  const makeAt = async (at: string) => {
    world.clock.set(new Date(at))
    await enqueue(world.ctx, monthKinds.create, {})
    await world.drain()
  }
  await makeAt('2026-06-30T00:00:00Z')
  expect(await months()).toEqual(made)
  await makeAt('2026-07-01T00:00:00Z')
  expect(await months()).toEqual([...made.slice(0, -1), '2026_10', '2026_11', '2026_12', '2027_01', 'rest'])
  await makeAt('2030-11-01T00:00:00Z')
  expect(await spread(world, 'emails')).toMatchObject({ emails_2031_01: 1 })
  expect(await monthWarnings(world.ctx.sql, world.clock.now())).toEqual([])
  const ofMonths = databaseChecks(world.ctx.config, world.ctx, true).find(({ about }) => about === 'months')!
  expect(await ofMonths.run()).toEqual([pass('months', 'events, emails, email_attempts have their months')])
  world.clock.set(new Date('2031-05-01T00:00:00Z'))
  const { body } = await request(buildApp(world.ctx), 'GET', '/health')
  expect(body.warnings).toEqual(
    names.map(name => expect.stringContaining(`${name} has no partition for the next month (2031_06)`)),
  )
  world.clock.set(now)
})

/** Lets so many statements through, and then ends the connection as a kill would. */
function killedAfter(session: MigrationSession, statements: number): MigrationSession {
  let left = statements
  const guard = <F extends (...given: never[]) => unknown>(call: F): F =>
    ((...given: never[]) => {
      if (left-- <= 0) throw new Error('killed')
      return call(...given)
    }) as F
  const wrap = <S extends postgres.Sql | postgres.TransactionSql>(sql: S): S =>
    new Proxy(sql, {
      apply: (target, self, given) =>
        Array.isArray(given[0]) && 'raw' in given[0]
          ? guard((...all: never[]) => Reflect.apply(target as never, self, all))(...(given as never[]))
          : Reflect.apply(target as never, self, given),
      get(target, name) {
        const value = Reflect.get(target, name)
        if (name === 'unsafe') return guard((value as typeof target.unsafe).bind(target) as never)
        if (name === 'begin')
          return (work: (tx: postgres.TransactionSql) => unknown) =>
            (target as postgres.Sql).begin(tx => work(wrap(tx)))
        return value
      },
    }) as S
  return { ...session, sql: wrap(session.sql) }
}

test('a run that is killed at any statement goes on when it is begun again', async () => {
  const other = await newWorld()
  await sendAt(other, new Date('2026-02-03T00:00:00Z'), 'before@example.com')
  await sendAt(other, new Date('2026-08-01T00:00:00Z'), 'ahead@example.com')
  const count = async () => (await other.ctx.sql`select from events`).count
  const before = await count()
  let kills = 0
  for (let statements = 0; ; statements++) {
    try {
      await alone(other, session =>
        splitTable(killedAfter(session, statements), events, other.clock.now(), () => {}),
      )
      break
    } catch (error) {
      expect((error as Error).message).toBe('killed')
      kills++
    }
    // Whatever was done so far, the program goes on.
    await other.sendOne({ to: `kill${statements}@example.com` })
  }
  expect(kills).toBeGreaterThan(30)
  expect(await count()).toBeGreaterThanOrEqual(before)
  await other.drain()
  expect(await spread(other, 'events')).toMatchObject({
    events_first: expect.any(Number),
    events_2026_08: expect.any(Number),
  })
  const indexes = await readIndexes(other.database.sql, 'events')
  expect(indexes.map(({ name }) => name)).toEqual(['events_contact', 'events_name', 'events_pkey'])
  expect((await other.ctx.sql`select from events`).count).toBeGreaterThan(before + kills)
})

test('one that nobody begins again is given up before its month is over, and gives back what it put aside', async () => {
  const other = await newWorld()
  await sendAt(other, new Date('2026-08-01T00:00:00Z'), 'ahead@example.com')
  const count = async () => (await other.ctx.sql`select from events`).count
  const before = await count()
  const stop = alone(other, session => splitTable(killedAfter(session, 14), events, begin, () => {}))
  await expect(stop).rejects.toThrow('killed')
  expect(await count()).toBeLessThan(before)
  expect(await monthWarnings(other.ctx.sql, begin)).toEqual([
    expect.stringContaining('splitting events was begun'),
  ])
  await alone(other, session => abandonOverdue(session, new Date('2026-03-28T00:00:00Z')))
  expect(await count()).toBeLessThan(before)
  await alone(other, session => abandonOverdue(session, new Date('2026-03-29T00:00:00Z')))
  expect(await count()).toBe(before)
  expect(await monthWarnings(other.ctx.sql, begin)).toEqual([])
})

test('what would be lost or can not be done is said, and nothing is done', async () => {
  const other = await newWorld()
  const { sql } = other.database
  const hindrances = async (on = sql) => (await previewSplit(on, ['events'], begin)).hindrances
  expect(await hindrances()).toEqual([])
  await sql`create table notes_of_events (project_id uuid, id uuid, foreign key (project_id, id) references events (project_id, id))`
  await sql`create view newest_events as select * from events`
  await sql`create function f() returns trigger language plpgsql as 'begin return new; end'`
  await sql`create trigger listens before insert on events for each row execute function f()`
  await sql`create table events_2026_04 ()`
  expect((await hindrances()).map(words => words.split(':')[0])).toEqual([
    'there are tables already that its parts would be called after',
    "foreign keys from or to events, none of which Waxwing makes, can't be carried over",
    'events has triggers that the months would not have',
    'views read events and would go on with the first part alone',
  ])
  await sql`drop table notes_of_events, events_2026_04`
  await sql`drop view newest_events`
  await sql`drop trigger listens on events`
  const role = `reader_${process.pid}`
  await sql`create role ${sql(role)}`
  try {
    await sql.begin(async tx => {
      await tx`set local role ${tx(role)}`
      expect(await hindrances(tx as unknown as postgres.Sql)).toEqual([
        expect.stringContaining('events belongs to'),
        expect.stringContaining('may not make tables'),
      ])
    })
  } finally {
    await sql`drop role ${sql(role)}`
  }
})

test('a later migration makes, drops and fills what it names on every month', async () => {
  const { sql } = world.database
  const step = (tag: string, statement: string) => ({ tag, sql: `-- waxwing: stepwise\n${statement};\n` })
  const later = [
    step('9001_subject', 'create index concurrently emails_subject on emails (project_id, subject)'),
    step(
      '9002_message',
      'create unique index concurrently emails_message on emails (message_id) where attempts > 5',
    ),
    step('9003_packed', 'alter table emails set (fillfactor = 70)'),
    step(
      '9004_drop',
      'drop index concurrently if exists emails_template;\ndrop index concurrently if exists emails_message',
    ),
    step(
      '9005_rule',
      'alter table emails add constraint emails_tries check (attempts < 1000) not valid;\nalter table emails validate constraint emails_tries',
    ),
    { tag: '9006_column', sql: 'alter table emails add column note text' },
  ]
  await migrate(sql, [...migrations, ...later.slice(0, 2)], begin)
  const valid = await sql`
    select from pg_index where indexrelid = 'emails_subject'::regclass and indisvalid`
  expect(valid.count).toBe(1)
  const parts = await readPartitions(sql, 'emails')
  const indexes = async (like: string) =>
    (await sql`select from pg_class where relname like ${like} and relkind in ('i', 'I')`).count
  expect(await indexes('emails\\_subject%')).toBe(parts.length + 1)
  expect(await indexes('emails\\_message%')).toBe(parts.length)
  await migrate(sql, [...migrations, ...later], begin)
  expect(await indexes('emails\\_message%')).toBe(0)
  expect(await indexes('emails\\_template%')).toBe(0)
  const packed =
    await sql`select from pg_class where relname like 'emails\\_%' and reloptions = '{fillfactor=70}'`
  expect(packed.count).toBe(parts.length)
  await world.sendOne({ to: 'later@example.com' })
})

async function command(url: string, ...words: string[]) {
  const child = Bun.spawn([process.execPath, 'src/main.ts', 'partition', ...words], {
    cwd: join(import.meta.dir, '../..'),
    env: { PATH: process.env.PATH, DATABASE_URL: url, DATA_DIR: '/nonexistent' },
    stdout: 'pipe',
    stderr: 'pipe',
    stdin: 'ignore',
  })
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { stdout, stderr, code: await child.exited }
}

test('the command says what it will do, does it beside others, and lists the months', async () => {
  const other = await cloneDatabase()
  const run = (...words: string[]) => command(other.url, ...words)
  try {
    const dry = await run('--dry-run')
    expect(dry.stdout).toContain('events (about 0 rows): read once beside everybody')
    expect(dry.stdout).toContain('nothing was changed')
    expect(dry.code).toBe(0)
    const done = await run('events', '--yes')
    expect(done.stdout).toMatch(/events: split; it was locked for \d+ ms at most/)
    expect(done.stdout).toMatch(/events_first +… +to \d{4}-\d\d-01 {2}about 0 rows, \d+ kB/)
    expect(done.stdout).not.toContain('emails')
    await expect(partition(['contacts', '--yes'])).rejects.toThrow('contacts is not split by month')
  } finally {
    await other.drop()
  }
})

test('a database of somebody else is refused', async () => {
  const empty = await cloneDatabase({ empty: true })
  const { stderr, code } = await command(empty.url, '--yes')
  expect(stderr).toContain('there is no Waxwing in the database')
  expect(code).toBe(1)
  await empty.drop()
})

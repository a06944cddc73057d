// How migrations are applied, on a real server: one by one, never long in anybody's way, whatever is killed in the middle.
import { afterEach, describe, expect, test } from 'bun:test'
import type postgres from 'postgres'
import { openDatabase } from '../../src/platform/db/client'
import { applyMigrations, type MigrateOptions, type Migration, migrate } from '../../src/platform/db/migrate'
import { backfillJobs } from '../../src/platform/db/migration/jobs'
import { backfillKinds } from '../../src/platform/db/migration/kinds'
import { migrations } from '../../src/platform/db/migrations'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { handlerTable } from '../../src/platform/jobs/kind'
import { type Logger, silentLogger } from '../../src/platform/log'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { drain } from '../support/drain'
import { until } from '../support/until'

const now = new Date('2026-03-01T12:00:00.000Z')
const hasty = { lockTimeoutMs: 100, pauseMs: 20, forMs: 60_000 }

const letters: Migration = {
  tag: '9000_letters',
  sql: `create table letters (id int primary key, body text, size int);
        insert into letters select n, 'letter ' || n from generate_series(1, 2500) as n`,
}
const stepwise: Migration = {
  tag: '9001_steps',
  sql: `-- waxwing: stepwise
create index concurrently letters_body on letters (body);
--> statement-breakpoint
alter table letters add constraint letters_sized check (size is null or size > 0) not valid;
--> statement-breakpoint
alter table letters validate constraint letters_sized;
--> statement-breakpoint
drop index concurrently if exists letters_old;`,
}
const fill: Migration = {
  tag: '9002_fill',
  sql: `-- waxwing: backfill letters by id
update letters set size = char_length(body) where id = any($1::int[]) and size is null`,
}
const contract: Migration = {
  tag: '9003_sized',
  sql: `-- waxwing: after backfill 9002_fill
-- waxwing: minimum release 0.2.0
alter table letters alter column size set not null`,
}

const databases: TestDatabase[] = []

afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop()
})

async function database(): Promise<TestDatabase> {
  const made = await cloneDatabase({ max: 4 })
  databases.push(made)
  return made
}

function run(
  { sql }: TestDatabase,
  more: Migration[],
  given: Partial<MigrateOptions> = {},
): Promise<string[]> {
  return migrate(sql, [...migrations, ...more], now, given)
}

async function tags({ sql }: TestDatabase): Promise<string[]> {
  const rows = await sql<{ tag: string }[]>`select tag from schema_migrations where tag >= '9' order by tag`
  return rows.map(row => row.tag)
}

/** The lines of a log, for what a migration says while it waits. */
function keptLog(): Logger & { lines: string[] } {
  const lines: string[] = []
  const keep = (fields: object, message: string): void =>
    void lines.push(`${message} ${JSON.stringify(fields)}`)
  const logger = { ...silentLogger, info: keep, warn: keep, lines }
  return Object.assign(logger, { child: () => logger })
}

/** A session that holds `statement`'s locks until it is let go. */
async function holding({ url }: TestDatabase, statement: string): Promise<() => Promise<void>> {
  const { sql, close } = openDatabase(url, { max: 1 })
  await sql.unsafe(`begin; ${statement}`)
  return async () => {
    await sql.unsafe('commit')
    await close()
  }
}

async function waiting({ sql }: { sql: postgres.Sql }, words: string): Promise<number | undefined> {
  const [row] = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity
     where application_name = 'waxwing migrate' and datname = current_database() and wait_event_type = 'Lock'
       and position(${words} in query) > 0`
  return row?.pid
}

test('each migration stands by itself: what came before one that fails stays, and of that one nothing', async () => {
  const base = await database()
  const broken: Migration = { tag: '9001_broken', sql: 'create table half (id int); select 1 / 0' }
  await expect(run(base, [letters, broken])).rejects.toThrow('division by zero')
  expect(await tags(base)).toEqual(['9000_letters'])
  expect([...(await base.sql`select to_regclass('half') as half`)]).toEqual([{ half: null }])
  expect(await run(base, [letters, { ...broken, sql: 'create table whole (id int)' }])).toEqual([
    '9001_broken',
  ])
})

describe('a table that somebody holds', () => {
  const wider: Migration = { tag: '9001_wider', sql: 'alter table letters add column note text' }

  test('is waited for in short turns, in which others get theirs', async () => {
    const base = await database()
    await run(base, [letters])
    const release = await holding(base, 'select from letters limit 1')
    const log = keptLog()
    const migrating = run(base, [letters, wider], { log, patience: hasty })
    await until(
      'it has tried more than once',
      () => log.lines.filter(line => line.startsWith('waits')).length > 2,
    )
    expect(log.lines.find(line => line.startsWith('waits'))).toContain('open transactions: pid ')
    // Whoever reads stands in the queue behind it for one turn at most.
    expect([...(await base.sql`select count(*)::int as count from letters`)]).toEqual([{ count: 2500 }])
    await release()
    expect(await migrating).toEqual(['9001_wider'])
  })

  test('for too long makes it give up and say so, with nothing changed', async () => {
    const base = await database()
    await run(base, [letters])
    const release = await holding(base, 'select from letters limit 1')
    const patience = { ...hasty, forMs: 300 }
    await expect(run(base, [letters, wider], { patience })).rejects.toThrow(
      '9001_wider: a lock could not be had',
    )
    expect(await tags(base)).toEqual(['9000_letters'])
    await release()
    expect(await run(base, [letters, wider])).toEqual(['9001_wider'])
  })
})

describe('a stepwise migration', () => {
  const blockers = [
    ['create index concurrently', 'update letters set body = body where id = 1'],
    ['add constraint', 'select from letters limit 1'],
    ['validate constraint', 'lock table letters in share update exclusive mode'],
    ['drop index concurrently', 'update letters set body = body where id = 1'],
  ] as const

  test.each(blockers)('that is killed while it waits at "%s" goes on from there', async (words, blocker) => {
    const base = await database()
    await run(base, [letters])
    await base.sql`create index letters_old on letters (size)`
    const [before, after] = splitAt(words)
    if (before) await run(base, [letters], {}).then(() => halfDone(base, before))
    const release = await holding(base, blocker)
    const migrating = run(base, [letters, stepwise], { patience: { ...hasty, lockTimeoutMs: 60_000 } })
    const failure = migrating.then(
      () => undefined,
      error => error,
    )
    await until(`it waits at ${words}`, async () => (await waiting(base, words)) !== undefined)
    expect(await tags(base)).toEqual(['9000_letters'])
    await base.sql`select pg_terminate_backend(${(await waiting(base, words))!}::int)`
    expect(await failure).toBeInstanceOf(Error)
    await release()
    expect(await run(base, [letters, stepwise])).toEqual(['9001_steps'])
    await expectWhole(base)
    expect(after).toContain(words)
  })

  test('needs no step again that was done, and no index again whose note was lost', async () => {
    const base = await database()
    await run(base, [letters])
    await halfDone(base, stepwise.sql.slice(0, stepwise.sql.indexOf('alter table')))
    const [made] = await base.sql`select 'letters_body'::regclass::oid as oid`
    await base.sql`delete from schema_steps`
    await run(base, [letters, stepwise])
    expect([...(await base.sql`select 'letters_body'::regclass::oid as oid`)]).toEqual([made!])
    await expectWhole(base)
    expect([...(await base.sql`select from schema_steps`)]).toEqual([])
  })

  test("of two at once is done by one, while the other waits and is in nobody's way", async () => {
    const base = await database()
    await run(base, [letters])
    const release = await holding(base, 'update letters set body = body where id = 1')
    const [first, second] = [0, 1].map(() => openDatabase(base.url, { max: 1 }))
    const log = keptLog()
    const both = [first!, second!].map(client =>
      migrate(client.sql, [...migrations, letters, stepwise], now, { log }),
    )
    await until('one waits for the writer', async () => (await waiting(base, 'create index')) !== undefined)
    await until('the other for the one', () => log.lines.some(line => line.startsWith('another instance')))
    await release()
    expect((await Promise.all(both)).sort((a, b) => b.length - a.length)).toEqual([['9001_steps'], []])
    await expectWhole(base)
    for (const client of [first!, second!]) await client.close()
  })

  test('is done at once in a transaction of a restore', async () => {
    const base = await database()
    await base.sql.begin(tx => applyMigrations(tx, [...migrations, letters, stepwise], now))
    await expectWhole(base)
  })

  test.each([
    ['alter table letters add column more text'],
    ['create index letters_body on letters (body)'],
    ['alter table letters add constraint sized check (size > 0)'],
    ['vacuum letters'],
  ])('refuses "%s" before it does anything', async statement => {
    const base = await database()
    await run(base, [letters])
    const wrong = {
      tag: '9001_wrong',
      sql: `-- waxwing: stepwise\ndrop index concurrently if exists a;${statement}`,
    }
    await expect(run(base, [letters, wrong])).rejects.toThrow("can't be a step")
    expect([...(await base.sql`select from schema_steps`)]).toEqual([])
  })

  /** The statements before and from the one that has `words`. */
  function splitAt(words: string): [string, string] {
    const statements = stepwise.sql.split('--> statement-breakpoint')
    const at = statements.findIndex(text => text.includes(words))
    return [statements.slice(0, at).join(''), statements.slice(at).join('')]
  }

  /** As if killed behind `statements`: they fail at one more, and the notes stay. */
  async function halfDone(base: TestDatabase, statements: string): Promise<void> {
    const failing = { tag: stepwise.tag, sql: `${statements}alter table letters validate constraint none` }
    await expect(run(base, [letters, failing])).rejects.toThrow('does not exist')
  }

  async function expectWhole({ sql }: TestDatabase): Promise<void> {
    const indexes = await sql`
      select indexrelid::regclass::text as name from pg_index
       where indrelid = 'letters'::regclass and indisvalid and indisready order by 1`
    expect([...indexes]).toEqual([{ name: 'letters_body' }, { name: 'letters_pkey' }])
    const checks = await sql`
      select conname as name, convalidated as valid from pg_constraint where conrelid = 'letters'::regclass and contype = 'c'`
    expect([...checks]).toEqual([{ name: 'letters_sized', valid: true }])
  }
})

describe('a backfill', () => {
  test('is a job that fills page after page, and says how far it is', async () => {
    const base = await database()
    await base.sql`select 1`
    await run(base, [letters])
    await base.sql`analyze letters`
    expect(await run(base, [letters, fill])).toEqual(['9002_fill'])
    expect(await progress(base)).toEqual({ estimate: 2500, done: 0, ended: false })
    const { ctx } = testContext(base)
    await enqueue(ctx, backfillKinds.fill, {})
    const [ran] = await drain(ctx, handlerTable(backfillJobs([...migrations, letters, fill])))
    expect(ran?.outcome).toEqual({ type: 'completed' })
    expect(await progress(base)).toEqual({ estimate: 2500, done: 2500, ended: true })
    expect(await unfilled(base)).toBe(0)
  })

  test('that stands still is ended by the migration that needs it, from where it was', async () => {
    const base = await database()
    await run(base, [letters, fill])
    await base.sql`update backfills set cursor = '1000', done = 1000`
    await base.sql`update letters set size = 1 where id <= 1000`
    expect(await run(base, [letters, fill, contract])).toEqual(['9003_sized'])
    expect(await progress(base)).toMatchObject({ done: 2500, ended: true })
    expect([...(await base.sql`select min(size), max(size) from letters`)]).toEqual([{ min: 1, max: 11 }])
  })

  test('of a program that this one does not know is left alone', async () => {
    const base = await database()
    await run(base, [letters, fill])
    const { ctx } = testContext(base)
    await enqueue(ctx, backfillKinds.fill, {})
    const [ran] = await drain(ctx, handlerTable(backfillJobs(migrations)))
    expect(ran?.outcome).toEqual({ type: 'completed' })
    expect(await unfilled(base)).toBe(2500)
  })

  test('has nothing to do in an empty table', async () => {
    const base = await database()
    await run(base, [{ ...letters, sql: letters.sql.split(';')[0]! }, fill])
    expect(await progress(base)).toMatchObject({ done: 0, ended: true })
  })

  async function progress({ sql }: TestDatabase): Promise<unknown> {
    const [row] = await sql`select estimate, done, finished_at is not null as ended from backfills`
    return row
  }

  async function unfilled({ sql }: TestDatabase): Promise<number> {
    const [row] = await sql<
      { count: number }[]
    >`select count(*)::int as count from letters where size is null`
    return row!.count
  }
})

describe('a database that another version has changed', () => {
  test('is worked with while its changes only add, and the log says so', async () => {
    const base = await database()
    await run(base, [letters])
    const log = keptLog()
    expect(await migrate(base.sql, migrations, now, { log })).toEqual([])
    expect(log.lines).toEqual([
      'the database was changed by a newer version of Waxwing; this one goes on working beside it, and should be replaced soon {"migrations":["9000_letters"]}',
    ])
  })

  test('is refused from the release on that a contract step names', async () => {
    const base = await database()
    await run(base, [letters, fill, contract], { release: '0.2.0' })
    const at = (release: string): Promise<string[]> => migrate(base.sql, migrations, now, { release })
    await expect(at('0.1.9')).rejects.toThrow(
      'the database was changed by a newer version of Waxwing and needs 0.2.0 or later (migration 9003_sized); this is 0.1.9',
    )
    expect(await at('0.2.0')).toEqual([])
  })

  test('is refused where it lacks what this version has', async () => {
    const base = await database()
    await run(base, [letters])
    await expect(run(base, [{ tag: '9000_other', sql: 'select 1' }])).rejects.toThrow(
      'another version of Waxwing (migration 9000_letters) that lacks 9000_other of this one',
    )
  })
})

// What `waxwing migrate --plan` says, held against what PostgreSQL really locks, reads and rewrites; and what migrations of a release
// may do to tables that are in use.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Migration } from '../../src/platform/db/migrate'
import { effectOf, lockLevels, type Work } from '../../src/platform/db/migration/effects'
import { parseMigration } from '../../src/platform/db/migration/parse'
import { planOf, readTableSizes } from '../../src/platform/db/migration/plan'
import { migrations } from '../../src/platform/db/migrations'
import { cloneDatabase, type TestDatabase } from '../support/database'

let database: TestDatabase

beforeAll(async () => {
  database = await cloneDatabase({ empty: true, max: 1 })
  await database.sql.unsafe(`
    create table people (id int primary key, name text);
    create table letters (id int primary key, body text, size int, person int, old text, at date default now(),
      constraint sized check (size > 0), constraint named unique (old));
    alter table letters add constraint doubtful check (size < 1000) not valid;
    create index letters_old on letters (old);
    create unique index letters_body on letters (body);
    create function noted() returns trigger language plpgsql as 'begin return new; end';
    create trigger first_noted after insert on letters for each row execute function noted();
    insert into people select n, 'x' from generate_series(1, 500) n;
    insert into letters select n, n::text, n, n, n::text from generate_series(1, 500) n;
    analyze`)
})

afterAll(() => database.drop())

const modes: Record<string, (typeof lockLevels)[number]> = {
  RowExclusiveLock: 'ROW EXCLUSIVE',
  ShareUpdateExclusiveLock: 'SHARE UPDATE EXCLUSIVE',
  ShareLock: 'SHARE',
  ShareRowExclusiveLock: 'SHARE ROW EXCLUSIVE',
  AccessExclusiveLock: 'ACCESS EXCLUSIVE',
}

interface Seen {
  locks: Record<string, string>
  isRewritten: boolean
  isRead: boolean
}

/** Runs the statement in a transaction that is undone, and looks at what it held. */
async function observe(statement: string): Promise<Seen> {
  let seen: Seen | undefined
  const undo = new Error('undo')
  const tables = await database.sql<{ oid: number; name: string; file: number }[]>`
    select oid::int, relname as name, pg_relation_filenode(oid)::int as file from pg_class where relname in ('letters', 'people')`
  const letters = tables.find(({ name }) => name === 'letters')!
  await database.sql
    .begin(async tx => {
      // What a session counts is told to others later, and until then counts on.
      const rowsRead = async (): Promise<number> => {
        const [row] = await tx<{ read: number }[]>`
          select pg_stat_get_xact_tuples_returned(${letters.oid}::int::oid)::int as read`
        return row!.read
      }
      const before = await rowsRead()
      await tx.unsafe(statement)
      const held = await tx<{ oid: number; mode: string }[]>`
        select relation::int as oid, mode from pg_locks where locktype = 'relation' and pid = pg_backend_pid()`
      const [file] = await tx<{ file: number | null }[]>`
        select pg_relation_filenode(${letters.oid}::int::oid)::int as file`
      const isRead = (await rowsRead()) > before
      seen = {
        locks: strongest(tables, held),
        isRead,
        isRewritten: ![null, letters.file].includes(file!.file),
      }
      throw undo
    })
    .catch(error => {
      if (error !== undo) throw error
    })
  return seen!
}

function strongest(
  tables: { oid: number; name: string }[],
  held: { oid: number; mode: string }[],
): Record<string, string> {
  const levelsOf = (oid: number): number[] =>
    held
      .filter(lock => lock.oid === oid && modes[lock.mode])
      .map(({ mode }) => lockLevels.indexOf(modes[mode]!))
  return Object.fromEntries(
    tables.flatMap(({ oid, name }) => {
      const levels = levelsOf(oid)
      return levels.length > 0 ? [[name, lockLevels[Math.max(...levels)]!]] : []
    }),
  )
}

const statements: [statement: string, work: Work][] = [
  ['alter table letters add column note text', 'none'],
  ["alter table letters add column note text default 'x' not null", 'none'],
  ['alter table letters add column made timestamptz default now()', 'none'],
  ['alter table letters add column token uuid default gen_random_uuid()', 'rewrite'],
  ['alter table letters add column twice int generated always as (size * 2) stored', 'rewrite'],
  ['alter table letters add column number serial', 'rewrite'],
  ['alter table letters add column other int references people (id)', 'none'],
  ['alter table letters alter column size type bigint', 'rewrite'],
  ['alter table letters alter column size set not null', 'scan'],
  ['alter table letters alter column size drop not null', 'none'],
  ['alter table letters alter column size set default 1', 'none'],
  ['alter table letters alter column size set statistics 200', 'none'],
  ['alter table letters drop column old', 'none'],
  ['alter table letters rename column old to older', 'none'],
  ['alter table letters rename to mails', 'none'],
  ['alter table letters add constraint small check (size < 9999)', 'scan'],
  ['alter table letters add constraint small check (size < 9999) not valid', 'none'],
  ['alter table letters validate constraint doubtful', 'scan'],
  ['alter table letters drop constraint sized', 'none'],
  ['alter table letters add constraint letter_of foreign key (person) references people (id)', 'scan'],
  [
    'alter table letters add constraint letter_of foreign key (person) references people (id) not valid',
    'none',
  ],
  ['alter table letters add constraint one_each unique (person)', 'index'],
  ['alter table letters add constraint bodies unique using index letters_body', 'none'],
  ['alter table letters set (fillfactor = 80)', 'none'],
  [
    'ALTER TABLE "letters" ADD COLUMN "note" text, ADD COLUMN "more" numeric(10, 2) DEFAULT random()',
    'rewrite',
  ],
  ['create index letters_size on letters (size)', 'index'],
  [
    'CREATE UNIQUE INDEX "letters_size" ON "letters" USING btree ("size" DESC NULLS FIRST) WHERE size > 3',
    'index',
  ],
  ['drop index letters_old', 'none'],
  ['drop table letters', 'none'],
  ['truncate letters', 'none'],
  ["update letters set body = id || 'x'", 'rows'],
  ['delete from letters where size > 3', 'rows'],
  ["insert into letters (id, body) values (1000, 'x')", 'rows'],
  ['create trigger noted after update on letters for each row execute function noted()', 'none'],
  ['drop trigger first_noted on letters', 'none'],
]

describe('the plan knows what PostgreSQL does at', () => {
  test.each(statements)('%s', async (statement, work) => {
    const effect = effectOf(statement)
    const seen = await observe(statement)
    const named = effect.ofIndex ? [{ name: 'letters', lock: effect.tables[0]!.lock }] : effect.tables
    expect(Object.fromEntries(named.map(({ name, lock }) => [name, lock]))).toEqual(seen.locks as never)
    expect(effect.work).toBe(work)
    expect(effect.isUnknown ?? false).toBe(false)
    // TRUNCATE takes a new file and leaves the old one, which takes no time.
    if (!statement.startsWith('truncate')) expect(seen.isRewritten).toBe(work === 'rewrite')
    if (['none', 'scan', 'index'].includes(work)) expect(seen.isRead).toBe(work !== 'none')
  })

  test('and says so where it does not', () => {
    expect(effectOf('cluster letters using letters_old').isUnknown).toBe(true)
    expect(effectOf('alter table letters inherit people').isUnknown).toBe(true)
  })
})

describe('a plan', () => {
  const pending: Migration[] = [
    {
      tag: '9000_more',
      sql: 'create table notes (id int); create index notes_id on notes (id); alter table letters add column note text',
    },
    {
      tag: '9001_steps',
      sql: '-- waxwing: stepwise\ncreate index concurrently letters_size on letters (size)',
    },
    {
      tag: '9002_fill',
      sql: '-- waxwing: backfill letters by id\nupdate letters set note = body where id = any($1)',
    },
    { tag: '9003_less', sql: '-- waxwing: minimum release 0.3.0\nalter table letters drop column old' },
  ]

  test('tells statement by statement who waits, and what is final', async () => {
    const { lines, lost } = planOf(pending.map(parseMigration), await readTableSizes(database.sql))
    expect(lines.map(line => line.replace(/\d+ kB/, 'N kB'))).toEqual([
      '9000_more: 3 statements in one transaction, which keeps its locks to its end',
      '  1. create table notes (id int)',
      '     nobody waits: what it works on is new',
      '  2. create index notes_id on notes (id)',
      '     nobody waits: what it works on is new',
      '  3. alter table letters add column note text',
      '     letters (500 rows, N kB): nobody reads or writes (ACCESS EXCLUSIVE); for a moment',
      '9001_steps: 1 step, each by itself; goes on where it was stopped',
      '  1. create index concurrently letters_size on letters (size)',
      '     letters (500 rows, N kB): all read and write (SHARE UPDATE EXCLUSIVE); builds an index, for a moment',
      '9002_fill: a backfill of letters, page by page while everybody works',
      '  1. update letters set note = body where id = any($1)',
      '     letters (500 rows, N kB): rows are locked a page at a time (ROW EXCLUSIVE); changes rows, for a moment',
      '9003_less: 1 statement in one transaction, which keeps its locks to its end',
      '  1. alter table letters drop column old',
      '     letters (500 rows, N kB): nobody reads or writes (ACCESS EXCLUSIVE); for a moment',
    ])
    expect(lost).toEqual([
      '9002_fill: what the changed rows of letters held',
      '9003_less: the column old with what it holds (letters)',
      '9003_less: programs before 0.3.0 are refused from here on',
    ])
  })

  test.each([
    [
      'alter table letters alter column size type bigint',
      6e9,
      'rewrites the table and its indexes, about 3 minutes',
    ],
    ['alter table letters alter column size set not null', 6e9, 'reads every row, about 30 s'],
    ['create index a on letters (size)', 6e9, 'builds an index, about 25 s'],
    ["update letters set old = ''", 6e9, 'changes rows, about 8 minutes'],
    ['alter table letters alter column size type bigint', 6e11, 'about 5.6 hours'],
  ])('of "%s" grows with the table', (sql, bytes, words) => {
    const size = { name: 'letters', rows: 1e7, bytes, indexes: [] }
    expect(planOf([parseMigration({ tag: '9000_x', sql })], [size]).lines.join('\n')).toContain(words)
  })
})

describe('migrations after the first one', () => {
  test.each(migrations.slice(1).map(migration => [migration.tag, migration] as const))(
    '%s only adds, and makes nobody wait who works on large tables',
    (_tag, migration) => {
      const parsed = parseMigration(migration)
      const made = new Set<string>()
      const faults: string[] = []
      for (const statement of parsed.statements) {
        const effect = effectOf(statement)
        if (effect.makes) made.add(effect.makes)
        if (effect.tables.every(({ name }) => made.has(name))) continue
        const isLong =
          effect.work !== 'none' && lockLevels.indexOf(effect.tables[0]!.lock) >= lockLevels.indexOf('SHARE')
        if (isLong || effect.isUnknown) faults.push(`${statement} (make it stepwise)`)
        if (effect.lost && effect.work !== 'rows' && !parsed.minimumRelease)
          faults.push(`${statement} (a contract step names its minimum release)`)
      }
      expect(faults).toEqual([])
    },
  )
})

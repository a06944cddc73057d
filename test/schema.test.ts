// The database that the migrations make is the one that the schema.ts files describe, and migrating is safe to repeat.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { openDatabase } from '../src/platform/db/client'
import { migrate, pendingMigrations } from '../src/platform/db/migrate'
import { migrations } from '../src/platform/db/migrations'
import { cloneDatabase, type TestDatabase } from './support/database'

const root = join(import.meta.dir, '..')
type Snapshot = ReturnType<typeof generateDrizzleJson>

let described: Snapshot
const databases: TestDatabase[] = []

beforeAll(async () => {
  const tables: Record<string, unknown> = {}
  for (const path of new Glob('src/**/schema.ts').scanSync(root))
    Object.assign(tables, await import(join(root, path)))
  described = generateDrizzleJson(tables)
})

afterAll(async () => {
  for (const database of databases) await database.drop()
})

async function database(options: { empty: boolean }): Promise<TestDatabase> {
  const made = await cloneDatabase({ ...options, max: 2 })
  databases.push(made)
  return made
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** Tables, columns, constraints, indexes, functions, triggers and extensions, as the server describes them. */
async function describeDatabase({ sql }: TestDatabase): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    select format('column %s.%s %s%s default %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
                  case when a.attnotnull then ' not null' else '' end, pg_get_expr(d.adbin, d.adrelid)) as line
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname not in ('schema_migrations', 'schema_steps')
    union all
    select format('constraint %s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace and conrelid::regclass::text not in ('schema_migrations', 'schema_steps')
    union all
    select 'index ' || indexdef from pg_indexes where schemaname = 'public' and tablename not in ('schema_migrations', 'schema_steps')
    union all
    select 'option ' || relname || ' ' || reloptions::text from pg_class
     where relnamespace = 'public'::regnamespace and reloptions is not null
    union all
    select 'function ' || oid::regprocedure from pg_proc p
     where pronamespace = 'public'::regnamespace
       and not exists (select 1 from pg_depend where objid = p.oid and deptype = 'e')
    union all
    select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all
    select 'extension ' || extname from pg_extension`
  return rows.map(row => row.line).sort()
}

test('the snapshot beside the migrations is the schema as described (bun run generate)', async () => {
  const journal = JSON.parse(read('drizzle/meta/_journal.json')) as { entries: { idx: number }[] }
  const last = String(journal.entries.at(-1)!.idx).padStart(4, '0')
  const snapshot = JSON.parse(read(`drizzle/meta/${last}_snapshot.json`)) as Snapshot
  expect(await generateMigration(snapshot, described)).toEqual([])
})

/** What drizzle-kit can't say: the migrations say it by hand. */
const byHand = {
  extensions: ['extension btree_gin', 'extension pg_trgm'],
  others: [
    'function punycode_address(text)',
    'function uuid_v7(timestamp with time zone,bigint)',
    'option campaign_deltas {autovacuum_vacuum_scale_factor=0,autovacuum_vacuum_threshold=5000}',
    'option contact_deltas {autovacuum_vacuum_scale_factor=0,autovacuum_vacuum_threshold=5000}',
    'option contacts {fillfactor=85}',
    'option email_day_deltas {autovacuum_vacuum_scale_factor=0,autovacuum_vacuum_threshold=5000}',
    'option emails {fillfactor=50}',
    'option event_deltas {autovacuum_vacuum_scale_factor=0,autovacuum_vacuum_threshold=5000}',
    'option workflow_active {autovacuum_vacuum_scale_factor=0.02,autovacuum_vacuum_threshold=5000}',
    'option workflow_deltas {autovacuum_vacuum_scale_factor=0,autovacuum_vacuum_threshold=5000}',
    'option workflow_executions {fillfactor=50}',
  ],
}

test('a migrated database equals the described one', async () => {
  const fresh = await database({ empty: true })
  for (const line of byHand.extensions) await fresh.sql.unsafe(`create ${line}`)
  for (const text of await generateMigration(generateDrizzleJson({}), described)) await fresh.sql.unsafe(text)
  const expected = [...(await describeDatabase(fresh)), ...byHand.others].sort()
  const migrated = await describeDatabase(await database({ empty: false }))
  expect(migrated).toEqual(expected)
  expect(migrated.length).toBeGreaterThan(100)
})

test('what stands in drizzle/ is frozen: a database that was made with another text would be refused', () => {
  const frozen = JSON.parse(read('test/data/frozen-migrations.json')) as Record<string, string>
  const hashes = Object.keys(frozen).map(tag => [
    tag,
    new Bun.CryptoHasher('sha256').update(read(`drizzle/${tag}.sql`)).digest('hex'),
  ])
  expect(Object.fromEntries(hashes)).toEqual(frozen)
  expect(migrations.slice(0, hashes.length).map(migration => migration.tag)).toEqual(Object.keys(frozen))
})

test('migrating again changes nothing', async () => {
  const migrated = await database({ empty: false })
  const before = await describeDatabase(migrated)
  expect(await pendingMigrations(migrated.sql, migrations)).toEqual([])
  expect(await migrate(migrated.sql, migrations, new Date())).toEqual([])
  expect(await describeDatabase(migrated)).toEqual(before)
})

test('of two that migrate at once, one does it and the other waits', async () => {
  const empty = await database({ empty: true })
  const tags = migrations.map(migration => migration.tag)
  expect(await pendingMigrations(empty.sql, migrations)).toEqual(tags)
  const clients = [0, 1, 2].map(() => openDatabase(empty.url, { max: 1 }))
  const applied = await Promise.all(clients.map(client => migrate(client.sql, migrations, new Date())))
  expect(applied.sort((a, b) => b.length - a.length)).toEqual([tags, [], []])
  for (const client of clients) await client.close()
})

test('a database that an edited migration made is refused and left as it is', async () => {
  const other = await database({ empty: false })
  const added = [...migrations, { tag: '9000_letters', sql: 'create table letters (id int)' }]
  await migrate(other.sql, added, new Date())
  const edited = [...migrations, { tag: '9000_letters', sql: 'create table letters (id text)' }]
  await expect(migrate(other.sql, edited, new Date())).rejects.toThrow(
    'migration 9000_letters differs from the one this database was made with',
  )
})

test('a database of a build before the first release is refused, with the way to carry it over', async () => {
  const other = await database({ empty: false })
  await other.sql`update schema_migrations set hash = 'other' where tag = ${migrations[0]!.tag}`
  await expect(migrate(other.sql, migrations, new Date())).rejects.toThrow(
    'made by a build from before the first release: back it up with that build (waxwing backup FILE)',
  )
})

test('only the newest snapshot is kept, of which the next migration is made', () => {
  const snapshots = [...new Glob('*_snapshot.json').scanSync(join(root, 'drizzle/meta'))]
  expect(snapshots).toEqual([`${migrations.at(-1)!.tag.slice(0, 4)}_snapshot.json`])
})

test('a falling index gives the order of `desc`, which puts nulls first', async () => {
  const { sql } = await database({ empty: false })
  // Bits of a column: 1 falls, 2 nulls first. drizzle's own `desc()` makes 1, and then no statement of ours can use the order.
  const useless = await sql<{ name: string }[]>`
    select indexrelid::regclass::text as name from pg_index
     where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
       and 1 = any(indoption::int2[])`
  expect(useless.map(index => index.name)).toEqual([])
})

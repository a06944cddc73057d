// The database's own record of its migrations, and what it means for a program: what is missing, what a newer program has added, and
// when the two can't go together.
import type postgres from 'postgres'
import type { ParsedMigration } from './parse'

type Sql = postgres.Sql | postgres.TransactionSql

export interface AppliedMigration {
  tag: string
  hash: string
  /** Of a contract step: what an older program lacks to work with this database. */
  minimumRelease?: string | null
}

export interface SchemaState {
  missing: ParsedMigration[]
  /** Tags that only a newer program knows, all of which this one can work beside. */
  newer: string[]
}

/** Whether a table holds what was migrated, which `makeJournal` makes, and no migration. */
export function isJournal(table: string): boolean {
  return table === 'schema_migrations' || table === 'schema_steps'
}

/** Under the lock of the migrator. Looks first, because `alter table` would wait for whoever reads the table. */
export async function makeJournal(sql: Sql): Promise<void> {
  await sql`create table if not exists schema_migrations (tag text primary key, hash text not null, applied_at timestamptz not null)`
  await sql`create table if not exists schema_steps (tag text, step int, hash text not null, primary key (tag, step))`
  const [column] = await sql`
    select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'minimum_release'`
  if (!column) await sql`alter table schema_migrations add column minimum_release text`
}

/** None where there is no journal yet; also reads one from before it had all its columns. */
export async function readJournal(sql: Sql): Promise<AppliedMigration[]> {
  const [table] = await sql<
    { exists: boolean }[]
  >`select to_regclass('schema_migrations') is not null as exists`
  if (!table?.exists) return []
  return await sql<AppliedMigration[]>`
    select tag, hash, to_jsonb(schema_migrations) ->> 'minimum_release' as "minimumRelease"
      from schema_migrations order by applied_at, tag`
}

/** False where the programs that worked with the database refuse whatever a newer one has added, because they did not know contract steps. */
export async function allowsNewer(sql: Sql): Promise<boolean> {
  const rows = await sql`
    select from pg_attribute where attrelid = to_regclass('schema_migrations') and attname = 'minimum_release'`
  return rows.length > 0
}

export async function record(sql: Sql, migration: ParsedMigration, now: Date): Promise<void> {
  await sql`delete from schema_steps where tag = ${migration.tag}`
  await sql`
    insert into schema_migrations (tag, hash, applied_at, minimum_release)
    values (${migration.tag}, ${migration.hash}, ${now}, ${migration.minimumRelease ?? null})`
}

/** Throws if this program can't work with the database. `release` is its version. */
export function checkCompatibility(
  applied: readonly AppliedMigration[],
  migrations: readonly ParsedMigration[],
  release: string,
): SchemaState {
  refuseEdited(applied, migrations)
  const ours = new Set(migrations.map(migration => migration.tag))
  const newer = applied.filter(({ tag }) => !ours.has(tag))
  for (const { tag, minimumRelease } of newer)
    if (minimumRelease && Bun.semver.order(release, minimumRelease) < 0)
      throw new Error(
        `the database was changed by a newer version of Waxwing and needs ${minimumRelease} or later (migration ${tag}); ` +
          `this is ${release}: start that version, or restore a backup that is older`,
      )
  const known = new Set(applied.map(row => row.tag))
  const missing = migrations.filter(({ tag }) => !known.has(tag))
  if (newer.length > 0 && missing.length > 0)
    throw new Error(
      `the database was changed by another version of Waxwing (migration ${newer[0]!.tag}) that lacks ${missing[0]!.tag} of this one; ` +
        'start a version that has both',
    )
  return { missing, newer: newer.map(({ tag }) => tag) }
}

/** True if a build from before the first release made it: until then the first migration was made anew with the schema. */
export function isOfUnreleasedBuild(
  applied: readonly AppliedMigration[],
  migrations: readonly ParsedMigration[],
): boolean {
  const [first] = migrations
  return applied.some(({ tag, hash }) => tag === first?.tag && hash !== first.hash)
}

export function refuseEdited(
  applied: readonly AppliedMigration[],
  migrations: readonly ParsedMigration[],
): void {
  if (isOfUnreleasedBuild(applied, migrations))
    throw new Error(
      'the database was made by a build from before the first release: back it up with that build (waxwing backup FILE), ' +
        'and restore the backup into an empty database with this one (waxwing restore FILE)',
    )
  const hashes = new Map(migrations.map(({ tag, hash }) => [tag, hash]))
  for (const { tag, hash } of applied)
    if ((hashes.get(tag) ?? hash) !== hash)
      throw new Error(
        `migration ${tag} differs from the one this database was made with; it must not be edited`,
      )
}

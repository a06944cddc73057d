// Brings a database up to date: every migration of drizzle/ that is not recorded yet, in journal order, under an advisory lock.
// It refuses a database whose recorded migrations differ from ours, or that a newer version has already changed.
import { createHash } from 'node:crypto'
import type postgres from 'postgres'

export interface Migration {
  tag: string
  sql: string
}

const lockKey = 7_239_118_004

/** Applies what is missing in one transaction and returns the tags applied; safe to call from many processes at once. */
export async function migrate(
  sql: postgres.Sql,
  migrations: readonly Migration[],
  now: Date,
): Promise<string[]> {
  return await sql.begin(tx => applyMigrations(tx, migrations, now))
}

/** The same in a transaction of the caller. */
export async function applyMigrations(
  tx: postgres.TransactionSql,
  migrations: readonly Migration[],
  now: Date,
): Promise<string[]> {
  await tx`select pg_advisory_xact_lock(${lockKey})`
  await tx`create table if not exists schema_migrations (tag text primary key, hash text not null, applied_at timestamptz not null)`
  const applied = await tx<{ tag: string; hash: string }[]>`select tag, hash from schema_migrations`
  refuseForeign(applied, migrations)
  const known = new Set(applied.map(row => row.tag))
  const missing = migrations.filter(migration => !known.has(migration.tag))
  for (const { tag, sql: text } of missing) {
    await tx.unsafe(text)
    await tx`insert into schema_migrations (tag, hash, applied_at) values (${tag}, ${hashOf(text)}, ${now})`
  }
  return missing.map(migration => migration.tag)
}

/** Those of `migrations` that a backup names; throws where it names one that is not ours, or that is another one under our name. */
export function knownMigrations(
  named: { tag: string; hash: string }[],
  migrations: readonly Migration[],
): Migration[] {
  refuseForeign(named, migrations)
  const tags = new Set(named.map(row => row.tag))
  return migrations.filter(migration => tags.has(migration.tag))
}

/** Tags that `migrate` would apply; throws as it does for a database that is not ours or newer. Changes nothing. */
export async function pendingMigrations(
  sql: postgres.Sql,
  migrations: readonly Migration[],
): Promise<string[]> {
  const [table] = await sql<
    { exists: boolean }[]
  >`select to_regclass('schema_migrations') is not null as exists`
  const applied = table?.exists
    ? await sql<{ tag: string; hash: string }[]>`select tag, hash from schema_migrations`
    : []
  refuseForeign(applied, migrations)
  const known = new Set(applied.map(row => row.tag))
  return migrations.map(migration => migration.tag).filter(tag => !known.has(tag))
}

function refuseForeign(applied: { tag: string; hash: string }[], migrations: readonly Migration[]): void {
  const ours = new Map(migrations.map(({ tag, sql }) => [tag, hashOf(sql)]))
  for (const { tag, hash } of applied) {
    const expected = ours.get(tag)
    if (expected === undefined)
      throw new Error(
        `the database was changed by a newer version of Waxwing (migration ${tag}); start that version`,
      )
    if (expected !== hash)
      throw new Error(
        `migration ${tag} differs from the one this database was made with; it must not be edited`,
      )
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
}

/** Throws a clear line when the server is older than PostgreSQL 15. */
export async function requireVersion(sql: postgres.Sql): Promise<void> {
  const [row] = await sql<{ version: string }[]>`select current_setting('server_version_num') as version`
  refuseOldServer(Number(row?.version ?? 0))
}

/** `version` as in server_version_num: 150004 is 15.4. */
export function refuseOldServer(version: number): void {
  const major = Math.floor(version / 10_000)
  if (major < 15) throw new Error(`PostgreSQL ${major} is too old; Waxwing needs 15 or newer`)
}

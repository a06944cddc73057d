// Brings a database up to date: every migration of drizzle/ that is not recorded yet, in journal order, each by itself. Of several
// processes one does it while the others wait. A database that a newer version has changed is used as long as that is possible,
// and refused after that; so is one that was made with other texts of our migrations.
import type postgres from 'postgres'
import { version } from '../build'
import { type Logger, silentLogger } from '../log'
import { beginBackfill, fillPage } from './migration/backfill'
import {
  type AppliedMigration,
  checkCompatibility,
  isOfUnreleasedBuild,
  makeJournal,
  readJournal,
  record,
  refuseEdited,
  type SchemaState,
} from './migration/journal'
import { type Migration, type ParsedMigration, parseMigration } from './migration/parse'
import {
  defaultLockWait,
  inBoundedTransaction,
  type LockWait,
  lockKey,
  type MigrationSession,
  withLock,
} from './migration/session'
import { runSteps, runStepsAtOnce } from './migration/steps'

export type { Migration } from './migration/parse'

export interface MigrateOptions {
  log: Logger
  patience: LockWait
  /** The version of this program, which a contract step may ask for. */
  release: string
}

const defaults: MigrateOptions = { log: silentLogger, patience: defaultLockWait, release: version }

/** Applies what is missing and returns the tags applied; safe to call from many processes at once. */
export async function migrate(
  client: postgres.Sql,
  migrations: readonly Migration[],
  now: Date,
  given: Partial<MigrateOptions> = {},
): Promise<string[]> {
  const { log, patience, release } = { ...defaults, ...given }
  // The database answers while ours are read.
  const [journal, parsed] = await Promise.all([readJournal(client), migrations.map(parseMigration)])
  // Most starts find nothing to do, and need not wait for anybody.
  const before = checkCompatibility(journal, parsed, release)
  if (before.newer.length > 0) log.warn({ migrations: before.newer }, newerWords)
  if (before.missing.length === 0) return []
  return await withLock(client, { log, patience }, async session => {
    await inBoundedTransaction(session, 'the journal of migrations', makeJournal)
    const { missing } = checkCompatibility(await readJournal(session.sql), parsed, release)
    for (const migration of missing) await apply(session, migration, parsed, now)
    return missing.map(({ tag }) => tag)
  })
}

const newerWords =
  'the database was changed by a newer version of Waxwing; this one goes on working beside it, and should be replaced soon'

async function apply(
  session: MigrationSession,
  migration: ParsedMigration,
  all: readonly ParsedMigration[],
  now: Date,
): Promise<void> {
  const { tag } = migration
  session.log.info({ migration: tag }, 'migrating')
  for (const needed of neededBackfills(migration, all))
    while (await inBoundedTransaction(session, needed.tag, tx => fillPage(tx, needed, now)));
  if (migration.isStepwise) await runSteps(session, migration)
  await inBoundedTransaction(session, tag, async tx => {
    if (!migration.isStepwise) await applyWhole(tx, migration, now)
    await record(tx, migration, now)
  })
}

async function applyWhole(tx: postgres.TransactionSql, migration: ParsedMigration, now: Date): Promise<void> {
  if (migration.backfill) await beginBackfill(tx, migration, now)
  else await tx.unsafe(migration.sql)
}

/** Those that have to have ended before `migration` begins. */
function neededBackfills(
  { tag, after }: ParsedMigration,
  all: readonly ParsedMigration[],
): ParsedMigration[] {
  return after.map(name => {
    const found = all.find(migration => migration.tag === name)
    if (!found?.backfill) throw new Error(`migration ${tag} waits for ${name}, which is no backfill`)
    return found
  })
}

/** All of what is missing in a transaction of the caller, who has the database alone. */
export async function applyMigrations(
  tx: postgres.TransactionSql,
  migrations: readonly Migration[],
  now: Date,
): Promise<string[]> {
  await tx`select pg_advisory_xact_lock(${lockKey})`
  await makeJournal(tx)
  const parsed = migrations.map(parseMigration)
  const { missing } = checkCompatibility(await readJournal(tx), parsed, version)
  for (const migration of missing) {
    for (const needed of neededBackfills(migration, parsed)) while (await fillPage(tx, needed, now));
    if (migration.isStepwise) await runStepsAtOnce(tx, migration)
    else await applyWhole(tx, migration, now)
    await record(tx, migration, now)
  }
  return missing.map(({ tag }) => tag)
}

/**
 * Those of `migrations` that make the tables of a backup. Throws if it names one that isn't ours, or one that differs under the same name.
 * The rows of an unreleased build are carried over: they go into the tables that the first migration makes.
 */
export function knownMigrations(
  named: AppliedMigration[],
  migrations: readonly Migration[],
): { known: Migration[]; isCarriedOver: boolean } {
  const parsed = migrations.map(parseMigration)
  if (isOfUnreleasedBuild(named, parsed)) return { known: migrations.slice(0, 1), isCarriedOver: true }
  refuseEdited(named, parsed)
  const ours = new Set(migrations.map(({ tag }) => tag))
  const strange = named.find(({ tag }) => !ours.has(tag))
  if (strange)
    throw new Error(
      `the backup was made by a newer version of Waxwing (migration ${strange.tag}); restore it with that version`,
    )
  const tags = new Set(named.map(row => row.tag))
  return { known: migrations.filter(migration => tags.has(migration.tag)), isCarriedOver: false }
}

/** What `migrate` would apply, and what a newer version has added; throws where it would refuse. Changes nothing. */
export async function readSchemaState(
  sql: postgres.Sql,
  migrations: readonly Migration[],
): Promise<SchemaState> {
  return checkCompatibility(await readJournal(sql), migrations.map(parseMigration), version)
}

/** Tags that `migrate` would apply. */
export async function pendingMigrations(
  sql: postgres.Sql,
  migrations: readonly Migration[],
): Promise<string[]> {
  return (await readSchemaState(sql, migrations)).missing.map(({ tag }) => tag)
}

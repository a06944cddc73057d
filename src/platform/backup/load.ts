// Loads a backup into an empty database, all in one transaction: tables as they were when it was made, rows, then indexes and
// constraints (which are thereby checked), then the changes that this version brings. Whatever goes wrong leaves the database as it was.
import { pipeline } from 'node:stream/promises'
import type postgres from 'postgres'
import { openSibling } from '../db/client'
import { applyMigrations, knownMigrations, type Migration } from '../db/migrate'
import { isJournal } from '../db/migration/journal'
import { fixTextForms, quoted, readTables } from './catalogue'
import { rowCounter } from './checksum'
import { tableRows } from './dump'
import { BackupFault, type SequenceValue, type TableShape } from './format'
import { dropEverything, dropIndexes, makeIndexes, refuseOccupied } from './indexes'
import type { BackupProgress } from './progress'
import type { BackupReader } from './reader'
import { type BackupSums, isSame, walkBackup } from './walk'

export interface LoadOptions {
  migrations: readonly Migration[]
  now: Date
  /** Drops what the database holds first. */
  replace: boolean
  /** Counts and adds up every table again as the database returns it. */
  verify: boolean
  /** Where uploads go. */
  filesFolder: string
  onSecrets(content: unknown): Promise<void>
  /** The last statements of the transaction, for the mark that sending is paused. */
  beforeCommit(sql: postgres.TransactionSql): Promise<void>
  progress: BackupProgress
}

export interface LoadSummary extends BackupSums {
  /** Tables of the backup that no migration of this program makes. */
  leftOut: string[]
}

export async function load(
  client: postgres.Sql,
  backup: BackupReader,
  options: LoadOptions,
): Promise<LoadSummary> {
  // Indexes over everything at once are what this memory is for.
  const settings = { application_name: 'waxwing restore', maintenance_work_mem: '256MB' }
  const { sql, close } = openSibling(client, 1, settings)
  try {
    const summary = await sql.begin(tx => loadInto(tx, backup, options))
    // Without statistics the first minutes would be slow.
    await sql`analyze`
    return summary
  } finally {
    await close()
  }
}

async function loadInto(
  sql: postgres.TransactionSql,
  backup: BackupReader,
  options: LoadOptions,
): Promise<LoadSummary> {
  const made = knownMigrations(backup.header.migrations, options.migrations)
  await fixTextForms({ sql })
  if (options.replace) await dropEverything(sql)
  else await refuseOccupied(sql)
  await applyMigrations(sql, made.known, options.now)
  // The journal of an unreleased build names migrations that no longer exist.
  const wanted = backup.header.tables.filter(({ name }) => !made.isCarriedOver || !isJournal(name))
  const { known, leftOut } = await matchTables(sql, wanted)
  const indexes = await dropIndexes(sql)
  // What migrations put in is in the backup too.
  if (known.length > 0) await sql.unsafe(`truncate ${known.map(({ name }) => quoted(name)).join(', ')}`)
  const sums = await walkBackup(backup, options.progress, {
    rows: (table, rows) => known.some(({ name }) => name === table.name) && copyInto(sql, table, rows),
    filesFolder: options.filesFolder,
    secrets: options.onSecrets,
    sequences: values => setSequences(sql, values),
  })
  await makeIndexes(sql, indexes, options.progress)
  if (options.verify) await verifyTables(sql, known, sums, options.progress)
  await applyMigrations(sql, options.migrations, options.now)
  await options.beforeCommit(sql)
  return { ...sums, leftOut }
}

/** Tables of the backup that are here with the same columns, and those that this program does not know. */
async function matchTables(
  sql: postgres.TransactionSql,
  wanted: TableShape[],
): Promise<{ known: TableShape[]; leftOut: string[] }> {
  const here = new Map((await readTables({ sql })).map(table => [table.name, new Set(table.columns)]))
  const known = wanted.filter(table => here.has(table.name))
  for (const { name, columns } of known) {
    const strange = columns.find(column => !here.get(name)!.has(column))
    if (strange)
      throw new BackupFault(
        `the backup has a column ${name}.${strange} that its version of Waxwing does not make`,
      )
  }
  return { known, leftOut: wanted.filter(table => !here.has(table.name)).map(table => table.name) }
}

async function copyInto(
  sql: postgres.TransactionSql,
  { name, columns }: TableShape,
  rows: AsyncGenerator<Uint8Array>,
): Promise<void> {
  const target = await sql
    .unsafe(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`)
    .writable()
  await pipeline(rows, target)
}

async function setSequences(sql: postgres.TransactionSql, values: SequenceValue[]): Promise<void> {
  for (const { name, value, isCalled } of values)
    await sql`
      select setval(to_regclass(${quoted(name)}), ${value}::bigint, ${isCalled})
       where to_regclass(${quoted(name)}) is not null`
}

/** The rows come out of the database again, and must be the same ones. */
async function verifyTables(
  sql: postgres.TransactionSql,
  tables: TableShape[],
  expected: BackupSums,
  progress: BackupProgress,
): Promise<void> {
  for (const table of tables) {
    const counter = rowCounter()
    for await (const block of tableRows(sql, table)) {
      counter.add(block)
      progress.show(`${table.name} (verifying)`, counter.sum().rows, 0)
    }
    if (!isSame(counter.sum(), expected.tables[table.name]!))
      throw new Error(
        `the database returns other rows of ${table.name} than the backup holds; nothing was kept`,
      )
  }
}

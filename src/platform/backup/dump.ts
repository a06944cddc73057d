// Writes every table of a database into a backup, as one snapshot sees them, while others go on working. Streams: what is held in
// memory is a few blocks of rows, whatever the size of the database.
import type postgres from 'postgres'
import { openSibling } from '../db/client'
import {
  estimateRows,
  fixTextForms,
  quoted,
  readMigrations,
  readSequences,
  readTables,
  serverVersion,
} from './catalogue'
import { rowCounter, wholeRows } from './checksum'
import type { DataFiles } from './files'
import { type BackupHeader, blockBytes, type TableShape, type TableSum } from './format'
import type { BackupProgress } from './progress'
import { type BackupWriter, type Sink, writeBackup } from './writer'

export interface DumpOptions {
  about: Pick<BackupHeader, 'program' | 'madeAt' | 'secretMarks'>
  /** Included if given. */
  secrets?: unknown
  files: DataFiles
  progress: BackupProgress
}

export interface DumpSummary {
  tables: Record<string, TableSum>
  files: number
  bytes: number
}

/** The sink is written to the end and not finished; whoever made it does that, or abandons it when this rejects. */
export async function dump(client: postgres.Sql, sink: Sink, options: DumpOptions): Promise<DumpSummary> {
  // A connection of its own, because the pool's may carry time limits.
  const { sql, close } = openSibling(client, 1, { application_name: 'waxwing backup' })
  let fault: unknown
  try {
    return await sql.begin('isolation level repeatable read read only', tx =>
      dumpSnapshot(tx, sink, options).catch(error => {
        fault = error
        throw error
      }),
    )
  } catch (error) {
    // In the middle of a COPY the driver cannot roll back, and would report that instead.
    throw fault ?? error
  } finally {
    await close()
  }
}

async function dumpSnapshot(
  sql: postgres.TransactionSql,
  sink: Sink,
  { about, secrets, files, progress }: DumpOptions,
): Promise<DumpSummary> {
  const ctx = { sql }
  await fixTextForms(ctx)
  const found = await readTables(ctx)
  // Nobody may change or drop a table before its turn comes; rows may change as they like.
  const names = found.map(table => quoted(table.name)).join(', ')
  if (names) await sql.unsafe(`lock table ${names} in access share mode`)
  const tables = await readTables(ctx)
  progress.expect(await estimateRows(ctx))
  const writer = await writeBackup(sink, {
    ...about,
    server: await serverVersion(ctx),
    migrations: await readMigrations(ctx),
    tables,
    withSecrets: secrets !== undefined,
  })
  if (secrets !== undefined) await writer.note('secrets', secrets)
  await writer.note('sequences', await readSequences(ctx))
  const sums: Record<string, TableSum> = {}
  for (const table of tables) sums[table.name] = await dumpTable(sql, writer, table, progress)
  const count = await dumpFiles(writer, files)
  await writer.end({ tables: sums, files: count })
  return { tables: sums, files: count, bytes: writer.written() }
}

async function dumpTable(
  sql: postgres.TransactionSql,
  writer: BackupWriter,
  table: TableShape,
  progress: BackupProgress,
): Promise<TableSum> {
  await writer.note('table', table)
  const counter = rowCounter()
  for await (const block of tableRows(sql, table)) {
    counter.add(block)
    await writer.data(block)
    progress.show(table.name, counter.sum().rows, writer.written())
  }
  const sum = counter.sum()
  await writer.note('tableEnd', sum)
  progress.done(table.name, sum.rows)
  return sum
}

/** The rows as COPY writes them, in blocks of whole rows. By a query, because COPY reads no partitioned table itself. */
export async function* tableRows(
  sql: postgres.TransactionSql,
  { name, columns }: TableShape,
): AsyncGenerator<Uint8Array> {
  const stream = await sql
    .unsafe(`copy (select ${columns.map(quoted).join(', ')} from ${quoted(name)}) to stdout`)
    .readable()
  try {
    yield* wholeRows(stream.iterator({ destroyOnReturn: false }), blockBytes)
  } finally {
    // Who stops early has the driver read on to the end: it would wait for a reader that is gone.
    stream.resume()
  }
}

/** Files that vanish meanwhile were deleted, and are left out. */
async function dumpFiles(writer: BackupWriter, files: DataFiles): Promise<number> {
  let count = 0
  for await (const file of files.list()) {
    await writer.note('file', { path: file.path })
    for await (const piece of file.content()) await writer.data(piece)
    await writer.note('fileEnd', file.sum())
    count++
  }
  return count
}

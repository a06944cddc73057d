// `waxwing partition`: splits the tables that grow without end by month, beside running instances. `waxwing partition status` lists the
// partitions.
import { makeMonthsAhead } from '../platform/db/partition/ahead'
import { type Partition, readPartitions } from '../platform/db/partition/catalogue'
import { withMonths } from '../platform/db/partition/jobs'
import { previewSplit } from '../platform/db/partition/preview'
import { splitTable } from '../platform/db/partition/split'
import { monthWarnings } from '../platform/db/partition/state'
import { monthlyTables } from '../platform/db/partition/tables'
import type { Logger } from '../platform/log'
import { connectBeside, type DatabaseHandle, hasDatabase, schemaState, systemClock } from '../server/compose'
import { readArguments, UsageFault } from './arguments'
import { readConfig } from './start'
import { askFor } from './with-instance'

export const partitionFlags = {
  'dry-run': { kind: 'flag', description: 'say what it would do and for how long; change nothing' },
  status: { kind: 'flag', description: 'list the partitions with their months, rows and sizes' },
  yes: { kind: 'flag', description: 'do it without asking' },
} as const

const allNames = monthlyTables.map(({ name }) => name)

export async function partition(given: string[]): Promise<number> {
  const isNamed = given.some(word => !word.startsWith('-'))
  const { names, flags } = readArguments(given, partitionFlags, isNamed ? ['TABLES…'] : [])
  const isStatus = flags.status || names[0] === 'status'
  const tables = tablesOf(names[0] === 'status' ? names.slice(1) : names)
  if (!isStatus && !flags['dry-run'] && !flags.yes && !process.stdin.isTTY)
    throw new UsageFault('use --yes to do it without being asked')
  const { config, log } = readConfig()
  if (!hasDatabase(config))
    throw new Error(`there is no database in ${config.dataDir} yet: the first start makes it`)
  const database = await connectBeside(config, log)
  try {
    await requireCurrent(database)
    if (isStatus) return print(await statusLines(database, tables))
    return await split(database, log, tables, flags)
  } finally {
    await database.close()
  }
}

function tablesOf(names: readonly string[]): string[] {
  const unknown = names.find(name => !allNames.includes(name))
  if (unknown) throw new UsageFault(`${unknown} is not split by month; there are ${allNames.join(', ')}`)
  return names.length > 0 ? [...names] : allNames
}

/** In a database of an older or newer version, names and indexes may differ from those that we know. */
async function requireCurrent(database: DatabaseHandle): Promise<void> {
  const [row] = await database.sql<{ isOurs: boolean; name: string }[]>`
    select to_regclass('schema_migrations') is not null as "isOurs", current_database()::text as name`
  if (!row!.isOurs)
    throw new Error(`there is no Waxwing in the database ${row!.name}: is DATABASE_URL right?`)
  const { missing, newer } = await schemaState(database)
  if (missing.length > 0)
    throw new Error(
      'the database is not up to date: run "waxwing migrate", replace the instances by this version, then try again',
    )
  if (newer.length > 0)
    throw new Error(`the database was changed by a newer version (${newer.join(', ')}): use that one`)
}

async function split(
  database: DatabaseHandle,
  log: Logger,
  names: readonly string[],
  flags: { 'dry-run': boolean; yes: boolean },
): Promise<number> {
  const now = systemClock.now()
  const { tables, lines, hindrances } = await previewSplit(database.sql, names, now)
  print(lines)
  if (hindrances.length > 0) throw new Error(hindrances.join('\n'))
  if (flags['dry-run']) return print(['nothing was changed'])
  if (!flags.yes && tables.length > 0)
    await askFor(
      `Split ${tables.map(({ name }) => name).join(', ')} by month? There is no command that joins them again.`,
      'nothing was changed',
    )
  await withMonths({ sql: database.sql, log }, async session => {
    for (const table of tables) await splitTable(session, table, now, line => print([line]))
    await makeMonthsAhead(session, now)
  })
  return print(await statusLines(database, names))
}

async function statusLines({ sql }: DatabaseHandle, names: readonly string[]): Promise<string[]> {
  const lines: string[] = []
  for (const name of names) {
    const partitions = await readPartitions(sql, name)
    if (partitions.length === 0) lines.push(`${name}: is not split`)
    else lines.push(`${name}:`, ...partitions.map(describe))
  }
  return [...lines, ...(await monthWarnings(sql, systemClock.now()))]
}

function describe({ name, from, to, rows, bytes }: Partition): string {
  const count = rows < 0 ? 'not counted yet' : `about ${Math.round(rows).toLocaleString('en')} rows`
  return `  ${name.padEnd(22)}  ${dayOf(from).padEnd(10)} to ${dayOf(to).padEnd(10)}  ${count}, ${sizeOf(bytes)}`
}

const dayOf = (at: Date | undefined): string => at?.toISOString().slice(0, 10) ?? '…'

function sizeOf(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(0)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}

function print(lines: readonly string[]): number {
  for (const line of lines) console.log(line)
  return 0
}

// What splitting would do, for people, and whether it can be done here. Changes nothing.
import type postgres from 'postgres'
import { readTableSizes, type TableSize } from '../migration/plan'
import { isSplit } from './catalogue'
import { hindrancesOf } from './hindrances'
import { firstBoundary, monthName } from './months'
import { type MonthlyTable, monthlyTables } from './tables'

export interface SplitPlan {
  /** Those that are still to be split. */
  tables: MonthlyTable[]
  lines: string[]
  /** What is in the way; then nothing is done. */
  hindrances: string[]
}

/** What one second of reading does on a modest machine. */
const bytesPerSecond = 200e6

export async function previewSplit(
  sql: postgres.Sql,
  names: readonly string[],
  now: Date,
): Promise<SplitPlan> {
  const preview: SplitPlan = { tables: [], lines: [], hindrances: await databaseHindrances(sql) }
  if (preview.hindrances.length > 0) return preview
  const sizes = await readTableSizes(sql)
  for (const table of monthlyTables.filter(({ name }) => names.includes(name))) {
    if (await isSplit(sql, table.name)) {
      preview.lines.push(`${table.name}: is split by month already`)
      continue
    }
    preview.tables.push(table)
    preview.hindrances.push(...(await hindrancesOf(sql, table)))
    preview.lines.push(
      lineOf(
        table,
        sizes.find(({ name }) => name === table.name),
        now,
      ),
    )
  }
  return preview
}

async function databaseHindrances(sql: postgres.Sql): Promise<string[]> {
  const [row] = await sql<{ standby: boolean; database: string }[]>`
    select pg_is_in_recovery() as standby, current_database()::text as database`
  if (row!.standby)
    return [`${row!.database} is a standby, which can't be changed: run this against the primary`]
  return []
}

function lineOf({ name }: MonthlyTable, size: TableSize | undefined, now: Date): string {
  const rows = `about ${Math.round(size?.rows ?? 0).toLocaleString('en')} rows`
  const seconds = Math.ceil((size?.bytes ?? 0) / bytesPerSecond)
  const boundary = firstBoundary(now)
  return (
    `${name} (${rows}): read once beside everybody, about ${seconds} s; then locked for a moment, while it becomes the partition of all ` +
    `before ${monthName(boundary)}. No row is copied.`
  )
}

// What migrating would do, for people: statement by statement, who waits for it and about how long, and what can't be undone.
// Reads only the catalogue.
import type postgres from 'postgres'
import { effectOf, type LockLevel, type StatementEffect, type Work } from './effects'
import type { ParsedMigration } from './parse'
import { wordsOf } from './statements'

export interface TableSize {
  name: string
  /** As the planner estimates. */
  rows: number
  /** With its indexes. */
  bytes: number
  indexes: string[]
}

export async function readTableSizes(sql: postgres.Sql): Promise<TableSize[]> {
  return await sql<TableSize[]>`
    select relname as name,
           case relkind when 'r' then greatest(reltuples, 0)::float8
             else (select coalesce(sum(greatest(part.reltuples, 0)), 0)::float8 from pg_inherits
                     join pg_class as part on part.oid = inhrelid where inhparent = class.oid) end as rows,
           case relkind when 'r' then coalesce(pg_total_relation_size(oid), 0)::float8
             else (select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::float8 from pg_inherits
                    where inhparent = class.oid) end as bytes,
           (select coalesce(json_agg(indexrelid::regclass::text), '[]') from pg_index where indrelid = class.oid) as indexes
      from pg_class as class
     where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`
}

export interface Plan {
  lines: string[]
  /** What can't be brought back, by migration. */
  lost: string[]
}

/** `sizes` is empty for a database that is still to be made. */
export function planOf(missing: readonly ParsedMigration[], sizes: readonly TableSize[]): Plan {
  const made = new Set<string>()
  const plan: Plan = { lines: [], lost: [] }
  for (const migration of missing) {
    plan.lines.push(`${migration.tag}: ${manner(migration)}`)
    for (const [index, statement] of migration.statements.entries()) {
      const effect = inTables(effectOf(statement), sizes)
      if (effect.makes) made.add(effect.makes)
      const isNew = effect.tables.every(({ name }) => made.has(name))
      if (sizes.length > 0) plan.lines.push(...linesOf(index, statement, effect, isNew, migration, sizes))
      if (effect.lost && !isNew) plan.lost.push(`${migration.tag}: ${effect.lost}`)
    }
    if (migration.minimumRelease)
      plan.lost.push(`${migration.tag}: programs before ${migration.minimumRelease} are refused from here on`)
  }
  return plan
}

function manner({ isStepwise, backfill, statements }: ParsedMigration): string {
  if (backfill) return `a backfill of ${backfill.table}, page by page while everybody works`
  if (isStepwise) return `${counted(statements.length, 'step')}, each by itself; goes on where it was stopped`
  return `${counted(statements.length, 'statement')} in one transaction, which keeps its locks to its end`
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

function inTables(effect: StatementEffect, sizes: readonly TableSize[]): StatementEffect {
  if (!effect.ofIndex) return effect
  const owner = sizes.find(({ indexes }) => indexes.includes(effect.ofIndex!))
  const tables = owner ? effect.tables.map(({ lock }) => ({ name: owner.name, lock })) : []
  return { ...effect, tables }
}

const maxShownLength = 120

function linesOf(
  index: number,
  statement: string,
  effect: StatementEffect,
  isNew: boolean,
  { backfill }: ParsedMigration,
  sizes: readonly TableSize[],
): string[] {
  const words = wordsOf(statement)
  const head = `  ${index + 1}. ${words.length > maxShownLength ? `${words.slice(0, maxShownLength)} …` : words}`
  if (effect.isUnknown) return [head, '     not known to this plan: look at what it locks before you run it']
  if (isNew) return [head, '     nobody waits: what it works on is new']
  const table = effect.tables[0]!
  const size = sizes.find(({ name }) => name === table.name)
  const seconds = secondsOf(backfill ? 'rows' : effect.work, size)
  const about = `${table.name} (${describeSize(size)})`
  const what = backfill ? 'rows are locked a page at a time' : blocked[table.lock]
  const others = effect.tables.slice(1).map(({ name, lock }) => `     ${name}: ${blocked[lock]} (${lock})`)
  return [
    head,
    `     ${about}: ${what} (${table.lock}); ${doing[effect.work]}${duration(seconds)}`,
    ...others,
  ]
}

const blocked: Record<LockLevel, string> = {
  none: 'nobody waits',
  'ROW EXCLUSIVE': 'all read and write, except the rows that it changes',
  'SHARE UPDATE EXCLUSIVE': 'all read and write',
  SHARE: 'all read, nobody writes',
  'SHARE ROW EXCLUSIVE': 'all read, nobody writes',
  'ACCESS EXCLUSIVE': 'nobody reads or writes',
}

const doing: Record<Work, string> = {
  none: '',
  scan: 'reads every row, ',
  rewrite: 'rewrites the table and its indexes, ',
  index: 'builds an index, ',
  rows: 'changes rows, ',
}

/** What one second does on a modest machine; the point is to tell a moment from a minute from an hour. */
const perSecond = { scan: 200e6, rewrite: 30e6, index: 400_000, rows: 20_000 }

function secondsOf(work: Work, size: TableSize | undefined): number {
  if (work === 'none' || !size) return 0
  return (work === 'scan' || work === 'rewrite' ? size.bytes : size.rows) / perSecond[work]
}

function duration(seconds: number): string {
  if (seconds < 1) return 'for a moment'
  if (seconds < 90) return `about ${Math.round(seconds)} s`
  return seconds < 5_400
    ? `about ${Math.round(seconds / 60)} minutes`
    : `about ${(seconds / 3_600).toFixed(1)} hours`
}

function describeSize(size: TableSize | undefined): string {
  if (!size) return 'not there'
  const rows = `${Math.round(size.rows).toLocaleString('en')} rows`
  if (size.bytes < 1e6) return `${rows}, ${Math.ceil(size.bytes / 1e3)} kB`
  return size.bytes < 1e9
    ? `${rows}, ${(size.bytes / 1e6).toFixed(0)} MB`
    : `${rows}, ${(size.bytes / 1e9).toFixed(1)} GB`
}

// What the database says about the partitions of a table.
import type postgres from 'postgres'
import { momentOf } from './months'
import { type MonthlyTable, monthlyTables } from './tables'

type Sql = postgres.Sql | postgres.TransactionSql

export interface Partition {
  name: string
  /** Undefined: everything before `to`. */
  from: Date | undefined
  /** Undefined: everything after `from`. */
  to: Date | undefined
  /** As the planner estimates; -1 where it does not know yet. */
  rows: number
  /** With its indexes. */
  bytes: number
  /** Is being detached, by a run that did not end. */
  isLeaving: boolean
}

/** In the order of time; none where the table is not split. */
export async function readPartitions(sql: Sql, table: string): Promise<Partition[]> {
  const rows = await sql<(Omit<Partition, 'from' | 'to'> & { bounds: string })[]>`
    select class.relname as name, coalesce(pg_get_expr(class.relpartbound, class.oid), '') as bounds,
           class.reltuples::float8 as rows, pg_total_relation_size(class.oid)::float8 as bytes,
           inhdetachpending as "isLeaving"
      from pg_inherits join pg_class as class on class.oid = inhrelid
     where inhparent = to_regclass(quote_ident(${table}))`
  const read = rows.map(({ bounds, ...about }) => ({ ...about, ...readBounds(bounds) }))
  return read.sort((a, b) => (a.from?.getTime() ?? 0) - (b.from?.getTime() ?? 0))
}

function readBounds(text: string): Pick<Partition, 'from' | 'to'> {
  const [from, to] = [...text.matchAll(/\(('([^']+)'|MINVALUE|MAXVALUE)\)/g)].map(found => found[2])
  return { from: from ? momentOf(from) : undefined, to: to ? momentOf(to) : undefined }
}

/** Those of the monthly tables that are split. */
export async function splitTables(sql: Sql): Promise<MonthlyTable[]> {
  const names = monthlyTables.map(({ name }) => name)
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class
     where relkind = 'p' and relname = any(${names}::text[]) and relnamespace = current_schema()::regnamespace`
  const split = new Set(rows.map(({ name }) => name))
  return monthlyTables.filter(({ name }) => split.has(name))
}

export async function isSplit(sql: Sql, table: string): Promise<boolean> {
  const [row] = await sql<{ kind: string | null }[]>`
    select (select relkind::text from pg_class where oid = to_regclass(quote_ident(${table}))) as kind`
  return row!.kind === 'p'
}

/** Columns that are written: all but the generated ones. */
export async function writtenColumns(sql: Sql, table: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select attname as name from pg_attribute
     where attrelid = to_regclass(quote_ident(${table})) and attnum > 0 and not attisdropped and attgenerated = ''
     order by attnum`
  return rows.map(({ name }) => name)
}

export interface IndexDefinition {
  name: string
  /** The statement that makes it. */
  definition: string
  isUnique: boolean
  /** Of the primary key: how the constraint is written. */
  primaryKey: string | null
  columns: string[]
  /** Belongs to an index of the whole table. */
  isPart: boolean
}

export async function readIndexes(sql: Sql, table: string): Promise<IndexDefinition[]> {
  return await sql<IndexDefinition[]>`
    select class.relname as name, pg_get_indexdef(indexrelid) as definition, indisunique as "isUnique",
           (select pg_get_constraintdef(c.oid) from pg_constraint c where c.conindid = indexrelid and c.contype = 'p'
                and c.conrelid = indrelid) as "primaryKey",
           coalesce((select json_agg(attname) from pg_attribute where attrelid = indrelid and attnum = any(indkey)), '[]') as columns,
           exists (select from pg_inherits where inhrelid = indexrelid) as "isPart"
      from pg_index join pg_class as class on class.oid = indexrelid
     where indrelid = to_regclass(quote_ident(${table}))
     order by class.relname`
}

/** The statement for the same index by another name, on another table. */
export function indexOn({ definition }: IndexDefinition, name: string, table: string): string {
  const unique = definition.startsWith('CREATE UNIQUE ') ? 'unique ' : ''
  const how = definition.slice(definition.indexOf(' USING ') + 1)
  return `create ${unique}index "${name}" on "${table}" ${how}`
}

// Fills a column of a table that may be large: page after page in the order of its key, a transaction each, from where it was left.
import type postgres from 'postgres'
import type { ParsedMigration } from './parse'

type Sql = postgres.Sql | postgres.TransactionSql

export interface BackfillProgress {
  tag: string
  estimate: number
  done: number
  finishedAt: Date | null
}

const pageRows = 1_000

/** In the transaction of the migration. A table without rows needs nothing done. */
export async function beginBackfill(
  tx: postgres.TransactionSql,
  { tag, backfill }: ParsedMigration,
  now: Date,
): Promise<void> {
  const { table } = backfill!
  const rowsOfIt = tx(table)
  await tx`
    insert into backfills (tag, estimate, done, created_at, finished_at)
    select ${tag}, (select greatest(reltuples, 0)::bigint from pg_class where oid = ${table}::regclass), 0, ${now}::timestamptz,
           case when not exists (select from ${rowsOfIt}) then ${now}::timestamptz end`
}

export async function unfinishedBackfills(sql: Sql): Promise<BackfillProgress[]> {
  return await sql<BackfillProgress[]>`
    select tag, estimate, done, finished_at as "finishedAt" from backfills where finished_at is null order by created_at, tag`
}

export async function hasBackfills({ sql }: { readonly sql: Sql }): Promise<boolean> {
  const [row] = await sql<{ some: boolean }[]>`
    select exists (select from backfills where finished_at is null) as some`
  return row!.some
}

/** One page in the caller's transaction. Returns false when there was none left: then the backfill has ended. */
export async function fillPage(tx: Sql, { tag, backfill }: ParsedMigration, now: Date): Promise<boolean> {
  const { table, key, statement } = backfill!
  const [state] = await tx<{ cursor: string | null; finishedAt: Date | null }[]>`
    select cursor, finished_at as "finishedAt" from backfills where tag = ${tag} for update`
  if (!state) throw new Error(`there is no backfill ${tag}`)
  if (state.finishedAt) return false
  const keys = await readKeys(tx, table, key, state.cursor)
  if (keys.length === 0) {
    await tx`update backfills set finished_at = ${now} where tag = ${tag}`
    return false
  }
  await tx.unsafe(statement, [keys])
  await tx`update backfills set cursor = ${keys.at(-1)!}, done = done + ${keys.length} where tag = ${tag}`
  return true
}

/** As text, whatever their type; compared and sorted as what they are. */
async function readKeys(tx: Sql, table: string, key: string, cursor: string | null): Promise<string[]> {
  const [column] = await tx<{ type: string }[]>`
    select format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = ${table}::regclass and attname = ${key} and not attisdropped`
  if (!column) throw new Error(`the table ${table} has no column ${key}`)
  const [all, sorted, type] = [tx(table), tx(key), tx.unsafe(column.type)]
  const behind = cursor === null ? tx`` : tx`where ${sorted} > ${cursor}::text::${type}`
  const rows = await tx<{ key: string }[]>`
    select ${sorted}::text as key from ${all} ${behind} order by ${sorted} limit ${pageRows}`
  return rows.map(row => row.key)
}

export interface DoneWork {
  tag: string
  rows: number
  finishedAt: Date
}

/** Work on old rows that the program itself does once, in parts whose tags begin with a name; empty before it is done. */
export async function readDone({ sql }: { readonly sql: Sql }, name: string): Promise<DoneWork[]> {
  return await sql<DoneWork[]>`
    select tag, done as rows, finished_at as "finishedAt" from backfills
     where starts_with(tag, ${`${name}: `}) and finished_at is not null order by tag`
}

/** Notes each part with the number of its rows. */
export async function noteDone(
  { sql }: { readonly sql: Sql },
  name: string,
  parts: Readonly<Record<string, number>>,
  now: Date,
): Promise<void> {
  await sql`
    insert into backfills (tag, estimate, done, created_at, finished_at)
    select ${`${name}: `} || p.key, p.value::bigint, p.value::bigint, ${now}::timestamptz, ${now}::timestamptz
      from jsonb_each_text(${JSON.stringify(parts)}::text::jsonb) p
    on conflict do nothing`
}

// What the database itself says about its tables: nobody keeps a list of them by hand, so a new table is in the next backup.
import type { Sql } from '../context'
import type { RecordedMigration, SequenceValue, TableShape } from './format'

type Database = { readonly sql: Sql }

/** A name as SQL writes it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Every table of the schema with the columns that hold data of their own, by name. A partitioned one stands for its partitions. */
export async function readTables(ctx: Database): Promise<TableShape[]> {
  return await ctx.sql<TableShape[]>`
    select class.relname as name,
           (select coalesce(json_agg(attribute.attname order by attribute.attnum), '[]') from pg_attribute as attribute
             where attribute.attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
      from pg_class as class
     where relkind in ('r', 'p') and not relispartition and relpersistence <> 't'
       and relnamespace = current_schema()::regnamespace
       and not exists (select 1 from pg_depend
                        where classid = 'pg_class'::regclass and objid = class.oid and deptype = 'e')
     order by relname`
}

/** Rows of all tables together, as the planner estimates: for the progress line. */
export async function estimateRows(ctx: Database): Promise<number> {
  const [row] = await ctx.sql<{ rows: number }[]>`
    select coalesce(sum(greatest(reltuples, 0)), 0)::float8 as rows from pg_class
     where relkind = 'r' and relnamespace = current_schema()::regnamespace`
  return row?.rows ?? 0
}

export async function readMigrations(ctx: Database): Promise<RecordedMigration[]> {
  const [table] = await ctx.sql<
    { exists: boolean }[]
  >`select to_regclass('schema_migrations') is not null as exists`
  if (!table?.exists) return []
  return await ctx.sql<RecordedMigration[]>`
    select tag, hash from schema_migrations order by applied_at, tag`
}

/** The current value of each sequence. Sequences are not part of a snapshot; one that is ahead does no harm. */
export async function readSequences(ctx: Database): Promise<SequenceValue[]> {
  return await ctx.sql<SequenceValue[]>`
    select sequencename as name, coalesce(last_value, start_value)::text as value, last_value is not null as "isCalled"
      from pg_sequences where schemaname = current_schema() order by sequencename`
}

export async function serverVersion(ctx: Database): Promise<string> {
  const [row] = await ctx.sql<{ version: string }[]>`select current_setting('server_version') as version`
  return row?.version ?? ''
}

/** Settings on which the text form of values depends, for the rest of the transaction. */
export async function fixTextForms(ctx: Database): Promise<void> {
  await ctx.sql`
    select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true),
           set_config('intervalstyle', 'postgres', true), set_config('extra_float_digits', '1', true),
           set_config('bytea_output', 'hex', true), set_config('client_encoding', 'UTF8', true),
           set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`
}

// What a restore does to a schema around its rows: checks whether the database is free, drops indexes and foreign keys for the
// time of loading (three times as fast, and in no particular order of tables), and makes them again, which checks them.
import type postgres from 'postgres'
import type { BackupProgress } from './progress'

type Sql = postgres.TransactionSql

/** Throws unless the schema holds nothing of its own; extensions do not count. */
export async function refuseOccupied(sql: Sql): Promise<void> {
  const names = await ownTables(sql)
  if (names.length === 0) return
  const isOurs = names.includes('schema_migrations')
  throw new Error(
    isOurs
      ? 'the database holds a Waxwing instance already: restore into an empty one, or use --replace to drop what it holds'
      : `the database holds tables of something else (${names.slice(0, 3).join(', ')}): give Waxwing a database of its own`,
  )
}

/** Drops the tables and functions of a Waxwing database; refuses any other, and one where an instance is at work. */
export async function dropEverything(sql: Sql): Promise<void> {
  const names = await ownTables(sql)
  if (names.length > 0 && !names.includes('schema_migrations')) await refuseOccupied(sql)
  if (names.includes('runners')) await refuseRunning(sql)
  await dropAll(
    sql,
    await sql<{ name: string }[]>`
      select 'table ' || class.oid::regclass::text as name from pg_class as class
       where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace and relpersistence <> 't'
         and not exists (select 1 from pg_depend where objid = class.oid and deptype = 'e')`,
  )
  await dropAll(
    sql,
    await sql<{ name: string }[]>`
      select 'routine ' || routine.oid::regprocedure::text as name from pg_proc as routine
       where pronamespace = current_schema()::regnamespace
         and not exists (select 1 from pg_depend where objid = routine.oid and deptype = 'e')`,
  )
}

async function dropAll(sql: Sql, found: { name: string }[]): Promise<void> {
  for (const { name } of found) await sql.unsafe(`drop ${name.replace(' ', ' if exists ')} cascade`)
}

async function refuseRunning(sql: Sql): Promise<void> {
  const [row] = await sql<
    { at: Date | null }[]
  >`select max(lease_until) as at from runners where lease_until > now()`
  if (row?.at) throw new Error('an instance of Waxwing works on this database: stop it first')
}

async function ownTables(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class as class
     where relkind in ('r', 'p', 'v', 'm') and relnamespace = current_schema()::regnamespace and relpersistence <> 't'
       and not exists (select 1 from pg_depend where objid = class.oid and deptype = 'e')
     order by relname`
  return rows.map(row => row.name)
}

/** Statements that make again what was dropped. */
export interface TakenIndexes {
  indexes: string[]
  foreignKeys: string[]
}

/** Keys stay (their indexes grow at one end); everything else is made faster when the rows are there. */
export async function dropIndexes(sql: Sql): Promise<TakenIndexes> {
  const foreignKeys = await sql<{ at: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as at, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`
  for (const { at, name } of foreignKeys) await sql.unsafe(`alter table ${at} drop constraint ${name}`)
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
      from pg_index join pg_class as class on class.oid = indexrelid
     where relnamespace = current_schema()::regnamespace
       and not exists (select 1 from pg_constraint where conindid = indexrelid)
       and not exists (select 1 from pg_depend where objid = indrelid and deptype = 'e')`
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  return {
    indexes: indexes.map(index => index.definition),
    foreignKeys: foreignKeys.map(key => `alter table ${key.at} add constraint ${key.name} ${key.definition}`),
  }
}

export async function makeIndexes(sql: Sql, taken: TakenIndexes, progress: BackupProgress): Promise<void> {
  const statements = [...taken.indexes, ...taken.foreignKeys]
  for (const [index, statement] of statements.entries()) {
    progress.show(`indexes and constraints ${index + 1}/${statements.length}`, 0, 0)
    await sql.unsafe(statement)
  }
}

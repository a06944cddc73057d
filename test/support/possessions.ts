// Rows in every table that belongs to a project, made from the catalogue of the database, so that a table that is added tomorrow
// is filled as well; and how many rows of a project each table holds.
import { ownedTables } from '../../src/modules/accounts/projects/owned-tables'
import type { TestDatabase } from './database'

interface Column {
  name: string
  type: string
}

/** Check constraints would need a hand-written row a table, and say nothing about deleting. */
export async function dropChecks({ sql }: TestDatabase): Promise<void> {
  const checks = await sql<{ table: string; name: string }[]>`
    select conrelid::regclass::text as table, conname as name from pg_constraint
     where contype = 'c' and connamespace = 'public'::regnamespace and conislocal and coninhcount = 0`
  for (const { table, name } of checks) await sql`alter table ${sql(table)} drop constraint ${sql(name)}`
}

/** Adds `count` rows of the project to every table but `jobs`. */
export async function fillAll(database: TestDatabase, projectId: string, count: number): Promise<void> {
  const { sql } = database
  const columns = await sql<(Column & { table: string })[]>`
    select table_name as table, column_name as name, udt_name as type from information_schema.columns
     where table_schema = 'public' and table_name not in (select relname from pg_class where relispartition) and is_nullable = 'NO' and is_generated = 'NEVER'
     order by table_name, ordinal_position`
  for (const { table, goesWith } of ownedTables) {
    const own = columns.filter(column => column.table === table)
    const parent = goesWith ? { campaign_id: await parentOf(database, goesWith, projectId) } : {}
    const rows = Array.from({ length: isSingle(table) ? 1 : count }, (_, index) => ({
      ...Object.fromEntries(own.map(column => [column.name, exampleOf(column, index + 1)])),
      ...parent,
      project_id: projectId,
    }))
    await sql`insert into ${sql(table)} ${sql(rows as Record<string, string>[])} on conflict do nothing`
  }
}

/** Tables that have one row a project. */
function isSingle(table: string): boolean {
  return ['contact_totals', 'upload_totals', 'project_billing', 'send_paces'].includes(table)
}

async function parentOf({ sql }: TestDatabase, table: string, projectId: string): Promise<string> {
  const [row] = await sql<
    [{ id: string }]
  >`select id from ${sql(table)} where project_id = ${projectId} order by id limit 1`
  return row.id
}

function exampleOf({ name, type }: Column, number: number): unknown {
  switch (type) {
    case 'uuid':
      return Bun.randomUUIDv7()
    case 'text':
      return `${name} ${number} ${crypto.randomUUID()}`
    case 'bool':
      return false
    case 'timestamptz':
      return new Date(Date.UTC(2026, 0, number))
    case 'date':
      return `2026-01-0${number}`
    case 'jsonb':
      return '{}'
    case 'bytea':
      return new Uint8Array(3)
    case '_float8':
    case '_uuid':
    case '_text':
      return '{}'
    default:
      return number
  }
}

/** Rows of a project in every table with a project_id, whether our list knows the table or not. */
export async function countAll({ sql }: TestDatabase, projectId: string): Promise<Record<string, number>> {
  const tables = await tablesOfProjects({ sql } as TestDatabase)
  const counts = await Promise.all(
    tables.map(async table => {
      const [row] = await sql<[{ count: number }]>`
        select count(*)::int as count from ${sql(table)} where project_id = ${projectId}`
      return [table, row.count] as const
    }),
  )
  return Object.fromEntries(counts)
}

export async function tablesOfProjects({ sql }: Pick<TestDatabase, 'sql'>): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
     where table_schema = 'public' and table_name not in (select relname from pg_class where relispartition) and column_name = 'project_id' order by 1`
  return rows.map(row => row.name)
}

/** Tables that hold something. */
export function notEmpty(counts: Record<string, number>): string[] {
  return Object.keys(counts).filter(table => counts[table]! > 0)
}

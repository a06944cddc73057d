// Writes many rows in one statement, however many there are: as one JSON parameter, with columns and types as schema.ts has them.
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Context } from '../context'

/** Rows to be written: of each, the named columns, under their names in schema.ts. */
type Row<Table extends PgTable, Name extends keyof Table['$inferInsert']> = {
  [Key in Name]?: InJson<Table['$inferInsert'][Key]>
}
/** A date may be its text. */
type InJson<Value> = Value extends Date ? Date | string : Value

/**
 * `insert into table (…) select … from …`, the statement or its beginning: an order, `on conflict` and `returning` may follow. The names
 * are constants of the caller, so that it remains one prepared statement.
 */
export function insertRows<Table extends PgTable, Name extends keyof Table['$inferInsert'] & string>(
  { sql }: Pick<Context, 'sql'>,
  table: Table,
  names: readonly Name[],
  rows: ReadonlyArray<Row<Table, Name>>,
) {
  const { head, shape } = insertTexts(table, names)
  return sql`${sql.unsafe(head)} from json_to_recordset(${JSON.stringify(rows)}::json) as r(${sql.unsafe(shape)})`
}

interface Texts {
  head: string
  shape: string
}

/** By the list of names, which is a constant of the caller. */
const known = new WeakMap<readonly string[], Texts & { table: PgTable }>()

/** The text before and after the parameter. */
export function insertTexts(table: PgTable, names: readonly string[]): Texts {
  const earlier = known.get(names)
  if (earlier?.table === table) return earlier
  const columns = getTableColumns(table)
  const own = names.map(name => `"${columns[name]!.name}"`)
  const given = names.map(name => `r."${name}"`)
  const texts = {
    head: `insert into "${getTableName(table)}" (${own.join(', ')}) select ${given.join(', ')}`,
    shape: names.map(name => `"${name}" ${columns[name]!.getSQLType()}`).join(', '),
  }
  known.set(names, { ...texts, table })
  return texts
}

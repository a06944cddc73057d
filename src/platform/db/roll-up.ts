// Adds up deltas: rows that were appended where something changed, so that nobody waits for a counter. A job takes some of them and adds
// them to the totals, in one statement; rows that another process is adding up are left to it.
import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import type { Context } from '../context'
import { type Cte, cte, type Fragment } from './cte'

/** Where the deltas are added: a sum for each value of its primary key, in all other columns. */
export interface Total {
  into: PgTable
  /** What a column is made from, where the deltas have none of its name. */
  as?: Readonly<Record<string, Fragment>>
  /** What is made of the deltas that were taken; all of them, unless given. */
  from?: (taken: Fragment) => Fragment
  having?: Fragment
}

/** Takes up to `limit` of the deltas and adds them to the totals; returns how many there were. */
export async function rollUp(ctx: Context, deltas: PgTable, limit: number, totals: Total[]): Promise<number> {
  const taken = takeDeltas(ctx, deltas, limit)
  const [row] = await ctx.sql<{ taken: number }[]>`
    with ${taken.as} ${addToAll(ctx, taken, totals)} select count(*) as taken from ${taken.name}`
  return row?.taken ?? 0
}

/** Whether there is anything to add up. */
export async function hasDeltas({ sql }: Context, deltas: PgTable): Promise<boolean> {
  const table = sql(getTableName(deltas))
  const [row] = await sql<{ some: boolean }[]>`select exists (select from ${table}) as some`
  return row!.some
}

function addToAll(ctx: Context, taken: Taken, totals: Total[]): Fragment {
  const { sql } = ctx
  return totals
    .map((total, index) => sql`, ${sql(`added_${index}`)} as (${addTo(ctx, taken, total)})`)
    .reduce((all, one) => sql`${all} ${one}`)
}

/** Deltas that are being added up. */
type Taken = Cte<string>

export function takeDeltas({ sql }: Context, deltas: PgTable, limit: number): Taken {
  const table = sql(getTableName(deltas))
  const columns = Object.values(getTableColumns(deltas)).map(({ name }) => [name, sql`${sql(name)}`])
  return cte(
    sql,
    'taken',
    Object.fromEntries(columns),
    all => sql`
      delete from ${table} where ctid = any(array(select ctid from ${table} limit ${limit} for update skip locked))
      returning ${all}`,
  )
}

/** Adds what was taken to a total. In one order, so that two can't wait for each other. */
export function addTo({ sql }: Context, taken: Taken, { into, as = {}, from, having }: Total): Fragment {
  const { keys, sums } = columnsOf(into)
  const parts = [
    ...keys.map(key => as[key] ?? sql`${sql(key)}`),
    ...sums.map(sum => sql`sum(${as[sum] ?? sql(sum)})`),
  ]
  const numbers = sql.unsafe(keys.map((_, index) => index + 1).join(', '))
  const added = sums.map(name => `"${name}" = t."${name}" + excluded."${name}"`).join(', ')
  return sql`
    insert into ${sql(getTableName(into))} as t (${sql([...keys, ...sums])})
    select ${parts.reduce((all, part) => sql`${all}, ${part}`)} from ${from?.(taken.name) ?? taken.name}
     group by ${numbers} ${having ? sql`having ${having}` : sql``} order by ${numbers}
    on conflict (${sql(keys)}) do update set ${sql.unsafe(added)}`
}

function columnsOf(table: PgTable): { keys: string[]; sums: string[] } {
  const { columns, primaryKeys } = getTableConfig(table)
  const keys =
    primaryKeys[0]?.columns.map(column => column.name) ??
    columns.filter(({ primary }) => primary).map(({ name }) => name)
  return {
    keys,
    sums: Object.values(getTableColumns(table))
      .map(({ name }) => name)
      .filter(name => !keys.includes(name)),
  }
}

// What is wrong with the months of this database, as sentences: for `waxwing doctor` and `GET /health`. Nothing where no table is split.
import type postgres from 'postgres'
import { startOfMonth } from '../../../lib/time'
import { endOf, restOf } from './ahead'
import { readPartitions, splitTables } from './catalogue'
import { isEmptyPart } from './drop'
import { addMonths, monthName } from './months'
import { monthlyTables } from './tables'

type Sql = postgres.Sql | postgres.TransactionSql

export async function monthWarnings(sql: Sql, now: Date): Promise<string[]> {
  const warnings: string[] = []
  for (const { name } of await splitTables(sql)) {
    const partitions = await readPartitions(sql, name)
    const next = addMonths(startOfMonth(now), 1)
    const remaining = restOf(partitions)
    if (endOf(partitions) <= next)
      warnings.push(
        `${name} has no partition for the next month (${monthName(next)}): an instance makes it within a day, or "waxwing partition ${name}"`,
      )
    if (remaining && !(await isEmptyPart(sql, remaining.name)))
      warnings.push(
        `${remaining.name} holds rows from beyond the last month, which a clock that is ahead makes; they are put in their place when their months are made`,
      )
    for (const part of partitions.filter(({ isLeaving }) => isLeaving))
      warnings.push(`${part.name} was to be dropped and the run did not end: the next one finishes it`)
  }
  for (const name of await begunTables(sql))
    warnings.push(`splitting ${name} was begun and did not end: run "waxwing partition ${name}" again`)
  return warnings
}

/** Tables that a run which was killed left bound to their first partition. */
export async function begunTables(sql: Sql): Promise<string[]> {
  const names = monthlyTables.map(({ name }) => name)
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_constraint join pg_class as class on class.oid = conrelid
     where contype = 'c' and conname = relname || '_before' and relkind = 'r' and relname = any(${names}::text[])
       and relnamespace = current_schema()::regnamespace`
  return rows.map(({ name }) => name)
}

/** Whether there is anything to look after: no question of an instance that has no months. */
export async function hasMonths({ sql }: { readonly sql: Sql }): Promise<boolean> {
  return (await splitTables(sql)).length > 0 || (await begunTables(sql)).length > 0
}

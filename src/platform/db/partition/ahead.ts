// Makes the coming months of tables that are split, and moves rows from beyond the last of them to their month: a clock that
// was ahead made their ids. All in a moment, under a lock that never waits long.
import type postgres from 'postgres'
import { firstIdAt } from '../../../lib/ids'
import { startOfMonth } from '../../../lib/time'
import { inBoundedTransaction, type MigrationSession } from '../migration/session'
import { type Partition, readPartitions, splitTables, writtenColumns } from './catalogue'
import { addMonths, boundsOf, leastAhead, madeAhead, monthsUntil } from './months'
import { makeMonths, readSibling } from './parts'
import { asName, type MonthlyTable } from './tables'

/** The last partition: everything after the months. */
export function restOf(partitions: readonly Partition[]): Partition | undefined {
  return partitions.find(({ to }) => to === undefined)
}

/** Where the months end. */
export function endOf(partitions: readonly Partition[]): Date {
  return new Date(Math.max(...partitions.map(({ to }) => to?.getTime() ?? 0)))
}

/** Returns the tables that got months. */
export async function makeMonthsAhead(session: MigrationSession, now: Date): Promise<string[]> {
  const extended: string[] = []
  for (const table of await splitTables(session.sql)) {
    const partitions = await readPartitions(session.sql, table.name)
    if (!isShort(partitions, now)) continue
    await inBoundedTransaction(session, `months of ${table.name}`, tx => extend(tx, table, now))
    await session.sql.unsafe(`analyze ${asName(table.name)}`)
    extended.push(table.name)
  }
  return extended
}

function isShort(partitions: readonly Partition[], now: Date): boolean {
  return partitions.length > 0 && endOf(partitions) < addMonths(startOfMonth(now), leastAhead + 1)
}

async function extend(tx: postgres.TransactionSql, { name, key }: MonthlyTable, now: Date): Promise<void> {
  const whole = asName(name)
  await tx.unsafe(`lock table ${whole} in access exclusive mode`)
  const partitions = await readPartitions(tx, name)
  if (!isShort(partitions, now)) return
  const sibling = await readSibling(tx, partitions.at(-1)!.name)
  const [start, end] = [endOf(partitions), addMonths(startOfMonth(now), madeAhead + 1)]
  const remaining = restOf(partitions)
  if (remaining) await tx.unsafe(`alter table ${whole} detach partition ${asName(remaining.name)}`)
  await makeMonths(tx, name, monthsUntil(start, end), sibling)
  if (!remaining) return
  const columns = (await writtenColumns(tx, name)).map(asName).join(', ')
  await tx.unsafe(
    `with due as (delete from ${asName(remaining.name)} where ${asName(key)} < '${firstIdAt(end)}' returning *)
     insert into ${whole} (${columns}) select ${columns} from due`,
  )
  await tx.unsafe(
    `alter table ${whole} attach partition ${asName(remaining.name)} ${boundsOf(end, undefined)}`,
  )
}

// Drops whole partitions that nobody needs any more. A partition leaves its table without blocking anybody; then its rows are taken out of
// the totals and it is dropped, in one transaction. A run that was killed in between is finished by the next.
import type postgres from 'postgres'
import { inBoundedTransaction, type MigrationSession, refuseUnlocked } from '../migration/session'
import { type Partition, readPartitions } from './catalogue'
import { boundsOf } from './months'
import { makePart, readSibling } from './parts'
import { asName } from './tables'

type Sql = postgres.Sql | postgres.TransactionSql

/** Books that the rows of a table, whose name is given, are gone. */
export type BookLoss = (tx: postgres.TransactionSql, part: string) => Promise<void>

/** Stands with a partition before it leaves: a month that somebody else detached, to keep it elsewhere, is not ours to drop. */
const mark = 'waxwing: nobody keeps these events any more'

/** Partitions that a killed run detached and did not drop. */
export async function strayParts(sql: Sql, table: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class
     where relkind = 'r' and not relispartition and relnamespace = current_schema()::regnamespace
       and relname ~ ('^' || ${table}::text || '_(first|[0-9]{4}_[0-9]{2})$')
       and obj_description(oid, 'pg_class') = ${mark}`
  return rows.map(({ name }) => name)
}

/** Drops the partitions of a split table, given by their names, and what an earlier run left half-done. Returns what was dropped. */
export async function dropPartitions(
  session: MigrationSession,
  table: string,
  names: readonly string[],
  book: BookLoss,
): Promise<string[]> {
  for (const name of names) await detach(session, table, name)
  const gone = await strayParts(session.sql, table)
  for (const name of gone)
    await inBoundedTransaction(session, `drop ${name}`, async tx => {
      await book(tx, name)
      await tx.unsafe(`drop table ${asName(name)}`)
    })
  if (gone.length > 0) await closeGap(session, table)
  return gone
}

/** Waits for statements that work with the table, and lets others begin meanwhile. */
async function detach(session: MigrationSession, table: string, name: string): Promise<void> {
  await refuseUnlocked(session.sql)
  const part = (await readPartitions(session.sql, table)).find(one => one.name === name)
  if (!part) return
  await inBoundedTransaction(session, `mark of ${name}`, tx =>
    tx.unsafe(`comment on table ${asName(name)} is '${mark}'`),
  )
  const how = part.isLeaving ? 'finalize' : 'concurrently'
  await session.sql.unsafe(`alter table ${asName(table)} detach partition ${asName(name)} ${how}`)
}

/** The first partition reaches up to the oldest month again, so that a row of any time has its place. */
async function closeGap(session: MigrationSession, table: string): Promise<void> {
  await inBoundedTransaction(session, `first part of ${table}`, async tx => {
    const partitions = await readPartitions(tx, table)
    const months = partitions.filter(({ from }) => from !== undefined)
    const oldest = months[0]?.from
    const first = partitions.find(isFirst)
    if (!oldest || first?.to?.getTime() === oldest.getTime()) return
    const bounds = boundsOf(undefined, oldest)
    if (!first) return await makePart(tx, table, 'first', bounds, await readSibling(tx, months[0]!.name))
    const [whole, part] = [asName(table), asName(first.name)]
    await tx.unsafe(`alter table ${whole} detach partition ${part}`)
    await tx.unsafe(`alter table ${whole} attach partition ${part} ${bounds}`)
  })
}

export const isFirst = ({ from, to }: Partition): boolean => from === undefined && to !== undefined

/** Whether a partition has no row. */
export async function isEmptyPart(
  sql: postgres.Sql | postgres.TransactionSql,
  name: string,
): Promise<boolean> {
  const [row] = await sql.unsafe<{ some: boolean }[]>(`select exists (select from ${asName(name)}) as some`)
  return !row!.some
}

// Making partitions: a month like its siblings, with the indexes that each partition has for itself. PostgreSQL keeps a unique index across
// partitions only where the key is part of it; the others hold within each.
import type postgres from 'postgres'
import { type IndexDefinition, indexOn, readIndexes } from './catalogue'
import { boundsOf, type Month, monthName } from './months'
import { asName, wholeName } from './tables'

type Tx = postgres.TransactionSql

/** How a sibling is made, for those that follow it. */
export interface Sibling {
  /** Its storage parameters, which the whole can't have. */
  options: string[]
  /** Indexes of its own. */
  indexes: IndexDefinition[]
}

export async function readSibling(tx: Tx, name: string): Promise<Sibling> {
  const [row] = await tx<{ options: string[] }[]>`
    select coalesce(to_json(reloptions), '[]') as options from pg_class where oid = to_regclass(quote_ident(${name}))`
  const indexes = await readIndexes(tx, name)
  return { options: row?.options ?? [], indexes: indexes.filter(({ isPart }) => !isPart) }
}

/** A partition of `table` that ends in `suffix`. */
export async function makePart(
  tx: Tx,
  table: string,
  suffix: string,
  bounds: string,
  sibling: Sibling,
): Promise<void> {
  const name = `${table}_${suffix}`
  const options = sibling.options.length > 0 ? ` with (${sibling.options.join(', ')})` : ''
  await tx.unsafe(`create table ${asName(name)} partition of ${asName(table)} ${bounds}${options}`)
  for (const index of sibling.indexes)
    await tx.unsafe(indexOn(index, `${wholeName(index.name)}_${suffix}`, name))
}

export async function makeMonths(
  tx: Tx,
  table: string,
  months: readonly Month[],
  sibling: Sibling,
): Promise<void> {
  for (const { from, to } of months) await makePart(tx, table, monthName(from), boundsOf(from, to), sibling)
}

// Steps of a migration on a table that is split by month: PostgreSQL builds no index there while others write, and keeps storage parameters
// and some unique indexes on each partition alone. Each does to the partitions what the step says of the whole.
import type postgres from 'postgres'
import { readPartitions } from '../partition/catalogue'
import { asName } from '../partition/tables'
import { inBoundedTransaction, type MigrationSession } from './session'
import { wordsOf } from './statements'

export interface IndexStep {
  name: string
  statement: string
}

/** The table that an index step is about, and what follows its name. */
function readIndexStep({ statement }: IndexStep): { unique: string; table: string; remaining: string } {
  const words = wordsOf(statement)
  const on = words.toLowerCase().indexOf(' on ')
  const found = /^create (unique )?index concurrently \S+$/i.exec(words.slice(0, on))
  if (on === -1 || !found) throw new Error(`not understood: ${statement.slice(0, 80)}`)
  const target = words.slice(on + ' on '.length).replace(/^only /i, '')
  const end = target.search(/[ (]/)
  return {
    unique: found[1] ?? '',
    table: target.slice(0, end).replaceAll('"', ''),
    remaining: target.slice(end),
  }
}

/** The names of the partitions by what they end in; undefined where the table is not split. */
async function partsOf(
  sql: postgres.Sql | postgres.TransactionSql,
  table: string,
): Promise<Map<string, string> | undefined> {
  const partitions = await readPartitions(sql, table)
  if (partitions.length === 0) return undefined
  return new Map(partitions.map(({ name }) => [name.slice(table.length + 1), name]))
}

/**
 * Makes the index on each partition by `makeOne`, without blocking writes, and joins them to one of the whole. A unique index without the
 * key holds within each partition alone. Returns false where the table is not split.
 */
export async function makeIndexOfParts(
  session: MigrationSession,
  step: IndexStep,
  makeOne: (step: IndexStep) => Promise<void>,
): Promise<boolean> {
  const { unique, table, remaining } = readIndexStep(step)
  const parts = await partsOf(session.sql, table)
  if (!parts) return false
  const isWhole = await makeWhole(
    session,
    step.name,
    `${unique}index ${asName(step.name)} on only ${asName(table)}${remaining}`,
  )
  for (const [suffix, part] of parts) {
    const name = `${step.name}_${suffix}`
    await makeOne({
      name,
      statement: `create ${unique}index concurrently ${asName(name)} on ${asName(part)}${remaining}`,
    })
    if (isWhole)
      await inBoundedTransaction(session, step.name, tx =>
        tx.unsafe(`alter index ${asName(step.name)} attach partition ${asName(name)}`),
      )
  }
  return true
}

/** False where PostgreSQL can't keep it across partitions. */
async function makeWhole(session: MigrationSession, name: string, what: string): Promise<boolean> {
  try {
    await inBoundedTransaction(session, name, async tx => {
      const [found] = await tx<
        { some: boolean }[]
      >`select to_regclass(quote_ident(${name})) is not null as some`
      if (!found!.some) await tx.unsafe(`create ${what}`)
    })
    return true
  } catch (error) {
    if ((error as { code?: string }).code === '0A000' && what.startsWith('unique')) return false
    throw error
  }
}

/** An index of the whole goes with those of the partitions, in a moment; returns false where there is none. */
export async function dropIndexOfParts(session: MigrationSession, statement: string): Promise<boolean> {
  const name = wordsOf(statement).replaceAll('"', '').split(' ').at(-1)!
  const [whole] = await session.sql`
    select from pg_class where relkind = 'I' and oid = to_regclass(quote_ident(${name}))`
  if (whole) {
    await inBoundedTransaction(session, name, tx => tx.unsafe(`drop index ${asName(name)}`))
    return true
  }
  const own = await session.sql<{ name: string }[]>`
    select class.relname as name from pg_index join pg_class as class on class.oid = indexrelid
      join pg_class as part on part.oid = indrelid and part.relispartition
     where class.relname ~ ('^' || ${name}::text || '_(first|rest|[0-9]{4}_[0-9]{2})$')
       and class.relnamespace = current_schema()::regnamespace`
  for (const index of own) await session.sql.unsafe(`drop index concurrently if exists ${asName(index.name)}`)
  return own.length > 0
}

/** Storage parameters of a split table are those of its partitions: the statements for them, or the statement as it is. */
export async function statementsForParts(tx: postgres.TransactionSql, statement: string): Promise<string[]> {
  const [, table, change] = /^alter table (\S+) ((?:set|reset) \(.*)$/i.exec(wordsOf(statement)) ?? []
  const parts = table && (await partsOf(tx, table.replaceAll('"', '')))
  return parts ? [...parts.values()].map(part => `alter table ${asName(part)} ${change}`) : [statement]
}

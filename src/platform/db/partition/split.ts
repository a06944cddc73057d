// Splits a table by month while it is in use. The existing table becomes the first partition as it is: a constraint that new rows obey
// says where it ends, reading the table once proves it for the old ones, and the exchange takes a moment. Each step finds out by itself
// whether it was done, so that a run that was killed can go on where it stopped.
import type postgres from 'postgres'
import { firstIdAt } from '../../../lib/ids'
import { after, day, startOfMonth } from '../../../lib/time'
import { inBoundedTransaction, type MigrationSession, refuseUnlocked } from '../migration/session'
import { type IndexDefinition, indexOn, isSplit, readIndexes, writtenColumns } from './catalogue'
import { addMonths, boundsOf, firstBoundary, madeAhead, momentOf, monthsUntil } from './months'
import { makeMonths, makePart, type Sibling } from './parts'
import { asName, type MonthlyTable, monthlyTables } from './tables'

type Tx = postgres.TransactionSql

/** Called with a line about each thing that happens. */
export type Say = (line: string) => void

const constraintOf = (table: string): string => `${table}_before`
/** Rows whose ids lie beyond the first partition wait here for the others. */
const stagedOf = (table: string): string => `${table}_beyond`

export async function splitTable(
  session: MigrationSession,
  { name, key }: MonthlyTable,
  now: Date,
  say: Say,
): Promise<void> {
  if (await isSplit(session.sql, name)) return
  const boundary = await bindNewRows(session, name, key, now)
  await proveOldRows(session, name, key, boundary, say)
  const began = performance.now()
  await inBoundedTransaction(session, `split ${name}`, tx => exchange(tx, name, boundary, now))
  say(`${name}: split; it was locked for ${Math.ceil(performance.now() - began)} ms at most`)
  await session.sql.unsafe(`analyze ${asName(name)}`)
}

/** From here on no row beyond the boundary comes in; those that are there are put aside. Returns the boundary. */
async function bindNewRows(session: MigrationSession, table: string, key: string, now: Date): Promise<Date> {
  const kept = await readBoundary(session.sql, table)
  // One of an earlier run, whose month is nearly over.
  if (kept && kept >= firstBoundary(now)) return kept
  const boundary = firstBoundary(now)
  await inBoundedTransaction(session, `bound of ${table}`, async tx => {
    const [whole, constraint] = [asName(table), asName(constraintOf(table))]
    await tx.unsafe(`alter table ${whole} drop constraint if exists ${constraint}`)
    await putAside(tx, table, key, boundary, 'known')
    await tx.unsafe(
      `alter table ${whole} add constraint ${constraint} check (${asName(key)} < '${firstIdAt(boundary)}') not valid`,
    )
  })
  return boundary
}

async function readBoundary(sql: postgres.Sql, table: string): Promise<Date | undefined> {
  const [row] = await sql<{ text: string }[]>`
    select pg_get_constraintdef(oid) as text from pg_constraint
     where conrelid = to_regclass(quote_ident(${table})) and conname = ${constraintOf(table)}`
  const id = row && /'([0-9a-f-]{36})'/.exec(row.text)?.[1]
  return id ? momentOf(id) : undefined
}

/**
 * Moves rows from beyond the boundary into a table of their own: a clock that was ahead made them. `known` finds those of projects, by their
 * index; `all` reads the table.
 */
async function putAside(
  tx: Tx,
  table: string,
  key: string,
  boundary: Date,
  which: 'known' | 'all',
): Promise<number> {
  const [whole, staged] = [asName(table), asName(stagedOf(table))]
  const columns = (await writtenColumns(tx, table)).map(asName).join(', ')
  const beyond = `t.${asName(key)} >= '${firstIdAt(boundary)}'`
  const [of, found] =
    which === 'known' ? ['using projects p', `t.project_id = p.id and ${beyond}`] : ['', beyond]
  await tx.unsafe(
    `create table if not exists ${staged} (like ${whole} including generated including defaults)`,
  )
  const { count } = await tx.unsafe(
    `with beyond as (delete from ${whole} t ${of} where ${found} returning t.*)
     insert into ${staged} (${columns}) select ${columns} from beyond`,
  )
  const [left] = await tx.unsafe<{ some: boolean }[]>(`select exists (select from ${staged}) as some`)
  if (!left!.some) await tx.unsafe(`drop table ${staged}`)
  return count
}

/** Reads every row once, beside those who read and write. */
async function proveOldRows(
  session: MigrationSession,
  table: string,
  key: string,
  boundary: Date,
  say: Say,
): Promise<void> {
  const prove = async (): Promise<void> => {
    await refuseUnlocked(session.sql)
    await session.sql.unsafe(
      `alter table ${asName(table)} validate constraint ${asName(constraintOf(table))}`,
    )
  }
  const began = performance.now()
  const seconds = (): number => Math.round((performance.now() - began) / 1_000)
  const telling = setInterval(() => say(`${table}: reading all rows, for ${seconds()} s so far`), 10_000)
  try {
    await prove().catch(async error => {
      if ((error as { code?: string }).code !== '23514') throw error
      // Of projects that are gone: no index finds them.
      await inBoundedTransaction(session, table, tx => putAside(tx, table, key, boundary, 'all'))
      await prove()
    })
  } finally {
    clearInterval(telling)
  }
}

/** In one transaction: the table becomes the first partition of a new one that has its name, indexes and rights. */
async function exchange(tx: Tx, table: string, boundary: Date, now: Date): Promise<void> {
  const [whole, first] = [asName(table), asName(`${table}_first`)]
  await tx.unsafe(`lock table ${whole} in access exclusive mode`)
  const indexes = await readIndexes(tx, table)
  const about = await readAbout(tx, table)
  await tx.unsafe(`alter table ${whole} rename to ${first}`)
  for (const { name } of indexes)
    await tx.unsafe(`alter index ${asName(name)} rename to ${asName(`${name}_first`)}`)
  const key = about.key
  await tx.unsafe(
    `create table ${whole} (like ${first} including all excluding indexes) partition by range (${asName(key)})`,
  )
  await tx.unsafe(`alter table ${whole} drop constraint ${asName(constraintOf(table))}`)
  for (const index of indexes.filter(one => spans(one, key))) await tx.unsafe(indexOfWhole(index, table))
  await tx.unsafe(`alter table ${whole} owner to ${about.owner}`)
  for (const grant of about.grants) await tx.unsafe(grant)
  await tx.unsafe(`alter table ${whole} attach partition ${first} ${boundsOf(undefined, boundary)}`)
  await tx.unsafe(`alter table ${first} drop constraint ${asName(constraintOf(table))}`)
  const sibling = { options: about.options, indexes: indexes.filter(one => !spans(one, key)) }
  await makeFollowing(tx, table, boundary, now, sibling)
}

/** PostgreSQL keeps an index unique across partitions where it has the key. */
const spans = ({ isUnique, columns }: IndexDefinition, key: string): boolean =>
  !isUnique || columns.includes(key)

function indexOfWhole(index: IndexDefinition, table: string): string {
  const { name, primaryKey } = index
  return primaryKey
    ? `alter table ${asName(table)} add constraint ${asName(name)} ${primaryKey}`
    : indexOn(index, name, table)
}

/** The months from the boundary on, what comes after them, and the rows that were put aside. */
async function makeFollowing(
  tx: Tx,
  table: string,
  boundary: Date,
  now: Date,
  sibling: Sibling,
): Promise<void> {
  const end = addMonths(startOfMonth(now), madeAhead + 1)
  await makeMonths(tx, table, monthsUntil(boundary, end), sibling)
  await makePart(tx, table, 'rest', boundsOf(end, undefined), sibling)
  await putBack(tx, table)
}

/** What was put aside goes into the table. */
async function putBack(tx: Tx, table: string): Promise<void> {
  const [staged] = await tx<{ some: boolean }[]>`
    select to_regclass(quote_ident(${stagedOf(table)})) is not null as some`
  if (!staged!.some) return
  const columns = (await writtenColumns(tx, table)).map(asName).join(', ')
  const aside = asName(stagedOf(table))
  await tx.unsafe(`insert into ${asName(table)} (${columns}) select ${columns} from ${aside}`)
  await tx.unsafe(`drop table ${aside}`)
}

interface About {
  key: string
  owner: string
  options: string[]
  grants: string[]
}

async function readAbout(tx: Tx, table: string): Promise<About> {
  const [row] = await tx<About[]>`
    select (select attname from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any(conkey)
             where conrelid = t.oid and conname = ${constraintOf(table)}) as key,
           quote_ident(pg_get_userbyid(relowner)) as owner, coalesce(to_json(reloptions), '[]') as options,
           array(select format('grant %s on %I to %s%s', privilege_type, relname,
                               case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end,
                               case when is_grantable then ' with grant option' else '' end)
                   from aclexplode(relacl) where grantee <> relowner) as grants
      from pg_class as t where oid = to_regclass(quote_ident(${table}))`
  return row!
}

/** How long before its boundary a run that was killed is given up: after it, no row would come in. */
const overdueMs = 3 * day

/** Frees tables that a run which was killed left bound, when their month is nearly over. */
export async function abandonOverdue(session: MigrationSession, now: Date): Promise<void> {
  for (const { name } of monthlyTables) {
    if (await isSplit(session.sql, name)) continue
    const boundary = await readBoundary(session.sql, name)
    if (!boundary || boundary > after(now, overdueMs)) continue
    await inBoundedTransaction(session, `give up splitting ${name}`, async tx => {
      await tx.unsafe(`alter table ${asName(name)} drop constraint ${asName(constraintOf(name))}`)
      await putBack(tx, name)
    })
    session.log.warn({ table: name }, 'splitting it by month was begun and not ended; it was given up')
  }
}

// Statements about single custom fields: the values they hold, and removing a field from all contacts.
import { nilUuid } from '../../../../lib/ids'
import type { Context } from '../../../../platform/context'
import { cte, type Fragment } from '../../../../platform/db/cte'
import type { FieldType } from '../schema'
import { countedContacts } from './changed'
import { wholeContact } from './rows'

/**
 * Different plain values of a field among the newest `sample` contacts, ascending, at most `limit`. No index can answer this for
 * keys that nobody knows in advance, so the number of contacts that are read is what bounds it.
 */
export async function selectFieldValues(
  ctx: Context,
  projectId: string,
  name: string,
  sample: number,
  limit: number,
): Promise<Array<string | number | boolean>> {
  const rows = await ctx.sql<{ value: string | number | boolean }[]>`
    select value
      from (select distinct data -> ${name}::text as value
              from (select data from contacts where project_id = ${projectId}::uuid
                     order by id desc limit ${sample}) as newest
             where data ? ${name}::text) as seen
     where jsonb_typeof(value) in ('string', 'number', 'boolean') and value <> '""'
     order by value limit ${limit}`
  return rows.map(row => row.value)
}

/** How many contacts have a field; exact, rolled up or not. */
export async function selectFieldCount(ctx: Context, projectId: string, name: string): Promise<number> {
  const [row] = await ctx.sql<{ contacts: number }[]>`
    select ${contactsWith(ctx, projectId, ctx.sql`${name}::text`)} as contacts`
  return row?.contacts ?? 0
}

function contactsWith({ sql }: Context, projectId: string, name: Fragment): Fragment {
  return sql`
    (select coalesce(sum(contacts), 0)::bigint
       from (select contacts from contact_field_totals where project_id = ${projectId}::uuid and name = ${name}
              union all
             select (fields ->> ${name})::bigint from contact_deltas
              where project_id = ${projectId}::uuid and fields ? ${name}) as counts)`
}

/** Fields that were registered in a span of time and that no contact has now. */
export async function selectUnusedFields(
  ctx: Context,
  projectId: string,
  { from, to }: { from: Date; to: Date },
): Promise<string[]> {
  const rows = await ctx.sql<{ name: string }[]>`
    select name from contact_fields f
     where project_id = ${projectId}::uuid and created_at between ${from}::timestamptz and ${to}::timestamptz
       and ${contactsWith(ctx, projectId, ctx.sql`f.name`)} = 0`
  return rows.map(({ name }) => name)
}

/** Deletes those of the fields that no contact has, so that the next file may give them another type. Callers hold the registry. */
export async function deleteUnusedFields(
  tx: Context,
  projectId: string,
  names: readonly string[],
): Promise<void> {
  await tx.sql`
    delete from contact_fields f
     where project_id = ${projectId}::uuid and name = any(${names as string[]}::text[])
       and ${contactsWith(tx, projectId, tx.sql`f.name`)} = 0`
}

/**
 * Waits until every contact that gains a field is committed, and has later ones wait for the end of this transaction: one that had
 * found the field registered would otherwise keep a field that nobody knows. Returns the project's newest contact.
 */
export async function holdFieldRegistry(tx: Context, projectId: string): Promise<string> {
  await tx.sql`select pg_advisory_xact_lock(hashtextextended(${`contact fields ${projectId}`}::text, 0))`
  const [newest] = await tx.sql<{ id: string }[]>`
    select id from contacts where project_id = ${projectId}::uuid order by id desc limit 1`
  return newest?.id ?? nilUuid
}

/** Deletes a field with its type, and notes that it was deleted. What was never there is left alone. */
export async function deleteFieldEntry(
  ctx: Context,
  projectId: string,
  name: string,
  now: Date,
): Promise<void> {
  await ctx.sql`
    with gone as (
      delete from contact_fields where project_id = ${projectId}::uuid and name = ${name} returning project_id, name
    )
    insert into contact_deleted_fields (project_id, name, deleted_at) select project_id, name, ${now}::timestamptz from gone
    on conflict (project_id, name) do update set deleted_at = excluded.deleted_at`
}

/** Those of the names that were deleted and not seen since. */
export async function selectDeletedFields(
  ctx: Context,
  projectId: string,
  names: readonly string[],
): Promise<string[]> {
  const rows = await ctx.sql<{ name: string }[]>`
    select name from contact_deleted_fields d
     where project_id = ${projectId}::uuid and name = any(${names as string[]}::text[])
       and not exists (select from contact_fields f where f.project_id = d.project_id and f.name = d.name)`
  return rows.map(({ name }) => name)
}

export interface ClearedPage {
  /** Contacts that had the field. */
  cleared: number
  /** The last contact that was looked at; null when none was left. */
  last: string | null
}

/**
 * Removes a field from the contacts past `after`, looking at up to `limit` of them. Contacts made after the deletion began
 * (ids past `until`) are left alone: what they have is new. What changes is computed from the locked rows, which nobody else
 * can change: joining the written ones with them took 5 s for 5,000, because the planner takes both for tiny.
 */
export async function clearField(
  ctx: Context,
  projectId: string,
  name: string,
  range: { after: string; until: string; limit: number },
  now: Date,
): Promise<ClearedPage> {
  const { sql } = ctx
  const locked = cte(
    sql,
    'locked',
    wholeContact(ctx),
    columns => sql`
      select ${columns} from contacts c
       where project_id = ${projectId}::uuid and id = any(array(select id from page where has)) and data ? ${name}::text
       order by email for update`,
  )
  const change = {
    ...{ project_id: sql`project_id`, before: sql`data`, after: sql`data - ${name}::text` },
    ...{ was_subscribed: sql`subscribed`, subscribed: sql`subscribed` },
  }
  const [row] = await sql<ClearedPage[]>`
    with page as materialized (
      select id, data ? ${name}::text as has from contacts
       where project_id = ${projectId}::uuid and id > ${range.after}::uuid and id <= ${range.until}::uuid
       order by id limit ${range.limit}
    ), ${locked.as}, written as (
      update contacts c set data = c.data - ${name}::text, updated_at = ${now}::timestamptz
        from ${locked.name} l where c.project_id = ${projectId}::uuid and c.id = l.id
    ), ${countedContacts(ctx, now, change, locked.name)}
    select (select count(*) from ${locked.name}) as cleared, (select id from page order by id desc limit 1) as last`
  return row ?? { cleared: 0, last: null }
}

/** The names of all custom fields, ascending. */
export async function selectFieldNames(ctx: Context, projectId: string): Promise<string[]> {
  const rows = await ctx.sql<{ name: string }[]>`
    select name from contact_fields where project_id = ${projectId}::uuid order by name`
  return rows.map(row => row.name)
}

/** The types of those of the names that the project knows. */
export async function selectFieldTypes(
  ctx: Context,
  projectId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, FieldType>> {
  const rows = await ctx.sql<{ name: string; type: FieldType }[]>`
    select name, type from contact_fields
     where project_id = ${projectId}::uuid and name = any(${names as string[]}::text[])`
  return new Map(rows.map(({ name, type }) => [name, type]))
}

/** Registers fields with the types that a person chose; a field that is known keeps its own. */
export async function learnFieldTypes(
  tx: Context,
  projectId: string,
  fields: ReadonlyArray<{ name: string; type: FieldType }>,
): Promise<void> {
  await tx.sql`
    with registry as materialized (
      select pg_advisory_xact_lock_shared(hashtextextended(${`contact fields ${projectId}`}::text, 0))
    )
    insert into contact_fields (project_id, name, type, created_at)
    select ${projectId}::uuid, f.name, f.type, ${tx.clock.now()}::timestamptz
      from registry cross join jsonb_to_recordset(${JSON.stringify(fields)}::jsonb) as f(name text, type text)
     order by f.name
    on conflict (project_id, name) do nothing`
}

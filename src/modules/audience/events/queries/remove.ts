// Deleting events, a bounded number at a time. The totals are lowered by the statement that deletes.
import type postgres from 'postgres'
import { endOfIdsAt, firstIdAt } from '../../../../lib/ids'
import type { Context } from '../../../../platform/context'
import { asName } from '../../../../platform/db/partition/tables'

/** Deletes up to `limit` events of the contacts; returns how many there were. */
export async function deleteContactEvents(
  ctx: Context,
  projectId: string,
  contactIds: readonly string[],
  limit: number,
): Promise<number> {
  const { sql } = ctx
  const selected = sql`
    select id from events
     where project_id = ${projectId}::uuid and contact_id = any(${contactIds as string[]}::uuid[])
     limit ${limit} for update skip locked`
  return (await removeRows(ctx, projectId, selected)).deleted
}

/** Notes that a name was deleted now. What was never recorded is left alone. */
export async function noteDeletedName(
  ctx: Context,
  projectId: string,
  name: string,
  now: Date,
): Promise<void> {
  await ctx.sql`
    insert into event_deleted_names (project_id, name, deleted_at)
    select ${projectId}::uuid, ${name}::text, ${now}::timestamptz
     where exists (select from events where project_id = ${projectId}::uuid and name = ${name})
    on conflict (project_id, name) do update set deleted_at = excluded.deleted_at`
}

/** Those of the names that were deleted and not recorded since. */
export async function selectDeletedNames(
  ctx: Context,
  projectId: string,
  names: readonly string[],
): Promise<string[]> {
  const rows = await ctx.sql<{ name: string }[]>`
    select name from event_deleted_names d
     where project_id = ${projectId}::uuid and name = any(${names as string[]}::text[])
       and not exists (select from events e
                        where e.project_id = ${projectId}::uuid and e.name = d.name and e.created_at > d.deleted_at)`
  return rows.map(({ name }) => name)
}

/** Events of a name whose times are in this span, both ends included. */
export interface NamedSpan {
  name: string
  from: Date
  until: Date
}

export interface Removal {
  deleted: number
  /** Time of the newest event that was deleted; null without any. */
  reached: Date | null
}

/**
 * Deletes the oldest events of a span, up to `limit`. The next call starts where this one got to: from the beginning it would step over
 * all index entries of what is already gone.
 */
export async function deleteNamedEvents(
  ctx: Context,
  projectId: string,
  { name, from, until }: NamedSpan,
  limit: number,
): Promise<Removal> {
  const { sql } = ctx
  const selected = sql`
    select id from events
     where project_id = ${projectId}::uuid and name = ${name} and created_at between ${from} and ${until}
           and id >= ${firstIdAt(from)}::uuid and id < ${endOfIdsAt(until)}::uuid
     order by created_at, id limit ${limit} for update skip locked`
  return await removeRows(ctx, projectId, selected)
}

/** Deletes the oldest events from one moment up to another, up to `limit`: ids are made from the time, so their index is in its order. */
export async function deleteOldEvents(
  ctx: Context,
  projectId: string,
  { from, before }: { from: Date; before: Date },
  limit: number,
): Promise<Removal> {
  const { sql } = ctx
  const selected = sql`
    select id from events
     where project_id = ${projectId}::uuid and id >= ${firstIdAt(from)}::uuid and id < ${firstIdAt(before)}::uuid
     order by id limit ${limit} for update skip locked`
  return await removeRows(ctx, projectId, selected)
}

/** How many events are older; `most` where there are more. */
export async function countEventsBefore(
  ctx: Context,
  projectId: string,
  before: Date,
  most: number,
): Promise<number> {
  const [row] = await ctx.sql<{ found: number }[]>`
    select count(*) as found
      from (select from events where project_id = ${projectId}::uuid and id < ${firstIdAt(before)}::uuid limit ${most}) as counted`
  return row?.found ?? 0
}

/** Rows that another transaction is deleting at the same time are left to it (hence "skip locked" in the callers' selections). */
async function removeRows(
  { sql }: Context,
  projectId: string,
  selected: postgres.PendingQuery<postgres.Row[]>,
): Promise<Removal> {
  const [row] = await sql<Removal[]>`
    with selected as materialized (${selected}), gone as (
      delete from events e using selected d where e.project_id = ${projectId}::uuid and e.id = d.id
      returning e.id, e.name, e.created_at
    ), forgotten as (
      delete from event_transients t using gone g where t.project_id = ${projectId}::uuid and t.event_id = g.id
    ), counted as (
      insert into event_deltas (project_id, name, day, count)
      select ${projectId}::uuid, name, (created_at at time zone 'UTC')::date, -count(*) from gone group by 2, 3
    )
    select count(*) as deleted, max(created_at) as reached from gone`
  return row ?? { deleted: 0, reached: null }
}

/** The totals of a month that is about to be dropped: of projects that are still there. */
export async function bookLostEvents(sql: postgres.TransactionSql, month: string): Promise<void> {
  await sql.unsafe(`
    insert into event_deltas (project_id, name, day, count)
    select project_id, name, (created_at at time zone 'UTC')::date, -count(*) from ${asName(month)} e
     where exists (select from projects p where p.id = e.project_id) group by 1, 2, 3`)
}

/** Deletes up to `limit` of the values that were sent for a single event and have been kept since before `until`. */
export async function deleteTransients(ctx: Context, until: Date, limit: number): Promise<number> {
  const rows = await ctx.sql`
    delete from event_transients
     where (project_id, event_id) in (select project_id, event_id from event_transients
                                       where created_at < ${until} order by created_at limit ${limit})
    returning 1`
  return rows.length
}

// All SQL of events. Rows and the change of the totals are one statement, so neither can exist without the other.
import type { Context } from '../../platform/context'

export interface EventRow {
  id: string
  projectId: string
  name: string
  contactId: string | null
  emailId: string | null
  data: Record<string, unknown> | null
  createdAt: Date
}

/**
 * Inserts rows of any projects and appends what that changes in their totals. Answers the ids of those events whose name
 * somebody listens for.
 */
export async function insertEvents(ctx: Context, rows: readonly EventRow[]): Promise<string[]> {
  const heard = await ctx.sql<{ id: string }[]>`
    with added as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as r(
             id uuid, "projectId" uuid, name text, "contactId" uuid, "emailId" uuid, data jsonb, "createdAt" timestamptz)
    ), inserted as (
      insert into events (id, project_id, name, contact_id, email_id, data, created_at)
      select id, "projectId", name, "contactId", "emailId", nullif(data, 'null'), "createdAt" from added
    ), counted as (
      insert into event_deltas (project_id, name, day, count)
      select "projectId", name, ("createdAt" at time zone 'UTC')::date, count(*) from added group by 1, 2, 3
    )
    select id from added
     where exists (select from event_listeners l where l.project_id = added."projectId" and l.name = added.name)`
  return heard.map(row => row.id)
}

export async function selectEvent(
  ctx: Context,
  projectId: string,
  eventId: string,
): Promise<EventRow | undefined> {
  const [row] = await ctx.sql<EventRow[]>`
    select id, project_id as "projectId", name, contact_id as "contactId", email_id as "emailId", data,
           created_at as "createdAt"
      from events where project_id = ${projectId}::uuid and id = ${eventId}::uuid`
  return row
}

/** Makes `names` the set that a listener listens for. */
export async function replaceListener(
  ctx: Context,
  projectId: string,
  listenerId: string,
  names: readonly string[],
): Promise<void> {
  await ctx.sql`
    with dropped as (
      delete from event_listeners
       where project_id = ${projectId}::uuid and listener_id = ${listenerId}::uuid and name <> all(${names}::text[])
    )
    insert into event_listeners (project_id, name, listener_id)
    select ${projectId}::uuid, name, ${listenerId}::uuid from unnest(${names}::text[]) as name
    on conflict do nothing`
}

/** Deletes up to `limit` events of the contacts, and takes them out of the totals; answers how many there were. */
export async function deleteContactEvents(
  ctx: Context,
  projectId: string,
  contactIds: readonly string[],
  limit: number,
): Promise<number> {
  const [row] = await ctx.sql<{ deleted: number }[]>`
    with doomed as materialized (
      select id from events
       where project_id = ${projectId}::uuid and contact_id = any(${contactIds as string[]}::uuid[])
       limit ${limit} for update skip locked
    ), gone as (
      delete from events e using doomed d where e.project_id = ${projectId}::uuid and e.id = d.id
      returning e.name, e.created_at
    ), counted as (
      insert into event_deltas (project_id, name, day, count)
      select ${projectId}::uuid, name, (created_at at time zone 'UTC')::date, -count(*) from gone group by 2, 3
    )
    select count(*) as deleted from gone`
  return row?.deleted ?? 0
}

export interface NameCount {
  name: string
  count: number
}

/** How often each name was recorded, ever; most frequent first. Exact: what is not folded yet is added. */
export async function selectNameCounts(ctx: Context, projectId: string): Promise<NameCount[]> {
  return await ctx.sql<NameCount[]>`
    select name, sum(count)::bigint as count
      from (select name, count from event_totals where project_id = ${projectId}::uuid
             union all
            select name, count from event_deltas where project_id = ${projectId}::uuid) as counts
     group by name having sum(count) > 0
     order by 2 desc, 1`
}

/**
 * Adds up to `limit` deltas of any projects to the totals; answers how many there were. Rows that another process is folding
 * are left to it.
 */
export async function foldDeltas(ctx: Context, limit: number): Promise<number> {
  const [row] = await ctx.sql<{ folded: number }[]>`
    with taken as materialized (
      delete from event_deltas
       where ctid = any(array(select ctid from event_deltas limit ${limit} for update skip locked))
      returning project_id, name, day, count
    ), folded as (
      insert into event_totals as t (project_id, name, day, count)
      select project_id, name, day, sum(count) from taken group by 1, 2, 3 order by 1, 2, 3
      on conflict (project_id, name, day) do update set count = t.count + excluded.count
    )
    select count(*) as folded from taken`
  return row?.folded ?? 0
}

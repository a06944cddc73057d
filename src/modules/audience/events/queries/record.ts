// Writing events, and reading them back for those who act on them. Rows and the change of the totals are written by one statement, so
// neither can exist without the other.
import type { Context } from '../../../../platform/context'
import type { EventRow } from './list'

/** An event with the number of workflows between it and what came from outside. */
export interface HeardEvent extends EventRow {
  hops: number
}

export interface InsertedEvent extends EventRow {
  /** Null for none. */
  hops: number | null
  /** Values for this event only; kept for a while, and only with a contact and where somebody listens for the name. */
  transient: Record<string, unknown> | null
}

/**
 * Inserts rows of any projects and appends the changes to their totals. Returns the ids of those events whose name somebody listens for.
 */
export async function insertEvents(ctx: Context, rows: readonly InsertedEvent[]): Promise<string[]> {
  const heard = await ctx.sql<{ id: string }[]>`
    with added as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as r(
             id uuid, "projectId" uuid, name text, "contactId" uuid, "emailId" uuid, data jsonb, transient jsonb,
             hops smallint, "createdAt" timestamptz)
    ), inserted as (
      insert into events (id, project_id, name, contact_id, email_id, data, hops, created_at)
      select id, "projectId", name, "contactId", "emailId", nullif(data, 'null'), hops, "createdAt" from added
    ), counted as (
      insert into event_deltas (project_id, name, day, count)
      select "projectId", name, ("createdAt" at time zone 'UTC')::date, count(*) from added group by 1, 2, 3
    ), heard as materialized (
      select id, "projectId", "contactId", transient, "createdAt" from added
       where exists (select from event_listeners l where l.project_id = added."projectId" and l.name = added.name)
    ), kept as (
      insert into event_transients (project_id, event_id, data, created_at)
      select "projectId", id, transient, "createdAt" from heard
       where jsonb_typeof(transient) = 'object' and "contactId" is not null
    )
    select id from heard`
  return heard.map(row => row.id)
}

/**
 * Events with all that they carried, oldest first: values that were sent for a single event are among its data, as long as they are kept.
 */
export async function selectEventsById(
  ctx: Context,
  projectId: string,
  eventIds: readonly string[],
): Promise<HeardEvent[]> {
  return await ctx.sql<HeardEvent[]>`
    select e.id, e.project_id as "projectId", e.name, e.contact_id as "contactId", e.email_id as "emailId",
           case when t.data is null then e.data else coalesce(e.data, '{}') || t.data end as data,
           coalesce(e.hops, 0) as hops, e.created_at as "createdAt"
      from events e left join event_transients t on t.project_id = e.project_id and t.event_id = e.id
     where e.project_id = ${projectId}::uuid and e.id = any(${eventIds as string[]}::uuid[])
     order by e.id`
}

/** The data of up to `limit` of the newest events that have any, of one name or of all. */
export async function selectNewestData(
  ctx: Context,
  projectId: string,
  name: string | null,
  limit: number,
): Promise<Record<string, unknown>[]> {
  const { sql } = ctx
  // Events without data could make this a scan; if this many of the newest have no data, hardly any have.
  const lookBack = limit * 100
  const rows = await sql<Pick<EventRow, 'data'>[]>`
    select e.data
      from (select data from events
             where project_id = ${projectId}::uuid ${name === null ? sql`` : sql`and name = ${name}`}
             order by ${name === null ? sql`` : sql`created_at desc,`} id desc limit ${lookBack}) e
     where e.data is not null limit ${limit}`
  return rows.map(row => row.data ?? {})
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

export async function moveEventsOfContact(
  ctx: Context,
  projectId: string,
  from: string,
  to: string,
): Promise<void> {
  await ctx.sql`
    update events set contact_id = ${to}::uuid where project_id = ${projectId}::uuid and contact_id = ${from}::uuid`
}

// The sources of the feed: events by time, by contact or by name, and executions by their beginning and their end. Each walks one
// index in the order of the feed, whatever the filter; none may depend on how rare what somebody asks for is.
import { endOfIdsAt } from '../../../../lib/ids'
import type { Context } from '../../../../platform/context'
import type { Fragment } from '../../../../platform/db/cte'
import { idBound, lowestIdAt } from '../position'
import type { Listing } from './feed'

export interface FeedSource {
  /** Up to `limit` rows of the feed, in its order. */
  rows(limit: number): Fragment
  /** Up to `limit` rows without anything in them; in order too, so that the planner can choose nothing but the index. */
  bare(limit: number): Fragment
}

export function branches(ctx: Context, projectId: string, listing: Listing): FeedSource[] {
  const { events, started, completed } = listing.wanted
  return [
    ...(events ? [eventBranch(ctx, projectId, listing)] : []),
    ...(started ? [executionBranch(ctx, projectId, listing, 'started')] : []),
    ...(completed ? [executionBranch(ctx, projectId, listing, 'completed')] : []),
  ]
}

function eventBranch(ctx: Context, projectId: string, listing: Listing): FeedSource {
  if (listing.contactId !== undefined) return contactEvents(ctx, projectId, listing)
  return listing.wanted.events === 'all'
    ? allEvents(ctx, projectId, listing)
    : namedEvents(ctx, projectId, listing)
}

function eventRow({ sql }: Context) {
  return sql`
    select e.created_at as at, e.id, 0 as rank, 'event' as source, e.contact_id, e.name, e.data, e.email_id,
           null::uuid as workflow_id, null as status, null as exit_reason`
}

/** By the primary key: ids of events are made from their time. */
function allEvents(ctx: Context, projectId: string, { from, until, after }: Listing): FeedSource {
  const { sql } = ctx
  const bound = idBound(after, until)
  const where = sql`
    from events e
   where e.project_id = ${projectId}::uuid and e.id >= ${lowestIdAt(from.getTime())}::uuid
         ${bound === undefined ? sql`` : sql`and e.id < ${bound}::uuid`}`
  return {
    rows: limit => sql`${eventRow(ctx)} ${where} order by e.id desc limit ${limit}`,
    bare: limit => sql`select ${where} order by e.id desc limit ${limit}`,
  }
}

/** Those of one contact are few; the names are looked at one by one. */
function contactEvents(ctx: Context, projectId: string, listing: Listing): FeedSource {
  const { sql } = ctx
  const where = sql`
    from events e
   where e.project_id = ${projectId}::uuid and e.contact_id = ${listing.contactId!}::uuid
         ${inSpan(ctx, listing)} ${ofNames(ctx, listing)}`
  return {
    rows: limit => sql`${eventRow(ctx)} ${where} order by e.created_at desc, e.id desc limit ${limit}`,
    bare: limit => sql`select ${where} order by e.created_at desc, e.id desc limit ${limit}`,
  }
}

/**
 * By the index of names, name by name: one that is asked for may be rare among a hundred million others. Of many names only those
 * are read that have one of the newest events, since the others can't be on the page; and rows are read only once it is clear which.
 */
function namedEvents(ctx: Context, projectId: string, listing: Listing): FeedSource {
  const { sql } = ctx
  const names = wantedNames(ctx, projectId, listing)
  const entries = sql`
    from events e where e.project_id = ${projectId}::uuid and e.name = n.name ${inSpan(ctx, listing)}`
  const newest = (limit: number) => sql`
    select n.name
      from (${names}) as n
     cross join lateral (select e.created_at, e.id ${entries} order by e.created_at desc, e.id desc limit 1) as e
     order by e.created_at desc, e.id desc limit ${limit}`
  return {
    rows: limit => sql`
      ${eventRow(ctx)}
        from (select e.id
                from (${newest(limit)}) as n
               cross join lateral (
                 select e.created_at, e.id ${entries} order by e.created_at desc, e.id desc limit ${limit}) as e
               order by e.created_at desc, e.id desc limit ${limit}) as found
        join events e on e.project_id = ${projectId}::uuid and e.id = found.id`,
    bare: limit => sql`
      select from (${names}) as n cross join lateral (select ${entries} order by e.created_at desc, e.id desc limit ${limit}) as e
       limit ${limit}`,
  }
}

/** Names that a project has are in its totals, or not rolled up yet. */
function wantedNames({ sql }: Context, projectId: string, { wanted }: Listing): Fragment {
  const names = wanted.events as Exclude<Listing['wanted']['events'], 'all' | undefined>
  if ('only' in names) return sql`select unnest(${names.only}::text[]) as name`
  return sql`
    select name from event_name_totals where project_id = ${projectId}::uuid and name <> all(${names.except}::text[])
     union
    select name from event_deltas where project_id = ${projectId}::uuid and name <> all(${names.except}::text[])`
}

/** Also as a span of ids: where events are split by month, the other months are not looked into. */
function inSpan({ sql }: Context, { from, until, after }: Listing) {
  const newest = after && (!until || after.at < until) ? after.at : until
  return sql`
    and e.created_at >= ${from}::timestamptz and e.id >= ${lowestIdAt(from.getTime())}::uuid
    ${newest ? sql`and e.id < ${endOfIdsAt(newest)}::uuid` : sql``}
    ${until ? sql`and e.created_at <= ${until}::timestamptz` : sql``}
    ${after ? sql`and (e.created_at, e.id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}`
}

function ofNames({ sql }: Context, { wanted: { events } }: Listing) {
  if (events === 'all' || events === undefined) return sql``
  return 'only' in events
    ? sql`and e.name = any(${events.only}::text[])`
    : sql`and e.name <> all(${events.except}::text[])`
}

/** Beginning and end of one execution have one id: after its end comes its beginning. */
function executionBranch(
  { sql }: Context,
  projectId: string,
  { from, until, after, contactId }: Listing,
  what: 'started' | 'completed',
): FeedSource {
  const isStart = what === 'started'
  const at = isStart ? sql`x.started_at` : sql`x.completed_at`
  const behind = isStart && after?.rank === 1 ? sql`<=` : sql`<`
  const where = sql`
    from workflow_executions x
   where x.project_id = ${projectId}::uuid and ${at} is not null and ${at} >= ${from}::timestamptz
         ${until ? sql`and ${at} <= ${until}::timestamptz` : sql``}
         ${contactId === undefined ? sql`` : sql`and x.contact_id = ${contactId}::uuid`}
         ${after ? sql`and (${at}, x.id) ${behind} (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}`
  return {
    rows: limit => sql`
      select ${at} as at, x.id, ${isStart ? 0 : 1}::int as rank, ${what}::text as source, x.contact_id, null as name,
             null::jsonb as data, null::uuid as email_id, x.workflow_id, x.status, x.exit_reason
             ${where} order by ${at} desc, x.id desc limit ${limit}`,
    bare: limit => sql`select ${where} order by ${at} desc, x.id desc limit ${limit}`,
  }
}

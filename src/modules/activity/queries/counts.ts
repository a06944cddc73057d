// Counts of what went on: from the kept totals where there are any, otherwise by index and up to a bound.
import type { Context } from '../../../platform/context'
import type { DaySpan } from '../../emails'
import { lowestIdAt } from '../position'

/** Everything that was recorded or made since then: events, messages and executions; `most` where there are more. */
export async function countSince(
  ctx: Context,
  projectId: string,
  since: Date,
  most: number,
): Promise<number> {
  const { sql } = ctx
  const project = sql`${projectId}::uuid`
  const [row] = await sql<{ found: number }[]>`
    select count(*) as found
      from (select from (
              (select from events where project_id = ${project} and id >= ${lowestIdAt(since.getTime())}::uuid
                order by id limit ${most})
               union all
              (select from emails where project_id = ${project} and created_at >= ${since}::timestamptz
                  and id >= ${lowestIdAt(since.getTime())}::uuid
                order by created_at limit ${most})
               union all
              (select from workflow_executions where project_id = ${project} and started_at >= ${since}::timestamptz
                order by started_at limit ${most})
            ) as sources limit ${most}) as counted`
  return row?.found ?? 0
}

export interface Presence {
  /** Names of events that have a type of their own. */
  typed: string[]
  /** Whether there are events of other names. */
  others: boolean
  started: boolean
  completed: boolean
}

/** Which kinds of activity a project has. The greatest time is one probe of an index; `exists` may be a scan for a project that has none. */
export async function selectPresence(
  ctx: Context,
  projectId: string,
  typedNames: readonly string[],
): Promise<Presence> {
  const { sql } = ctx
  const project = sql`${projectId}::uuid`
  const names = typedNames as string[]
  const [row] = await sql<Presence[]>`
    with names as materialized (
      select name
        from (select name, count from event_name_totals where project_id = ${project}
               union all
              select name, count from event_deltas where project_id = ${project}) as counts
       group by name having sum(count) > 0
    )
    select array(select name from names where name = any(${names}::text[])) as typed,
           exists (select from names where name <> all(${names}::text[])) as others,
           (select max(started_at) from workflow_executions where project_id = ${project}) is not null as started,
           (select max(completed_at) from workflow_executions where project_id = ${project}) is not null as completed`
  return row!
}

/** All events of a span, from the totals by day. */
export async function countEvents(
  ctx: Context,
  projectId: string,
  { first, last }: DaySpan,
): Promise<number> {
  const [row] = await ctx.sql<{ count: number }[]>`
    select coalesce(sum(count), 0)::bigint as count
      from (select count from event_totals
             where project_id = ${projectId}::uuid and day between ${first}::text::date and ${last}::text::date
             union all
            select count from event_deltas
             where project_id = ${projectId}::uuid and day between ${first}::text::date and ${last}::text::date) as counts`
  return row?.count ?? 0
}

/** Executions that began in a span; `most` where there are more. */
export async function countStarted(
  ctx: Context,
  projectId: string,
  { first, last }: DaySpan,
  most: number,
): Promise<number> {
  const [row] = await ctx.sql<{ found: number }[]>`
    select count(*) as found
      from (select from workflow_executions
             where project_id = ${projectId}::uuid
               and started_at >= ${first}::text::timestamp at time zone 'UTC'
               and started_at < (${last}::text::date + 1)::timestamp at time zone 'UTC'
             order by started_at limit ${most}) as counted`
  return row?.found ?? 0
}

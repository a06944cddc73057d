// The counts of events: rolled up by a job, and read exactly at any moment (the totals, and what is not rolled up yet). No read of them
// touches the events.

import type { Context } from '../../../../platform/context'
import { hasDeltas, rollUp } from '../../../../platform/db/roll-up'
import { eventDeltas, eventNameTotals, eventTotals } from '../schema'

export interface NameCount {
  name: string
  count: number
}

/** More than anybody reads. */
const maxNames = 10_000

/** How often each name has been recorded in all; most frequent first. */
export async function selectNameCounts(ctx: Context, projectId: string): Promise<NameCount[]> {
  return await ctx.sql<NameCount[]>`
    select name, sum(count)::bigint as count
      from (select name, count from event_name_totals where project_id = ${projectId}::uuid
             union all
            select name, count from event_deltas where project_id = ${projectId}::uuid) as counts
     group by name having sum(count) > 0
     order by 2 desc, 1 limit ${maxNames}`
}

/** A span of whole days in UTC, as `YYYY-MM-DD`, both included; null for no bound. */
export interface OpenDaySpan {
  first: string | null
  last: string | null
}

/** The same for a span of days. */
export async function selectDayCounts(
  ctx: Context,
  projectId: string,
  days: OpenDaySpan,
): Promise<NameCount[]> {
  const first = days.first ?? '-infinity'
  const last = days.last ?? 'infinity'
  return await ctx.sql<NameCount[]>`
    select name, sum(count)::bigint as count
      from (select name, count from event_totals
             where project_id = ${projectId}::uuid and day between ${first}::text::date and ${last}::text::date
             union all
            select name, count from event_deltas
             where project_id = ${projectId}::uuid and day between ${first}::text::date and ${last}::text::date) as counts
     group by name having sum(count) > 0
     order by 2 desc, 1 limit ${maxNames}`
}

/** How often a name was recorded on each day of the span; days without it are left out. */
export async function selectNameDays(
  ctx: Context,
  projectId: string,
  name: string,
  { first, last }: { first: string; last: string },
): Promise<Array<{ day: string; count: number }>> {
  return await ctx.sql<Array<{ day: string; count: number }>>`
    select day::text as day, sum(count)::bigint as count
      from (select day, count from event_totals
             where project_id = ${projectId}::uuid and name = ${name}
               and day between ${first}::text::date and ${last}::text::date
             union all
            select day, count from event_deltas
             where project_id = ${projectId}::uuid and name = ${name}
               and day between ${first}::text::date and ${last}::text::date) as counts
     group by 1 order by 1`
}

/** How many events there are, of one name or of all. */
export async function selectCount(ctx: Context, projectId: string, name: string | null): Promise<number> {
  const ofName = name === null ? ctx.sql`` : ctx.sql`and name = ${name}`
  const [row] = await ctx.sql<{ count: number }[]>`
    select coalesce(sum(count), 0)::bigint as count
      from (select count from event_name_totals where project_id = ${projectId}::uuid ${ofName}
             union all
            select count from event_deltas where project_id = ${projectId}::uuid ${ofName}) as counts`
  return row?.count ?? 0
}

export async function hasEventDeltas(ctx: Context): Promise<boolean> {
  return await hasDeltas(ctx, eventDeltas)
}

/**
 * Adds up to `limit` deltas of any projects to the totals; returns how many there were. Rows that another process is rolling up
 * are left to it.
 */
export async function rollUpEventDeltas(ctx: Context, limit: number): Promise<number> {
  return await rollUp(ctx, eventDeltas, limit, [{ into: eventTotals }, { into: eventNameTotals }])
}

// The counts of messages by day and hour: appended where rows are made, rolled up by a job, and read exactly at any moment (the totals,
// and what is not rolled up yet). No read of them touches the messages.

import type { Context } from '../../../../platform/context'
import { insertRows } from '../../../../platform/db/insert-rows'
import { addTo, takeDeltas } from '../../../../platform/db/roll-up'
import { type DayChange, type DayCounts, dayCountNames, type MonthUsage, sumDayChanges } from '../days'
import { emailDayDeltas, emailDays, emailHours, type SourceType } from '../schema'

const deltaNames = ['projectId', 'hour', 'sourceType', 'isSimulated', ...dayCountNames, 'used'] as const

/** Appends what changed, as part of the statement that makes the rows: `with counted as (…)`. */
export function insertedDays(ctx: Context, changes: readonly DayChange[]) {
  return insertRows(ctx, emailDayDeltas, deltaNames, sumDayChanges(changes))
}

/** A span of whole days in UTC, as `YYYY-MM-DD`, both included. */
export interface DaySpan {
  first: string
  last: string
}

export interface DayRow extends DayCounts {
  day: string
}

/** The counts of each day of the span that has any, oldest first. */
export async function selectDays(ctx: Context, projectId: string, span: DaySpan): Promise<DayRow[]> {
  return await ctx.sql<DayRow[]>`
    select day::text as day, ${sums(ctx)} from (${parts(ctx, projectId, span)}) as parts group by day order by day`
}

export interface SourceRow extends DayCounts {
  sourceType: SourceType
}

/** The counts of the span by source. */
export async function selectDaysBySource(
  ctx: Context,
  projectId: string,
  span: DaySpan,
): Promise<SourceRow[]> {
  return await ctx.sql<SourceRow[]>`
    select source_type as "sourceType", ${sums(ctx)} from (${parts(ctx, projectId, span)}) as parts
     group by source_type order by source_type`
}

function sums({ sql }: Context) {
  return sql`
    sum(created)::bigint as created, sum(sent)::bigint as sent, sum(delivered)::bigint as delivered,
    sum(opened)::bigint as opened, sum(clicked)::bigint as clicked, sum(bounced)::bigint as bounced,
    sum(complained)::bigint as complained, sum(failed)::bigint as failed`
}

/** What is rolled up, and what is not rolled up yet. */
function parts({ sql }: Context, projectId: string, { first, last }: DaySpan) {
  return sql`
    select day, source_type, created, sent, delivered, opened, clicked, bounced, complained, failed
      from email_days
     where project_id = ${projectId}::uuid and day between ${first}::text::date and ${last}::text::date
     union all
    select (hour at time zone 'UTC')::date, source_type, created, sent, delivered, opened, clicked, bounced, complained, failed
      from email_day_deltas
     where project_id = ${projectId}::uuid and source_type <> 'INBOUND'
       and (hour at time zone 'UTC')::date between ${first}::text::date and ${last}::text::date`
}

/** The figures behind a project's reputation. */
export interface Reputation {
  total: number
  bounces: number
  complaints: number
}

/** Messages made since the beginning of an hour, and their hard bounces and complaints; simulated ones are left out. */
export async function selectReputation(ctx: Context, projectId: string, since: Date): Promise<Reputation> {
  const [row] = await ctx.sql<Reputation[]>`
    select coalesce(sum(created), 0)::bigint as total, coalesce(sum(bounced), 0)::bigint as bounces,
           coalesce(sum(complained), 0)::bigint as complaints
      from (select created, bounced, complained from email_hours
             where project_id = ${projectId}::uuid and hour >= ${since}::timestamptz
             union all
            select created, bounced, complained from email_day_deltas
             where project_id = ${projectId}::uuid and hour >= ${since}::timestamptz and not is_simulated) as parts`
  return row!
}

/**
 * Adds up to `limit` deltas of any projects to the totals; returns how many there were, and what they add to the use. Rows that another
 * process is rolling up are left to it. Hours before `keptSince` are no longer needed.
 */
export async function rollUpEmailDeltas(
  ctx: Context,
  limit: number,
  keptSince: Date,
): Promise<{ rolledUp: number; usage: MonthUsage[] }> {
  const { sql } = ctx
  const taken = takeDeltas(ctx, emailDayDeltas, limit)
  const [row] = await sql<{ rolledUp: number; usage: MonthUsage[] }[]>`
    with ${taken.as}, days as (
      ${addTo(ctx, taken, {
        into: emailDays,
        as: { day: sql`(hour at time zone 'UTC')::date` },
        from: all => sql`${all} where source_type <> 'INBOUND'`,
      })}
    ), hours as (
      ${addTo(ctx, taken, {
        into: emailHours,
        from: all => sql`${all} where not is_simulated and hour >= ${keptSince}::timestamptz`,
        having: sql`bool_or((created, bounced, complained) is distinct from (0, 0, 0))`,
      })}
    ), usage as (
      select project_id as "projectId", date_trunc('month', hour at time zone 'UTC')::date as month,
             source_type as "sourceType", sum(used) as used, sum(units) as units
        from ${taken.name} group by 1, 2, 3 having bool_or((used, units) is distinct from (0, 0))
    )
    select (select count(*) from ${taken.name}) as "rolledUp", (select coalesce(json_agg(u), '[]') from usage u) as usage`
  return row!
}

/** Whether there are deltas to roll up, or hours to delete. */
export async function hasEmailDeltas(ctx: Context, keptSince: Date): Promise<boolean> {
  const [row] = await ctx.sql<{ some: boolean }[]>`
    select exists (select from email_day_deltas)
           or exists (select from email_hours where hour < ${keptSince}::timestamptz) as some`
  return row!.some
}

/** Deletes up to `limit` of the hours before `until`. */
export async function deleteEmailHours(ctx: Context, until: Date, limit: number): Promise<number> {
  const { count } = await ctx.sql`
    delete from email_hours
     where (project_id, hour) in (select project_id, hour from email_hours
                                   where hour < ${until}::timestamptz order by hour limit ${limit})`
  return count
}

// The counts of messages by day and hour: appended where rows are made, read exactly at any moment (what is folded, and what is not
// yet), and folded by a job. No read of them touches the messages.
import type { Context } from '../../../platform/context'
import { type DayChange, type DayCounts, type MonthUsage, sumDayChanges } from '../days'
import type { SourceType } from '../schema'

/** Appends what changed, as a part of the statement that makes the rows: `with counted as (…)`. */
export function insertedDays(ctx: Context, changes: readonly DayChange[]) {
  return ctx.sql`
    insert into email_day_deltas (project_id, hour, source_type, is_simulated, created, sent, delivered, opened, clicked,
                                  bounced, complained, failed, used)
    select d."projectId", d.hour, d."sourceType", d."isSimulated", d.created, d.sent, d.delivered, d.opened, d.clicked,
           d.bounced, d.complained, d.failed, d.used
      from json_to_recordset(${JSON.stringify(sumDayChanges(changes))}::json) as d(
           "projectId" uuid, hour timestamptz, "sourceType" text, "isSimulated" boolean, created int, sent int,
           delivered int, opened int, clicked int, bounced int, complained int, failed int, used int)`
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

/** What is folded, and what is not yet. */
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

/** What a project's reputation is made of. */
export interface Reputation {
  total: number
  bounces: number
  complaints: number
}

/** Messages made since the beginning of an hour, and their hard bounces and complaints; simulated ones are no part of it. */
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
 * Adds up to `limit` deltas of any projects to the totals; returns how many there were, and what they say of use. Rows that another
 * process is folding are left to it. Hours before `keptSince` are no longer asked for.
 */
export async function foldEmailDeltas(
  ctx: Context,
  limit: number,
  keptSince: Date,
): Promise<{ folded: number; usage: MonthUsage[] }> {
  const [row] = await ctx.sql<{ folded: number; usage: MonthUsage[] }[]>`
    with taken as materialized (
      delete from email_day_deltas
       where ctid = any(array(select ctid from email_day_deltas limit ${limit} for update skip locked))
      returning *
    ), folded as (
      insert into email_days as t (project_id, day, source_type, is_simulated, created, sent, delivered, opened, clicked,
                                   bounced, complained, failed)
      select project_id, (hour at time zone 'UTC')::date, source_type, is_simulated, sum(created), sum(sent), sum(delivered),
             sum(opened), sum(clicked), sum(bounced), sum(complained), sum(failed)
        from taken where source_type <> 'INBOUND' group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (project_id, day, source_type, is_simulated) do update
         set created = t.created + excluded.created, sent = t.sent + excluded.sent,
             delivered = t.delivered + excluded.delivered, opened = t.opened + excluded.opened,
             clicked = t.clicked + excluded.clicked, bounced = t.bounced + excluded.bounced,
             complained = t.complained + excluded.complained, failed = t.failed + excluded.failed
    ), folded_hours as (
      insert into email_hours as t (project_id, hour, created, bounced, complained)
      select project_id, hour, sum(created), sum(bounced), sum(complained)
        from taken where not is_simulated and hour >= ${keptSince}::timestamptz
       group by 1, 2 having bool_or((created, bounced, complained) is distinct from (0, 0, 0)) order by 1, 2
      on conflict (project_id, hour) do update
         set created = t.created + excluded.created, bounced = t.bounced + excluded.bounced,
             complained = t.complained + excluded.complained
    ), usage as (
      select project_id as "projectId", date_trunc('month', hour at time zone 'UTC')::date as month,
             source_type as "sourceType", sum(used) as used, sum(units) as units
        from taken group by 1, 2, 3 having bool_or((used, units) is distinct from (0, 0))
    )
    select (select count(*) from taken) as folded, (select coalesce(json_agg(u), '[]') from usage u) as usage`
  return row!
}

/** Forgets up to `limit` of the hours before `until`. */
export async function deleteEmailHours(ctx: Context, until: Date, limit: number): Promise<number> {
  const { count } = await ctx.sql`
    delete from email_hours
     where (project_id, hour) in (select project_id, hour from email_hours
                                   where hour < ${until}::timestamptz order by hour limit ${limit})`
  return count
}

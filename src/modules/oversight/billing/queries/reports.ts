// The reports of usage to the payment provider. Taking units for a report marks them in the same statement, so no unit is in two reports.
import type { Context } from '../../../../platform/context'

/** Subscribers past `after` with use that is in no report yet: a page, in the order of ids. */
export async function selectUnreported(
  ctx: Context,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    select distinct u.project_id as id
      from usage_months u join project_billing b on b.project_id = u.project_id and b.subscription is not null
     where u.units > u.reported and (${after ?? null}::uuid is null or u.project_id > ${after ?? null}::uuid)
     order by 1 limit ${limit}`
  return rows.map(row => row.id)
}

/** Puts all unreported units of a subscriber into one report; false if there are none. */
export async function insertReport(ctx: Context, projectId: string, reportId: string): Promise<boolean> {
  const rows = await ctx.sql`
    with taken as materialized (
      select u.month, u.source_type, u.units, u.reported, b.customer
        from usage_months u join project_billing b on b.project_id = u.project_id and b.subscription is not null
       where u.project_id = ${projectId}::uuid and u.units > u.reported
         for update
    ), marked as (
      update usage_months u set reported = t.units
        from taken t
       where u.project_id = ${projectId}::uuid and u.month = t.month and u.source_type = t.source_type
    )
    insert into usage_reports (id, customer, units, created_at)
    select ${reportId}::uuid, customer, sum(units - reported), ${ctx.clock.now()} from taken group by customer
    returning 1`
  return rows.length === 1
}

/** Whatever was used up to now is not charged: it was before the subscription, or after it. */
export async function forgiveUsage(ctx: Context, projectId: string): Promise<void> {
  await ctx.sql`
    update usage_months set reported = units where project_id = ${projectId}::uuid and units > reported`
}

export interface ReportRow {
  id: string
  customer: string
  units: number
  /** The moment for which it was sent, where the provider may have counted it. */
  askedAt: Date | null
}

/** Undefined if it was reported already. */
export async function selectOpenReport(ctx: Context, reportId: string): Promise<ReportRow | undefined> {
  const [row] = await ctx.sql<ReportRow[]>`
    select id, customer, units, asked_at as "askedAt" from usage_reports
     where id = ${reportId}::uuid and reported_at is null`
  return row
}

/** Reports from before `until` that have not arrived, past `after`: a page, in the order of ids. */
export async function selectOverdueReports(
  ctx: Context,
  until: Date,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    select id from usage_reports
     where reported_at is null and created_at < ${until} and (${after ?? null}::uuid is null or id > ${after ?? null}::uuid)
     order by id limit ${limit}`
  return rows.map(row => row.id)
}

/** How many of them there are, and since when. */
export async function countOverdueReports(
  { sql }: Pick<Context, 'sql'>,
  until: Date,
): Promise<{ reports: number; units: number; oldest: Date | null }> {
  const [row] = await sql<{ reports: number; units: number; oldest: Date | null }[]>`
    select count(*)::int as reports, coalesce(sum(units), 0)::bigint as units, min(created_at) as oldest
      from usage_reports where reported_at is null and created_at < ${until}`
  return row!
}

/** To be called before the report is sent, so that even if this process dies no attempt goes unrecorded. */
export async function markAsked(ctx: Context, reportId: string, at: Date): Promise<void> {
  await ctx.sql`update usage_reports set asked_at = ${at} where id = ${reportId}::uuid and reported_at is null`
}

/** The provider has refused the report that was sent for that moment. */
export async function unmarkAsked(ctx: Context, reportId: string, at: Date): Promise<void> {
  await ctx.sql`
    update usage_reports set asked_at = null
     where id = ${reportId}::uuid and asked_at = ${at} and reported_at is null`
}

/** A customer's units that arrived and were reported for a moment from `start` on and before `end`. */
export async function sumReported(ctx: Context, customer: string, start: Date, end: Date): Promise<number> {
  const [row] = await ctx.sql<{ units: number }[]>`
    select coalesce(sum(units), 0)::bigint as units from usage_reports
     where customer = ${customer} and asked_at >= ${start} and asked_at < ${end} and reported_at is not null`
  return row!.units
}

export async function markReported(ctx: Context, reportId: string): Promise<void> {
  await ctx.sql`
    update usage_reports set reported_at = ${ctx.clock.now()} where id = ${reportId}::uuid and reported_at is null`
}

/** Deletes up to `limit` reports that arrived before `until`. */
export async function deleteReports(ctx: Context, until: Date, limit: number): Promise<number> {
  const { count } = await ctx.sql`
    delete from usage_reports
     where id in (select id from usage_reports where reported_at < ${until} order by reported_at limit ${limit})`
  return count
}

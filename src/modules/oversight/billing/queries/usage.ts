// What projects may send and what they have used: rolled-up months plus the deltas that are not rolled up yet, so exact at any moment,
// without touching the messages.

import { monthOf, startOfMonth, startOfNextMonth } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { insertRows } from '../../../../platform/db/insert-rows'
import type { MonthUsage } from '../../../sending/emails'
import type { PerCategory, UsageState } from '../allowance'
import { usageMonths } from '../schema'

interface StandingRow {
  projectId: string
  isSubscribed: boolean
  limits: PerCategory<number | null>
  used: PerCategory<number>
}

/**
 * How these projects stand in the current month. Use is counted only where something limits it, unless `counts` asks for it always. An
 * unknown project is left out.
 */
export async function selectStandings(
  ctx: Context,
  projectIds: readonly string[],
  counts: 'limited' | 'always' = 'limited',
): Promise<Map<string, UsageState>> {
  const now = ctx.clock.now()
  const rows = await ctx.sql<StandingRow[]>`
    select p.id as "projectId", b.subscription is not null as "isSubscribed",
           json_build_object('workflows', b.limit_workflows, 'campaigns', b.limit_campaigns,
                             'transactional', b.limit_transactional, 'inbound', b.limit_inbound) as limits,
           json_build_object('workflows', u.workflows, 'campaigns', u.campaigns, 'transactional', u.transactional,
                             'inbound', u.inbound) as used
      from projects p
      left join project_billing b on b.project_id = p.id
      left join lateral (
        select ${sumOf(ctx, 'WORKFLOW')} as workflows, ${sumOf(ctx, 'CAMPAIGN')} as campaigns,
               ${sumOf(ctx, 'TRANSACTIONAL')} as transactional, ${sumOf(ctx, 'INBOUND')} as inbound
          from (select source_type, used from usage_months where project_id = p.id and month = ${monthOf(now)}::text::date
                 union all
                select source_type, used from email_day_deltas
                 where project_id = p.id and hour >= ${startOfMonth(now)}::timestamptz
                   and hour < ${startOfNextMonth(now)}::timestamptz) as parts
         where ${counts === 'always'}::boolean or b.subscription is null
            or coalesce(b.limit_workflows, b.limit_campaigns, b.limit_transactional, b.limit_inbound) is not null
      ) as u on true
     where p.id = any(${projectIds as string[]}::uuid[])`
  return new Map(rows.map(({ projectId, ...standing }) => [projectId, standing]))
}

/** Adds to what was used. Always in the same order, so that concurrent calls don't deadlock. */
export async function addUsage(ctx: Context, usage: readonly MonthUsage[]): Promise<void> {
  await ctx.sql`
    ${insertRows(ctx, usageMonths, ['projectId', 'month', 'sourceType', 'used', 'units'], usage)}
     order by 1, 2, 3
    on conflict (project_id, month, source_type) do update
       set used = usage_months.used + excluded.used, units = usage_months.units + excluded.units`
}

function sumOf({ sql }: Context, sourceType: string) {
  return sql`coalesce(sum(used) filter (where source_type = ${sourceType}), 0)::bigint`
}

/** Until this transaction ends, no other one that takes this lock makes messages for these projects. */
export async function lockUsage(ctx: Context, projectIds: readonly string[]): Promise<void> {
  await ctx.sql`
    select pg_advisory_xact_lock(key)
      from (select distinct hashtextextended('usage:' || id, 0) as key from unnest(${projectIds as string[]}::text[]) as id
             order by 1) as keys`
}

/** What is charged for the messages of the current month, by category. */
export async function selectUnits(ctx: Context, projectId: string): Promise<PerCategory<number>> {
  const now = ctx.clock.now()
  const [row] = await ctx.sql<PerCategory<number>[]>`
    select ${unitsOf(ctx, 'WORKFLOW')} as workflows, ${unitsOf(ctx, 'CAMPAIGN')} as campaigns,
           ${unitsOf(ctx, 'TRANSACTIONAL')} as transactional, ${unitsOf(ctx, 'INBOUND')} as inbound
      from (select source_type, units from usage_months
             where project_id = ${projectId}::uuid and month = ${monthOf(now)}::text::date
             union all
            select source_type, units from email_day_deltas
             where project_id = ${projectId}::uuid and hour >= ${startOfMonth(now)}::timestamptz
               and hour < ${startOfNextMonth(now)}::timestamptz) as parts`
  return row!
}

function unitsOf({ sql }: Context, sourceType: string) {
  return sql`coalesce(sum(units) filter (where source_type = ${sourceType}), 0)::bigint`
}

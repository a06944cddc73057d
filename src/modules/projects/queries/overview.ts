// What a project has set up, read from the tables of other modules: one probe in an index each.
import type { Context } from '../../../platform/context'

export interface SetupRow {
  hasSubscription: boolean
  hadSubscription: boolean
  hasVerifiedDomain: boolean
  contactCount: number
  lastCampaignSentAt: Date | null
  hasEnabledWorkflow: boolean
}

/** `withSandbox`: domains that count only where no mail leaves the machine count. */
export async function selectSetup(ctx: Context, projectId: string, withSandbox: boolean): Promise<SetupRow> {
  const [row] = await ctx.sql<SetupRow[]>`
    select exists (select 1 from project_billing
                    where project_id = ${projectId} and subscription is not null) as "hasSubscription",
           exists (select 1 from project_billing
                    where project_id = ${projectId} and subscription is null and customer is not null) as "hadSubscription",
           exists (select 1 from domains
                    where project_id = ${projectId} and verified and (not sandbox or ${withSandbox}::boolean)) as "hasVerifiedDomain",
           (select coalesce(sum(contacts), 0)::bigint
              from (select contacts from contact_totals where project_id = ${projectId}
                     union all
                    select contacts from contact_deltas where project_id = ${projectId}) as counts) as "contactCount",
           (select max(sent_at) from campaigns where project_id = ${projectId} and status = 'SENT') as "lastCampaignSentAt",
           exists (select 1 from workflows where project_id = ${projectId} and enabled) as "hasEnabledWorkflow"`
  return row!
}

export interface OverviewRow {
  id: string
  name: string
  defaultSenderDomain: string | null
  timeZone: string | null
  createdAt: Date
}

/** Some projects, each with its oldest domain that may send. */
export async function selectOverviews(
  ctx: Context,
  projectIds: string[],
  withSandbox: boolean,
): Promise<OverviewRow[]> {
  return await ctx.sql<OverviewRow[]>`
    select p.id, p.name, p.time_zone as "timeZone", p.created_at as "createdAt",
           (select d.domain from domains d
             where d.project_id = p.id and d.verified and (not d.sandbox or ${withSandbox}::boolean)
             order by d.created_at, d.id limit 1) as "defaultSenderDomain"
      from projects p where p.id = any(${projectIds}::uuid[])
     order by p.created_at, p.id`
}

// Rows of projects.
import { and, eq, sql } from 'drizzle-orm'
import type { Context } from '../../../../platform/context'
import type { BrandChanges } from '../brand'
import { type DefaultSender, type DisabledReason, projects } from '../schema'

export type ProjectRow = typeof projects.$inferSelect
/** Leaves out what has a default. */
export type NewProjectRow = Omit<
  ProjectRow,
  | 'disabled'
  | 'disabledReason'
  | 'tracking'
  | 'language'
  | 'closing'
  | 'closedAt'
  | 'defaultSender'
  | 'secondFactorRequired'
  | 'keepsOptOuts'
  | 'keepsClients'
  | 'offersData'
  | 'timeZone'
  | 'timeZoneField'
  | 'quietHours'
  | 'mailCap'
  | 'approvalRequired'
  | 'sendDelaySeconds'
  | 'brand'
>

export async function insertProject(ctx: Context, row: NewProjectRow): Promise<ProjectRow> {
  const [inserted] = await ctx.db.insert(projects).values(row).returning()
  return inserted!
}

export type ProjectChanges = Partial<Omit<ProjectRow, 'id' | 'createdAt' | 'updatedAt'>>

/** Undefined if there is none, or if it was changed since `expected`. */
export async function updateProject(
  ctx: Context,
  projectId: string,
  changes: ProjectChanges,
  expected?: Date,
): Promise<ProjectRow | undefined> {
  const isExpected =
    expected &&
    sql`date_trunc('milliseconds', ${projects.updatedAt}) = ${expected.toISOString()}::timestamptz`
  const [row] = await ctx.db
    .update(projects)
    .set({ ...changes, updatedAt: ctx.clock.now() })
    .where(and(eq(projects.id, projectId), isExpected))
    .returning()
  return row
}

/** Changes parts of the brand; undefined like `updateProject`. */
export async function updateBrand(
  ctx: Context,
  projectId: string,
  changes: BrandChanges,
  expected?: Date,
): Promise<ProjectRow | undefined> {
  // The row has it as an object by the time it is read again.
  const brand = sql`coalesce(${projects.brand}, '{}') || ${JSON.stringify(changes)}::jsonb`
  return await updateProject(ctx, projectId, { brand: brand as never }, expected)
}

export async function selectProject(ctx: Context, projectId: string): Promise<ProjectRow | undefined> {
  const [row] = await ctx.db.select().from(projects).where(eq(projects.id, projectId))
  return row
}

/** The sender for sends that name none. */
export async function selectDefaultSender(ctx: Context, projectId: string): Promise<DefaultSender | null> {
  const [row] = await ctx.db
    .select({ defaultSender: projects.defaultSender })
    .from(projects)
    .where(eq(projects.id, projectId))
  return row?.defaultSender ?? null
}

/** Its name, for the one caller that disabled it. */
export async function disableProject(
  ctx: Context,
  projectId: string,
  reason: DisabledReason,
): Promise<string | undefined> {
  const [row] = await ctx.sql<{ name: string }[]>`
    update projects set disabled = true, disabled_reason = ${reason}, updated_at = ${ctx.clock.now()}::timestamptz
     where id = ${projectId}::uuid and not disabled
    returning name`
  return row?.name
}

/** Its name, for the one caller that enabled it; with `only`, where it was disabled for that reason. */
export async function enableProject(
  ctx: Context,
  projectId: string,
  only?: DisabledReason,
): Promise<string | undefined> {
  const [row] = await ctx.sql<{ name: string }[]>`
    update projects set disabled = false, disabled_reason = null, updated_at = ${ctx.clock.now()}::timestamptz
     where id = ${projectId}::uuid and disabled and (${only ?? null}::text is null or disabled_reason = ${only ?? null}::text)
    returning name`
  return row?.name
}

export async function isDisabled(ctx: Context, projectId: string): Promise<boolean> {
  const rows = await ctx.sql`select 1 from projects where id = ${projectId}::uuid and disabled`
  return rows.length > 0
}

export async function selectMemberAddresses(ctx: Context, projectId: string): Promise<string[]> {
  const rows = await ctx.sql<{ email: string }[]>`
    select u.email from memberships m join users u on u.id = m.user_id
     where m.project_id = ${projectId}::uuid order by m.created_at, m.user_id`
  return rows.map(row => row.email)
}

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

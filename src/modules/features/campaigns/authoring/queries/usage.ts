// Campaigns whose audience may name a field, and those that use a layout or a topic.
import { and, count, desc, eq, inArray, or, sql } from 'drizzle-orm'
import type { Context } from '../../../../../platform/context'
import { type CampaignStatus, campaigns } from '../../schema'

export interface FilteredCampaign {
  id: string
  name: string
  audienceCondition: unknown
}

/**
 * Campaigns with a tree that contains a text, newest first, up to a thousand. The text is only a sieve: what a tree means by its
 * fields is for the caller to read.
 */
export async function selectCampaignsMentioning(
  ctx: Context,
  projectId: string,
  text: string,
): Promise<FilteredCampaign[]> {
  return await ctx.sql<FilteredCampaign[]>`
    select id, name, audience_condition as "audienceCondition" from campaigns
     where project_id = ${projectId}::uuid and audience_type = 'FILTERED'
       and position(${text}::text in audience_condition::text) > 0
     order by id desc limit 1000`
}

/** How many have not been started, and the newest up to `limit`. What is sent keeps the layout as it was. */
export async function selectLayoutUses(
  ctx: Context,
  projectId: string,
  layoutId: string,
  limit: number,
): Promise<{ count: number; newest: Array<{ id: string; name: string }> }> {
  const using = and(
    eq(campaigns.projectId, projectId),
    eq(campaigns.layoutId, layoutId),
    inArray(campaigns.status, ['DRAFT', 'SCHEDULED']),
  )
  const [row] = await ctx.db.select({ total: count() }).from(campaigns).where(using)
  const newest = await ctx.db
    .select({ id: campaigns.id, name: campaigns.name })
    .from(campaigns)
    .where(using)
    .orderBy(desc(campaigns.createdAt), desc(campaigns.id))
    .limit(limit)
  return { count: row?.total ?? 0, newest }
}

/** Whether a campaign in any state names the topic, itself or in its audience. */
export async function namesTopic(ctx: Context, projectId: string, topicId: string): Promise<boolean> {
  const inTree = sql`position(${topicId}::text in lower(${campaigns.audienceCondition}::text)) > 0`
  const [row] = await ctx.db
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(and(eq(campaigns.projectId, projectId), or(eq(campaigns.topicId, topicId), inTree)))
    .limit(1)
  return row !== undefined
}

/** Whether a scheduled campaign has the layout; what is being sent keeps it as it was. */
export async function isLayoutScheduled(ctx: Context, projectId: string, layoutId: string): Promise<boolean> {
  const rows = await ctx.sql<Array<{ id: string }>>`
    select id from campaigns
     where project_id = ${projectId}::uuid and layout_id = ${layoutId}::uuid and status = 'SCHEDULED' limit 1`
  return rows.length > 0
}

/** Whether a campaign that is scheduled or being sent goes by the segment. */
export async function isSegmentInDue(ctx: Context, projectId: string, segmentId: string): Promise<boolean> {
  const rows = await ctx.sql<Array<{ id: string }>>`
    select id from campaigns
     where project_id = ${projectId}::uuid and status in ('SCHEDULED', 'SENDING')
       and (segment_id = ${segmentId}::uuid or audience_condition::text like ${`%segment.${segmentId}"%`}) limit 1`
  return rows.length > 0
}

/**
 * Campaigns that name one of the segments and are to record recipients, or are at it. Neither begins or ends before the caller's
 * transaction does.
 */
export async function holdUnexpanded(
  tx: Context,
  projectId: string,
  segmentIds: readonly string[],
): Promise<Array<{ name: string; status: CampaignStatus }>> {
  const named = segmentIds.map(each => `%segment.${each}"%`)
  return await tx.sql<Array<{ name: string; status: CampaignStatus }>>`
    select name, status from campaigns
     where project_id = ${projectId}::uuid and status in ('SCHEDULED', 'SENDING') and not is_expanded
       and (segment_id = any(${[...segmentIds]}::uuid[]) or audience_condition::text like any(${named}::text[]))
     order by id for share`
}

/** Whether a campaign is scheduled or being sent. */
export async function isDue(ctx: Context, projectId: string, id: string): Promise<boolean> {
  const rows = await ctx.sql<Array<{ id: string }>>`
    select id from campaigns
     where project_id = ${projectId}::uuid and id = ${id}::uuid and status in ('SCHEDULED', 'SENDING')`
  return rows.length > 0
}

/** Campaigns that are not over and name the segment, as their audience or in its condition. */
export async function countActiveNaming(ctx: Context, projectId: string, segmentId: string): Promise<number> {
  const [row] = await ctx.sql<{ naming: number }[]>`
    select count(*) as naming from campaigns
     where project_id = ${projectId}::uuid and finished_at is null
       and (segment_id = ${segmentId}::uuid or audience_condition::text like ${`%segment.${segmentId}"%`})`
  return row?.naming ?? 0
}

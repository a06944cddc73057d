// SQL of the archive: campaigns that were sent and marked for it.
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Context } from '../../../../../platform/context'
import type { CampaignRow } from '../../queries'
import { campaignAbTests, campaigns, campaignVariants } from '../../schema'
import type { PublicTopic } from '../archive-page'

export async function setInArchive(
  ctx: Context,
  projectId: string,
  id: string,
  inArchive: boolean,
): Promise<CampaignRow | undefined> {
  const [row] = await ctx.db
    .update(campaigns)
    .set({
      inArchive,
      updatedAt: sql`case when ${campaigns.inArchive} = ${inArchive} then ${campaigns.updatedAt} else ${ctx.clock.now().toISOString()}::timestamptz end`,
    })
    .where(and(eq(campaigns.projectId, projectId), eq(campaigns.id, id)))
    .returning()
  return row
}

const shown = (of: { projectId: string; topicId: string }) =>
  and(
    eq(campaigns.projectId, of.projectId),
    eq(campaigns.topicId, of.topicId),
    eq(campaigns.inArchive, true),
    eq(campaigns.status, 'SENT'),
  )

export interface ArchivedCampaign {
  id: string
  projectId: string
  /** After an A/B test, that of its winner. */
  subject: string
  sentAt: Date
}

/** Newest first, past a place. A project has few campaigns, and few of them are here. */
export async function pageOfArchived(
  ctx: Context,
  of: { projectId: string; topicId: string },
  page: { behind: { sentAt: Date; id: string } | undefined; limit: number },
): Promise<ArchivedCampaign[]> {
  const { behind, limit } = page
  const rows = await ctx.db
    .select({
      id: campaigns.id,
      projectId: campaigns.projectId,
      subject: sql`coalesce(${campaignVariants.subject}, ${campaigns.subject})`.mapWith(campaigns.subject),
      sentAt: campaigns.sentAt,
    })
    .from(campaigns)
    .leftJoin(campaignAbTests, eq(campaignAbTests.campaignId, campaigns.id))
    .leftJoin(
      campaignVariants,
      and(eq(campaignVariants.campaignId, campaigns.id), eq(campaignVariants.number, campaignAbTests.winner)),
    )
    .where(
      and(
        shown(of),
        behind &&
          sql`(${campaigns.sentAt}, ${campaigns.id}) < (${behind.sentAt.toISOString()}::timestamptz, ${behind.id}::uuid)`,
      ),
    )
    .orderBy(desc(campaigns.sentAt), desc(campaigns.id))
    .limit(limit)
  // The table makes sure that what was sent has a time.
  return rows.map(row => ({ ...row, sentAt: row.sentAt! }))
}

export async function findArchived(
  ctx: Context,
  of: { projectId: string; topicId: string },
  id: string,
): Promise<boolean> {
  const rows = await ctx.db
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(and(shown(of), eq(campaigns.id, id)))
  return rows.length > 0
}

/** Undefined for a topic that is not there or not public, and of a project that may not send: all of that looks alike from outside. */
export async function selectPublicTopic(
  ctx: Context,
  projectId: string,
  topicId: string,
): Promise<PublicTopic | undefined> {
  const [row] = await ctx.sql<PublicTopic[]>`
    select t.id, t.project_id as "projectId", t.name, t.description, p.name as "projectName", p.language
      from topics t join projects p on p.id = t.project_id and not p.disabled and p.closing is null
     where t.project_id = ${projectId}::uuid and t.id = ${topicId}::uuid and t.public_archive`
  return row
}

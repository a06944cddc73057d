// Campaigns themselves. Every change of state names the states that it may come from.
import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  ilike,
  inArray,
  isNotNull,
  isNull,
  lt,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Direction, namedSortKeys, Page } from '../../../lib/paging'
import { type Context, inTransaction } from '../../../platform/context'
import { triedOr } from './authoring/queries/ab-tests'
import { type CampaignStatus, campaigns } from './schema'
import { type CampaignAction, type PauseRule, rules } from './state'

export type CampaignRow = typeof campaigns.$inferSelect
export type CampaignChanges = Partial<Omit<CampaignRow, 'id' | 'projectId' | 'version' | 'createdAt'>>

/** Lists leave out what only an editor or sending needs. */
export type ListedCampaign = Omit<CampaignRow, 'editor' | 'joinedBody'> & Partial<Pick<CampaignRow, 'editor'>>

export async function insertCampaign(ctx: Context, row: CampaignRow): Promise<void> {
  await ctx.db.insert(campaigns).values(row)
}

export async function selectCampaign(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<CampaignRow | undefined> {
  const [row] = await ctx.db.select().from(campaigns).where(isCampaign(projectId, id))
  return row
}

/** Locks the row until the transaction ends. */
export async function lockCampaign(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<CampaignRow | undefined> {
  const [row] = await ctx.db.select().from(campaigns).where(isCampaign(projectId, id)).for('update')
  return row
}

/** Changes the campaign where its state allows the action; undefined if it does not, or if there is none. */
export async function changeCampaign(
  ctx: Context,
  { projectId, id }: Pick<CampaignRow, 'projectId' | 'id'>,
  action: CampaignAction,
  changes: CampaignChanges,
): Promise<CampaignRow | undefined> {
  const [row] = await ctx.db
    .update(campaigns)
    .set({
      ...changes,
      // Sending or pausing a campaign does not change its draft.
      ...(action === 'update' ? { version: sql`${campaigns.version} + 1` } : {}),
      updatedAt: ctx.clock.now(),
    })
    .where(and(isCampaign(projectId, id), allows(action)))
    .returning()
  return row
}

/** False if its state does not allow it, or if there is none. */
export async function deleteCampaign(ctx: Context, projectId: string, id: string): Promise<boolean> {
  const rows = await ctx.db
    .delete(campaigns)
    .where(and(isCampaign(projectId, id), allows('delete')))
    .returning({ id: campaigns.id })
  return rows.length > 0
}

function isCampaign(projectId: string, id: string): SQL | undefined {
  return and(eq(campaigns.projectId, projectId), eq(campaigns.id, id))
}

function allows(action: CampaignAction): SQL | undefined {
  const { from, pause } = rules[action]
  return and(inArray(campaigns.status, from as CampaignStatus[]), pause && isPausedSo(pause))
}

function isPausedSo(pause: PauseRule): SQL | undefined {
  switch (pause) {
    case 'none':
      return isNull(campaigns.pausedAt)
    case 'any':
      return isNotNull(campaigns.pausedAt)
    case 'temporary':
      return isNotNull(campaigns.probeAt)
    case 'notLasting':
      return or(isNull(campaigns.pausedAt), isNotNull(campaigns.probeAt))
  }
}

export interface CampaignListing {
  status?: CampaignStatus
  /** Part of name, subject or sender address. */
  search?: string
  sort: (typeof namedSortKeys)[number]
  dir: Direction
}

export async function selectCampaigns(
  ctx: Context,
  projectId: string,
  listing: CampaignListing,
  page: Page,
): Promise<ListedCampaign[]> {
  const order = listing.dir === 'asc' ? asc : desc
  const { editor: _, joinedBody: __, ...listed } = getTableColumns(campaigns)
  return await ctx.db
    .select(listed)
    .from(campaigns)
    .where(matching(projectId, listing))
    .orderBy(order(campaigns[listing.sort]), order(campaigns.id))
    .limit(page.pageSize)
    .offset(page.offset)
}

export async function countCampaigns(
  ctx: Context,
  projectId: string,
  listing: CampaignListing,
): Promise<number> {
  const [row] = await ctx.db.select({ total: count() }).from(campaigns).where(matching(projectId, listing))
  return row?.total ?? 0
}

function matching(projectId: string, { status, search }: CampaignListing): SQL | undefined {
  const pattern = search && `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return and(
    eq(campaigns.projectId, projectId),
    status && eq(campaigns.status, status),
    pattern
      ? or(
          ilike(campaigns.name, pattern),
          ilike(campaigns.subject, pattern),
          ilike(campaigns.fromEmail, pattern),
        )
      : undefined,
  )
}

export interface DueCampaign {
  id: string
  projectId: string
  projectDisabled: boolean
}

/** Locks the campaign that has been due for longest, but none of `passed`; those that another process is starting are left to it. */
export async function lockDueCampaign(
  ctx: Context,
  passed: readonly string[],
): Promise<DueCampaign | undefined> {
  const [row] = await ctx.sql<DueCampaign[]>`
    select c.id, c.project_id as "projectId", p.disabled as "projectDisabled"
      from campaigns c join projects p on p.id = c.project_id
     where c.status = 'SCHEDULED' and c.scheduled_for <= ${ctx.clock.now()} and p.closing is null
       and c.id <> all(${passed as string[]}::uuid[])
     order by c.scheduled_for limit 1
       for update of c skip locked`
  return row
}

/**
 * SENDING becomes SENT once all recipients are recorded and none of their slices is open. True for the call that did it. The row is locked by
 * a statement of its own: one that looks at the slices and then waits for whoever opens them again would go by what it saw before.
 */
export async function finishCampaign(ctx: Context, projectId: string, id: string): Promise<boolean> {
  return await inTransaction(ctx, async tx => {
    await tx.sql`select from campaigns where project_id = ${projectId}::uuid and id = ${id}::uuid for update`
    return await finishLocked(tx, projectId, id)
  })
}

async function finishLocked(ctx: Context, projectId: string, id: string): Promise<boolean> {
  const now = ctx.clock.now()
  const { count } = await ctx.sql`
    update campaigns c
       set status = 'SENT', finished_at = ${now}::timestamptz, updated_at = ${now}::timestamptz, paused_at = null,
           paused_reason = null, probe_at = null, probes = 0
     where c.project_id = ${projectId}::uuid and c.id = ${id}::uuid and c.status = 'SENDING' and c.is_expanded
       and not exists (select from campaign_slices s
                        where s.project_id = c.project_id and s.campaign_id = c.id and s.done_at is null)`
  return count > 0
}

export interface SentCampaign {
  projectId: string
  subject: string
  body: string
  type: CampaignRow['type']
  topicId: string | null
  project: { name: string; language: string }
}

/**
 * What the campaign's message to a contact is rendered from; without a contact, the message to everybody, which after an A/B test is the
 * winner. It can't be changed once sending has begun.
 */
export async function findSentCampaign(
  ctx: Context,
  projectId: string,
  id: string,
  contactId?: string,
): Promise<SentCampaign | undefined> {
  const { sql } = ctx
  const variant = triedOr(ctx, {
    campaignId: sql`c.id`,
    contactId: sql`${contactId ?? null}::uuid`,
    winner: sql`t.winner`,
  })
  const [row] = await sql<SentCampaign[]>`
    select c.project_id as "projectId", coalesce(v.subject, c.subject) as subject,
           coalesce(v.joined_body, v.body, c.joined_body, c.body) as body, c.type, c.topic_id as "topicId",
           jsonb_build_object('name', p.name, 'language', p.language) as project
      from campaigns c join projects p on p.id = c.project_id
      left join campaign_ab_tests t on t.project_id = c.project_id and t.campaign_id = c.id
      left join campaign_variants v on v.project_id = t.project_id and v.campaign_id = t.campaign_id and v.number = ${variant}
     where c.project_id = ${projectId}::uuid and c.id = ${id}::uuid`
  return row
}

/** Also false where its project was suspended meanwhile. */
export async function isCampaignSending(ctx: Context, projectId: string, id: string): Promise<boolean> {
  const rows = await ctx.sql`
    select 1 from campaigns c join projects p on p.id = c.project_id
     where c.project_id = ${projectId}::uuid and c.id = ${id}::uuid and c.status = 'SENDING' and c.paused_at is null and not p.disabled`
  return rows.length > 0
}

/** The newest campaigns that are being sent, up to a hundred. */
export async function selectSending(
  ctx: Context,
  projectId: string,
): Promise<Array<Pick<CampaignRow, 'id' | 'fromEmail' | 'totalRecipients'>>> {
  return await ctx.db
    .select({
      id: campaigns.id,
      fromEmail: campaigns.fromEmail,
      totalRecipients: campaigns.totalRecipients,
    })
    .from(campaigns)
    .where(and(eq(campaigns.projectId, projectId), eq(campaigns.status, 'SENDING')))
    .orderBy(desc(campaigns.createdAt), desc(campaigns.id))
    .limit(100)
}

/** The campaigns that were sent last before a moment, up to `limit`; of a topic, or of all. */
export async function selectSentBefore(
  ctx: Context,
  projectId: string,
  before: Date,
  { topicId, limit }: { topicId: string | null; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(
      and(
        eq(campaigns.projectId, projectId),
        eq(campaigns.status, 'SENT'),
        lt(campaigns.sentAt, before),
        topicId === null ? undefined : eq(campaigns.topicId, topicId),
      ),
    )
    .orderBy(desc(campaigns.sentAt))
    .limit(limit)
  return rows.map(({ id }) => id)
}

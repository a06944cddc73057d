// A/B tests and their variants: as they are written, when they are due, and the one decision.
import { and, asc, eq, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../../../platform/context'
import type { Fragment } from '../../../../../platform/db/cte'
import { contacts } from '../../../../audience/contacts'
import { campaignAbTests, campaignSlices, campaigns, campaignVariants } from '../../schema'
import type { AbSplit, JudgedVariant } from '../ab-test'
import { type AudienceQuery, isMeant } from './audience'

export type AbTestRow = typeof campaignAbTests.$inferSelect
export type VariantRow = typeof campaignVariants.$inferSelect

export interface StoredAbTest extends Omit<AbTestRow, 'variants'> {
  /** A first. */
  variants: VariantRow[]
}

interface CampaignKey {
  projectId: string
  campaignId: string
}

export async function selectAbTest(
  ctx: Context,
  projectId: string,
  campaignId: string,
): Promise<StoredAbTest | undefined> {
  const [test] = await ctx.db.select().from(campaignAbTests).where(isTest({ projectId, campaignId }))
  return test && { ...test, variants: await selectVariants(ctx, projectId, campaignId) }
}

export async function selectVariants(
  ctx: Context,
  projectId: string,
  campaignId: string,
): Promise<VariantRow[]> {
  return await ctx.db
    .select()
    .from(campaignVariants)
    .where(and(eq(campaignVariants.projectId, projectId), eq(campaignVariants.campaignId, campaignId)))
    .orderBy(asc(campaignVariants.number))
}

function isTest({ projectId, campaignId }: CampaignKey): SQL | undefined {
  return and(eq(campaignAbTests.projectId, projectId), eq(campaignAbTests.campaignId, campaignId))
}

/** Replaces what the draft had; undefined: with nothing. */
export async function replaceAbTest(
  ctx: Context,
  key: CampaignKey,
  test: StoredAbTest | undefined,
): Promise<void> {
  // Its variants go with it.
  await ctx.db.delete(campaignAbTests).where(isTest(key))
  if (!test) return
  const { variants, ...row } = test
  await ctx.db.insert(campaignAbTests).values({ ...row, variants: variants.length })
  await ctx.db.insert(campaignVariants).values(variants)
}

/** Keeps the body of a variant joined with the layout of its campaign. */
export async function keepJoinedBody(
  ctx: Context,
  { id, projectId }: VariantRow,
  joinedBody: string,
): Promise<void> {
  await ctx.db
    .update(campaignVariants)
    .set({ joinedBody })
    .where(and(eq(campaignVariants.projectId, projectId), eq(campaignVariants.id, id)))
}

export interface CountedTest extends AbSplit {
  campaignId: string
  /** Under which the counts of its variants are kept, A first. */
  ids: string[]
}

/** What the counts of some campaigns need to know about their tests. */
export async function selectCountedTests(
  ctx: Context,
  campaignIds: readonly string[],
): Promise<CountedTest[]> {
  return await ctx.sql<CountedTest[]>`
    select t.campaign_id as "campaignId", t.ends,
           array(select v.id from campaign_variants v where v.campaign_id = t.campaign_id order by v.number) as ids
      from campaign_ab_tests t where t.campaign_id = any(${campaignIds as string[]}::uuid[])`
}

/**
 * Sets the time at which the test is judged, once its whole share has had a first attempt: does nothing before that, nor a second time.
 */
export async function startTestClock(ctx: Context, { projectId, campaignId }: CampaignKey): Promise<void> {
  const now = ctx.clock.now()
  await ctx.sql`
    update campaign_ab_tests t set due_at = ${now}::timestamptz + make_interval(hours => t.after_hours)
     where t.project_id = ${projectId}::uuid and t.campaign_id = ${campaignId}::uuid and t.due_at is null and t.judged_at is null
       and exists (select from campaigns c where c.project_id = t.project_id and c.id = t.campaign_id and c.is_expanded and c.status in ('SENDING', 'SENT'))
       and not exists (select from campaign_slices s
                        where s.project_id = t.project_id and s.campaign_id = t.campaign_id and not s.is_tested)`
}

export async function markSliceTested(ctx: Context, sliceId: string): Promise<void> {
  await ctx.db.update(campaignSlices).set({ isTested: true }).where(eq(campaignSlices.id, sliceId))
}

/** True for the caller that is to plan the slice. */
export async function claimPlanning(ctx: Context, sliceId: string): Promise<boolean> {
  const rows = await ctx.db
    .update(campaignSlices)
    .set({ isPlanned: true })
    .where(and(eq(campaignSlices.id, sliceId), eq(campaignSlices.isPlanned, false)))
    .returning({ id: campaignSlices.id })
  return rows.length > 0
}

/** Those whose hours are over, of campaigns that were not stopped; up to a hundred. */
export async function selectDueTests(ctx: Context): Promise<CampaignKey[]> {
  return await ctx.db
    .select({ projectId: campaignAbTests.projectId, campaignId: campaignAbTests.campaignId })
    .from(campaignAbTests)
    .innerJoin(campaigns, eq(campaigns.id, campaignAbTests.campaignId))
    .where(
      and(
        lte(campaignAbTests.dueAt, ctx.clock.now()),
        isNull(campaignAbTests.judgedAt),
        sql`${campaigns.status} <> 'CANCELLED'`,
      ),
    )
    .orderBy(asc(campaignAbTests.dueAt))
    .limit(100)
}

/** Starts the hours again if there is somebody to try again. */
export async function restartTestClock(
  ctx: Context,
  { projectId, campaignId }: CampaignKey,
): Promise<boolean> {
  const { count } = await ctx.sql`
    update campaign_ab_tests t set due_at = ${ctx.clock.now()}::timestamptz + make_interval(hours => t.after_hours)
     where t.project_id = ${projectId}::uuid and t.campaign_id = ${campaignId}::uuid
       and exists (select from emails e
                    where e.project_id = t.project_id and e.campaign_id = t.campaign_id and e.status in ('PENDING', 'SENDING')
                      and e.attempts > 0)`
  return count > 0
}

export interface AbDecision {
  winner: number
  by: NonNullable<AbTestRow['decidedBy']>
}

/** Records the figures, and the winner if there is one. False if there was a winner already or, without one now, a judgement. */
export async function recordJudgement(
  ctx: Context,
  key: CampaignKey,
  figures: JudgedVariant[],
  decision: AbDecision | undefined,
): Promise<boolean> {
  const now = ctx.clock.now()
  const decided = decision && { winner: decision.winner, decidedAt: now, decidedBy: decision.by }
  const mayJudge = decision?.by === 'PERSON' ? undefined : isNull(campaignAbTests.judgedAt)
  const rows = await ctx.db
    .update(campaignAbTests)
    .set({ dueAt: null, judgedAt: now, figures, ...decided })
    .where(and(isTest(key), isNull(campaignAbTests.winner), mayJudge))
    .returning({ id: campaignAbTests.campaignId })
  return rows.length > 0
}

/** A contact's place, as `triedOn` computes it from the same ids. */
function placeIn(campaignId: SQL, contactId: SQL): SQL {
  return sql`('x' || left(md5(${campaignId}::text || ${contactId}::text), 8))::bit(32)::bigint`
}

/** The number of the variant that is tried on a contact, as `triedOn` has it; null for the others. */
export function triedOnIn({ ends }: AbSplit, campaignId: SQL, contactId: SQL): SQL {
  const place = placeIn(campaignId, contactId)
  return sql`nullif(width_bucket(${place}::float8, ${arrayOf(ends)}::float8[]), ${ends.length}::int)`
}

/** As PostgreSQL writes it. */
export const arrayOf = (ends: readonly number[]): string => `{${ends.join(',')}}`

/** Stores how a campaign that begins is divided. */
export async function keepEnds(
  ctx: Context,
  { projectId, campaignId }: CampaignKey,
  ends: readonly number[],
): Promise<void> {
  await ctx.db
    .update(campaignAbTests)
    .set({ ends: [...ends] })
    .where(isTest({ projectId, campaignId }))
}

/** The places of an audience in a campaign, lowest first. For one that is known to be small. */
export async function selectPlaces(
  ctx: Context,
  audience: AudienceQuery,
  campaignId: string,
): Promise<number[]> {
  const place = sql`${placeIn(sql`${campaignId}::uuid`, sql`${contacts.id}`)}::float8`.mapWith(Number)
  const rows = await ctx.db.select({ place }).from(contacts).where(isMeant(audience)).orderBy(place)
  return rows.map(row => row.place)
}

/** Both in the other dialect, for a test `t`. A null contact counts as one of the others. */
export function triedOr(
  { sql: template }: Context,
  { campaignId, contactId, winner }: Record<'campaignId' | 'contactId' | 'winner', Fragment>,
): Fragment {
  const place = template`('x' || left(md5(${campaignId}::text || ${contactId}::text), 8))::bit(32)::bigint`
  return template`coalesce(nullif(width_bucket(${place}::float8, t.ends), cardinality(t.ends)), ${winner})::int`
}

/** Whether a contact is one of the others. */
export function isNotTried(
  { sql: template }: Context,
  { campaignId, contactId, ends }: { campaignId: Fragment; contactId: Fragment; ends: Fragment },
): Fragment {
  return template`
    (('x' || left(md5(${campaignId}::text || ${contactId}::text), 8))::bit(32)::bigint::float8 >= (${ends})[cardinality(${ends})])`
}

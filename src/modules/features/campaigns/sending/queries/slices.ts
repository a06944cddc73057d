// Slices of a campaign's recipients, and the rows in them while they are sent.
import type { Context } from '../../../../../platform/context'
import { turnReasons } from '../../../../../platform/transports/reason'
import type { Tracking } from '../../../../accounts/projects'
import type { ContentType, MailRules } from '../../../../sending/emails'
import type { AbSplit } from '../../authoring/ab-test'
import { arrayOf, isNotTried } from '../../authoring/queries/ab-tests'
import type { Timing } from '../../authoring/timing'

export interface Slice {
  id: string
  projectId: string
  campaignId: string
  after: string
  upTo: string
}

export async function selectOpenSlices(
  ctx: Context,
  projectId: string,
  campaignId: string,
): Promise<Slice[]> {
  return await ctx.sql<Slice[]>`
    select id, project_id as "projectId", campaign_id as "campaignId", after, up_to as "upTo"
      from campaign_slices
     where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid and done_at is null order by id`
}

/** Everything that sending a slice needs to know, except its recipients. */
export interface SliceFacts extends Slice {
  status: string
  isPaused: boolean
  subject: string
  body: string
  type: ContentType
  topicId: string | null
  fromEmail: string
  fromName: string | null
  replyTo: string | null
  projectName: string
  language: string
  tracking: Tracking
  timing: Timing | null
  /** Null where no rule holds its mail: the project has none, or the campaign is TRANSACTIONAL. */
  rules: MailRules | null
  timeZone: string | null
  timeZoneField: string | null
  /** Null without an A/B test. */
  abTest: (AbSplit & { winner: number | null }) | null
  /** When its winner was decided; null before that, and without a test. */
  decidedAt: Date | null
  isTested: boolean
  isPlanned: boolean
  /** Open slices before this one. */
  before: number
}

/** Undefined once the slice is done, or its campaign is gone. */
export async function selectSlice(ctx: Context, sliceId: string): Promise<SliceFacts | undefined> {
  const [row] = await ctx.sql<SliceFacts[]>`
    select s.id, s.project_id as "projectId", s.campaign_id as "campaignId", s.after, s.up_to as "upTo", c.status,
           (c.paused_at is not null or p.closing is not null) as "isPaused", c.subject,
           coalesce(c.joined_body, c.body) as body, c.type, c.topic_id as "topicId", c.from_email as "fromEmail",
           c.from_name as "fromName", c.reply_to as "replyTo", p.name as "projectName", p.language, p.tracking, c.timing,
           case when c.type <> 'TRANSACTIONAL' and (p.quiet_hours is not null or p.mail_cap is not null) then
             jsonb_build_object('quietHours', p.quiet_hours, 'mailCap', p.mail_cap) end as rules, p.time_zone as "timeZone", p.time_zone_field as "timeZoneField",
           case when t.campaign_id is not null then
             jsonb_build_object('ends', t.ends, 'winner', t.winner) end as "abTest",
           t.decided_at as "decidedAt", s.is_tested as "isTested", s.is_planned as "isPlanned",
           (select count(*) from campaign_slices o
             where o.project_id = s.project_id and o.campaign_id = s.campaign_id and o.done_at is null and o.id < s.id) as before
      from campaign_slices s
      join campaigns c on c.project_id = s.project_id and c.id = s.campaign_id
      join projects p on p.id = c.project_id
      left join campaign_ab_tests t on t.project_id = c.project_id and t.campaign_id = c.id
     where s.id = ${sliceId}::uuid and s.done_at is null`
  return row
}

/**
 * The condition on which messages of a slice may leave: its campaign is sending, or paused and to be tried again (`isProbe`), and their
 * recipients do not wait for the winner of an A/B test.
 */
export function mayLeave(ctx: Context, slice: SliceFacts, isProbe: boolean) {
  const { projectId, campaignId } = slice
  return ctx.sql`
    not ${isWaiting(ctx, slice)} and
    not exists (select from projects where id = ${projectId}::uuid and closing is not null)
    and exists (select from campaigns where project_id = ${projectId}::uuid and id = ${campaignId}::uuid and status = 'SENDING'
                   and case when ${isProbe}::boolean then probe_at is not null else paused_at is null end)`
}

/** Those of the slice who were waiting for the winner of an A/B test when the slice was read. */
function isWaiting(
  ctx: Context,
  { campaignId, abTest }: Pick<SliceFacts, 'campaignId'> & Partial<Pick<SliceFacts, 'abTest'>>,
) {
  const { sql } = ctx
  if (!abTest || abTest.winner !== null) return sql`false`
  return isNotTried(ctx, {
    campaignId: sql`${campaignId}::uuid`,
    contactId: sql`contact_id`,
    ends: sql`${arrayOf(abTest.ends)}::float8[]`,
  })
}

export interface SliceRest {
  open: number
  /** Of those: they wait for the winner of an A/B test. */
  waiting: number
  /** Of the others: nothing has been tried, and no rule holds them. */
  untried: number
  /** The earliest next attempt of the others. */
  nextAttemptAt: Date | null
}

export async function selectRest(
  ctx: Context,
  slice: Slice & Partial<Pick<SliceFacts, 'abTest'>>,
): Promise<SliceRest> {
  const { projectId, campaignId, after, upTo } = slice
  const [row] = await ctx.sql<SliceRest[]>`
    select count(*) as open, count(*) filter (where ${isWaiting(ctx, slice)}) as waiting,
           count(*) filter (where attempts = 0 and (reason is null or reason = any(${[...turnReasons]}::text[])) and not ${isWaiting(ctx, slice)}) as untried,
           min(next_attempt_at) filter (where not ${isWaiting(ctx, slice)}) as "nextAttemptAt" from emails
     where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid
       and contact_id > ${after}::uuid and contact_id <= ${upTo}::uuid and status in ('PENDING', 'SENDING')`
  return row!
}

/** Whose slice it is, done or not; undefined once it is gone. */
export async function selectSliceOwner(
  ctx: Context,
  sliceId: string,
): Promise<Pick<Slice, 'projectId' | 'campaignId'> | undefined> {
  const [row] = await ctx.sql<Pick<Slice, 'projectId' | 'campaignId'>[]>`
    select project_id as "projectId", campaign_id as "campaignId" from campaign_slices where id = ${sliceId}::uuid`
  return row
}

/** Locks the slice until the transaction ends: nobody opens recipients of it again meanwhile. */
export async function lockSlice(ctx: Context, sliceId: string): Promise<void> {
  await ctx.sql`select from campaign_slices where id = ${sliceId}::uuid for update`
}

export async function markSliceDone(ctx: Context, sliceId: string): Promise<void> {
  await ctx.sql`
    update campaign_slices set done_at = ${ctx.clock.now()} where id = ${sliceId}::uuid and done_at is null`
}

export async function selectSendingCampaigns(ctx: Context, projectId: string): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    select id from campaigns where project_id = ${projectId}::uuid and status = 'SENDING' order by id`
  return rows.map(row => row.id)
}

/**
 * No more recipients are recorded, and a pause is over, so that the campaign can come to its end with the recipients that it has. To
 * be called with the row locked, because a page of recipients may just be on its way.
 */
export async function cutShort(ctx: Context, projectId: string, id: string): Promise<void> {
  await ctx.sql`
    update campaigns
       set total_recipients = case when is_expanded then total_recipients else
             (select coalesce(sum(recipients), 0)::int from campaign_slices
               where project_id = ${projectId}::uuid and campaign_id = ${id}::uuid) end,
           is_expanded = true, paused_at = null, paused_reason = null, probe_at = null, probes = 0,
           updated_at = ${ctx.clock.now()}::timestamptz
     where project_id = ${projectId}::uuid and id = ${id}::uuid and status = 'SENDING'`
}

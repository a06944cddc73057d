// Slices of a campaign's recipients, and the rows in them while they are sent.
import type { Context } from '../../../platform/context'
import { tallyDays } from '../../emails/day-tally'
import type { Tracking } from '../../projects/schema'

export interface Slice {
  id: string
  projectId: string
  campaignId: string
  after: string
  upTo: string
}

export async function selectOpenSlices(ctx: Context, campaignId: string): Promise<Slice[]> {
  return await ctx.sql<Slice[]>`
    select id, project_id as "projectId", campaign_id as "campaignId", after, up_to as "upTo"
      from campaign_slices where campaign_id = ${campaignId}::uuid and done_at is null order by id`
}

/** Everything that sending a slice needs to know but its recipients. */
export interface SliceFacts extends Slice {
  status: string
  isPaused: boolean
  subject: string
  body: string
  type: 'TRANSACTIONAL' | 'MARKETING' | 'HEADLESS'
  fromEmail: string
  fromName: string | null
  replyTo: string | null
  projectName: string
  language: string
  tracking: Tracking
  /** Open slices that stand before this one. */
  before: number
}

/** Undefined once the slice is done, or its campaign is gone. */
export async function selectSlice(ctx: Context, sliceId: string): Promise<SliceFacts | undefined> {
  const [row] = await ctx.sql<SliceFacts[]>`
    select s.id, s.project_id as "projectId", s.campaign_id as "campaignId", s.after, s.up_to as "upTo", c.status,
           (c.paused_at is not null or p.closing is not null) as "isPaused", c.subject, c.body, c.type, c.from_email as "fromEmail",
           c.from_name as "fromName", c.reply_to as "replyTo", p.name as "projectName", p.language, p.tracking,
           (select count(*) from campaign_slices o
             where o.campaign_id = s.campaign_id and o.done_at is null and o.id < s.id) as before
      from campaign_slices s
      join campaigns c on c.id = s.campaign_id
      join projects p on p.id = c.project_id
     where s.id = ${sliceId}::uuid and s.done_at is null`
  return row
}

/** A recipient that was taken for sending, with what there is to know at this moment. */
export interface TakenRecipient {
  id: string
  contactId: string
  toEmail: string
  messageId: string
  attempts: number
  createdAt: Date
  triedSince: Date
  /** False for a contact that was deleted. */
  exists: boolean
  subscribed: boolean
  data: Record<string, unknown>
  /** Reason of the suppression of its address, if any. */
  suppressed: string | null
  projectDisabled: boolean
}

const lostResponse =
  'the process ended before an answer was recorded; the message is sent again with the same Message-ID'

export interface Taking {
  limit: number
  /** Takes them although the campaign is paused, and before their time: to see whether the transport works again. */
  isProbe?: boolean
}

/**
 * Takes the next recipients of a slice for sending, in the order of contacts behind `after`: PENDING ones that are due, and SENDING
 * ones, which a process left behind that died (a slice is one job at a time). None while the campaign is not sending, so that a
 * cancelled or paused one stops here.
 */
export async function takeRecipients(
  ctx: Context,
  { projectId, campaignId, upTo }: Slice,
  after: string,
  { limit, isProbe = false }: Taking,
): Promise<TakenRecipient[]> {
  const now = ctx.clock.now()
  const rows = await ctx.sql<TakenRecipient[]>`
    with due as materialized (
      select id, contact_id, status, attempts, updated_at from emails
       where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid
         and contact_id > ${after}::uuid and contact_id <= ${upTo}::uuid
         and (status = 'SENDING' or status = 'PENDING'
              and (${isProbe}::boolean or next_attempt_at is null or next_attempt_at <= ${now}::timestamptz))
         and not exists (select from projects where id = ${projectId}::uuid and closing is not null)
         and exists (select from campaigns where id = ${campaignId}::uuid and status = 'SENDING'
                        and case when ${isProbe}::boolean then probe_at is not null else paused_at is null end)
       order by contact_id limit ${limit}
         for update
    ), lost as (
      insert into email_attempts (email_id, attempt, project_id, transport, outcome, response, started_at, finished_at)
      select id, attempts, ${projectId}::uuid, ${ctx.mail.name}, 'deferred', ${lostResponse}, updated_at, ${now}::timestamptz
        from due where status = 'SENDING'
      on conflict do nothing
    ), taken as (
      update emails e
         set status = 'SENDING', attempts = e.attempts + 1, next_attempt_at = null, updated_at = ${now}::timestamptz,
             tried_since = coalesce(e.tried_since, ${now}::timestamptz)
        from due where e.id = due.id
      returning e.id, e.contact_id, e.to_email, e.message_id, e.attempts, e.created_at, e.tried_since
    )
    select t.id, t.contact_id as "contactId", t.to_email as "toEmail", t.message_id as "messageId", t.attempts,
           t.created_at as "createdAt", t.tried_since as "triedSince",
           c.id is not null as exists, coalesce(c.subscribed, false) as subscribed,
           coalesce(c.data, '{}'::jsonb) as data, s.reason as suppressed, p.disabled as "projectDisabled"
      from taken t
      join projects p on p.id = ${projectId}::uuid
      left join contacts c on c.project_id = ${projectId}::uuid and c.id = t.contact_id
      left join suppressions s on s.project_id = ${projectId}::uuid and s.email = t.to_email`
  return rows.sort((a, b) => (a.contactId < b.contactId ? -1 : 1))
}

export interface SliceRest {
  open: number
  /** The earliest next try. */
  nextAttemptAt: Date | null
}

export async function selectRest(
  ctx: Context,
  { projectId, campaignId, after, upTo }: Slice,
): Promise<SliceRest> {
  const [row] = await ctx.sql<SliceRest[]>`
    select count(*) as open, min(next_attempt_at) as "nextAttemptAt" from emails
     where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid
       and contact_id > ${after}::uuid and contact_id <= ${upTo}::uuid and status in ('PENDING', 'SENDING')`
  return row!
}

export async function markSliceDone(ctx: Context, sliceId: string): Promise<void> {
  await ctx.sql`
    update campaign_slices set done_at = ${ctx.clock.now()} where id = ${sliceId}::uuid and done_at is null`
}

/** Open recipients of a slice become FAILED; `left` are the states that count as open here. Answers how many there were. */
export async function closeRecipients(
  ctx: Context,
  { projectId, campaignId, after, upTo }: Slice,
  left: ReadonlyArray<'PENDING' | 'SENDING'>,
  reason: string,
): Promise<number> {
  const [row] = await ctx.sql<{ closed: number }[]>`
    with changed as (
      update emails
         set status = 'FAILED', error = ${reason}, next_attempt_at = null, updated_at = ${ctx.clock.now()}::timestamptz
       where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid
         and contact_id > ${after}::uuid and contact_id <= ${upTo}::uuid and status = any(${left as string[]}::text[])
      returning project_id, created_at, source_type, to_email, 0 as sent, 0 as delivered, 0 as opened, 0 as clicked,
                0 as bounced, 0 as complained, 1 as failed, 0 as skipped, attachment_set
    ), ${tallyDays(ctx)}
    select count(*) as closed from changed`
  return row!.closed
}

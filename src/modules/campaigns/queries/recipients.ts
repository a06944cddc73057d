// Recipients for people: the list, and queueing again those that were not reached.
import { and, asc, count, eq, type SQL } from 'drizzle-orm'
import type { Page } from '../../../lib/page'
import type { Context } from '../../../platform/context'
import { tallyDays } from '../../emails/day-tally'
import { type EmailStatus, emails } from '../../emails/schema'

export interface RecipientRow {
  id: string
  contactId: string
  toEmail: string
  status: EmailStatus
  attempts: number
  error: string | null
  sentAt: Date | null
  deliveredAt: Date | null
  openedAt: Date | null
  clickedAt: Date | null
  bouncedAt: Date | null
}

interface RecipientListing {
  projectId: string
  campaignId: string
  status?: EmailStatus
}

export async function selectRecipients(
  ctx: Context,
  listing: RecipientListing,
  page: Page,
): Promise<RecipientRow[]> {
  return await ctx.db
    .select({
      id: emails.id,
      contactId: emails.contactId,
      toEmail: emails.toEmail,
      status: emails.status,
      attempts: emails.attempts,
      error: emails.error,
      sentAt: emails.sentAt,
      deliveredAt: emails.deliveredAt,
      openedAt: emails.openedAt,
      clickedAt: emails.clickedAt,
      bouncedAt: emails.bouncedAt,
    })
    .from(emails)
    .where(isListed(listing))
    .orderBy(asc(emails.contactId))
    .limit(page.pageSize)
    .offset(page.offset)
}

export async function countRecipients(ctx: Context, listing: RecipientListing): Promise<number> {
  const [row] = await ctx.db.select({ total: count() }).from(emails).where(isListed(listing))
  return row?.total ?? 0
}

function isListed({ projectId, campaignId, status }: RecipientListing): SQL | undefined {
  return and(
    eq(emails.projectId, projectId),
    eq(emails.campaignId, campaignId),
    status && eq(emails.status, status),
  )
}

export interface Requeued {
  /** Rows that were FAILED and are open again. */
  failed: number
  /** Rows that were SKIPPED and are open again. */
  skipped: number
  /** FAILED and SKIPPED rows that were left alone. */
  left: number
}

/**
 * Opens again what FAILED or was SKIPPED, unless its contact is gone or opted out, or its address is suppressed; and the slices
 * that these rows lie in.
 */
export async function requeueRecipients(
  ctx: Context,
  { projectId, campaignId }: { projectId: string; campaignId: string },
  subscribedOnly: boolean,
): Promise<Requeued> {
  const [row] = await ctx.sql<Requeued[]>`
    with closed as materialized (
      select e.id, e.status, e.contact_id, c.id is not null and (c.subscribed or not ${subscribedOnly}::boolean)
             and not exists (select from suppressions s where s.project_id = e.project_id and s.email = e.to_email) as again
        from emails e left join contacts c on c.project_id = e.project_id and c.id = e.contact_id
       where e.project_id = ${projectId}::uuid and e.campaign_id = ${campaignId}::uuid and e.status in ('FAILED', 'SKIPPED')
    ), opened as (
      update emails e
         set status = 'PENDING', error = null, next_attempt_at = null, tried_since = null,
             updated_at = ${ctx.clock.now()}::timestamptz
        from closed where closed.again and e.id = closed.id
      returning e.project_id, e.created_at, e.source_type, e.to_email, e.attachment_set, closed.status as was
    ), changed as (
      select project_id, created_at, source_type, to_email, 0 as sent, 0 as delivered, 0 as opened, 0 as clicked,
             0 as bounced, 0 as complained, -(was = 'FAILED')::int as failed, -(was = 'SKIPPED')::int as skipped, attachment_set
        from opened
    ), ${tallyDays(ctx)}, reopened as (
      update campaign_slices s set done_at = null
       where s.campaign_id = ${campaignId}::uuid and s.done_at is not null
         and exists (select from closed where again and contact_id > s.after and contact_id <= s.up_to)
    )
    select count(*) filter (where again and status = 'FAILED') as failed,
           count(*) filter (where again and status = 'SKIPPED') as skipped,
           count(*) filter (where not again) as left
      from closed`
  return row!
}

export interface TestContact {
  /** Null where the address is no contact. */
  id: string | null
  subscribed: boolean
  data: Record<string, unknown>
  /** Reason of the suppression of the address, if any. */
  suppressed: string | null
}

/** What is known of an address that a test goes to. */
export async function findTestContact(ctx: Context, projectId: string, email: string): Promise<TestContact> {
  const [row] = await ctx.sql<TestContact[]>`
    select c.id, coalesce(c.subscribed, true) as subscribed, coalesce(c.data, '{}'::jsonb) as data, s.reason as suppressed
      from (select 1) one
      left join contacts c on c.project_id = ${projectId}::uuid and c.email = ${email}
      left join suppressions s on s.project_id = ${projectId}::uuid and s.email = ${email}`
  return row!
}

/** Campaigns that are not over and name the segment, as their audience or in its condition. */
export async function countActiveNaming(ctx: Context, projectId: string, segmentId: string): Promise<number> {
  const [row] = await ctx.sql<{ naming: number }[]>`
    select count(*) as naming from campaigns
     where project_id = ${projectId}::uuid and status in ('DRAFT', 'SCHEDULED', 'SENDING')
       and (segment_id = ${segmentId}::uuid or audience_condition::text like ${`%segment.${segmentId}"%`})`
  return row?.naming ?? 0
}

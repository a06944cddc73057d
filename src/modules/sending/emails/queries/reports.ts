// The two statements by which reports change messages: locking the rows, and writing the result.
import type { Context } from '../../../../platform/context'
import type { Reasoned } from '../../../../platform/transports/reason'
import type { StoredCopy } from '../copies'
import type { EmailStatus, Metadata, SourceType } from '../schema'
import { changedEmails, troubleOf } from './changed'

/** How often a message was opened and followed: as shown, and by kind of viewer. */
export interface HitCounts {
  opens: number
  clicks: number
  ownOpens: number
  ownClicks: number
  providerOpens: number
  providerClicks: number
  machineOpens: number
  machineClicks: number
}

/** A message as its row holds it. */
export interface ReportedMail extends HitCounts, Reasoned {
  id: string
  projectId: string
  contactId: string
  sourceType: SourceType
  templateId: string | null
  campaignId: string | null
  toEmail: string
  fromEmail: string
  fromName: string | null
  subject: string
  messageId: string
  /** Hops of the events that it causes by itself, where a workflow sent it. */
  hops?: number | null
  copies?: StoredCopy[] | null
  tags?: string[] | null
  metadata?: Metadata | null
  createdAt: Date
  status: EmailStatus
  sentAt: Date | null
  deliveredAt: Date | null
  openedAt: Date | null
  clickedAt: Date | null
  bouncedAt: Date | null
  complainedAt: Date | null
  softBouncedAt: Date | null
}

/** What a message adds to counts of messages; `settled` and `skipped` concern campaigns only. */
export interface MailDeltas {
  settled: number
  sent: number
  delivered: number
  opened: number
  clicked: number
  machineOpened: number
  machineClicked: number
  bounced: number
  complained: number
  failed: number
  skipped: number
}

/** Locks the messages until the transaction ends; in one order, so that two batches can't deadlock. */
export async function lockMails(ctx: Context, ids: readonly string[]): Promise<ReportedMail[]> {
  return await ctx.sql<ReportedMail[]>`
    select id, project_id as "projectId", contact_id as "contactId", source_type as "sourceType",
           template_id as "templateId", campaign_id as "campaignId", to_email as "toEmail", from_email as "fromEmail",
           from_name as "fromName", subject, message_id as "messageId", hops, copies, tags, metadata, created_at as "createdAt", status,
           reason, reason_detail as "reasonDetail",
           sent_at as "sentAt", delivered_at as "deliveredAt", opened_at as "openedAt", clicked_at as "clickedAt",
           bounced_at as "bouncedAt", complained_at as "complainedAt", soft_bounced_at as "softBouncedAt", opens, clicks,
           own_opens as "ownOpens", own_clicks as "ownClicks", provider_opens as "providerOpens",
           provider_clicks as "providerClicks", machine_opens as "machineOpens", machine_clicks as "machineClicks"
      from emails where id = any(${ids as string[]}::uuid[]) order by id for update`
}

/** Writes locked messages, and with them the counts by day. A message that has left waits for no further attempt. */
export async function updateMails(
  ctx: Context,
  changes: ReadonlyArray<{ mail: ReportedMail; deltas: MailDeltas }>,
): Promise<void> {
  const rows = changes.map(({ mail, deltas }) => ({ ...mail, ...deltas }))
  const { sql } = ctx
  const changed = changedEmails(
    ctx,
    {
      ...{ sent: sql`r.sent`, delivered: sql`r.delivered`, opened: sql`r.opened`, clicked: sql`r.clicked` },
      ...{ bounced: sql`r.bounced`, complained: sql`r.complained`, failed: sql`r.failed` },
      // What was sent before it failed was used all the same.
      skipped: sql`r.skipped - case when e.sent_at is not null and r.sent = 0 then r.failed else 0 end`,
      trouble: troubleOf(ctx),
      had_trouble: sql`e.attempts > 1 or r.failed < 0 or r.bounced < 0`,
    },
    columns => sql`
      update emails e
         set status = r.status, reason = r.reason, reason_detail = r."reasonDetail", sent_at = r."sentAt", delivered_at = r."deliveredAt",
             opened_at = r."openedAt", clicked_at = r."clickedAt", bounced_at = r."bouncedAt",
             complained_at = r."complainedAt", soft_bounced_at = r."softBouncedAt", opens = r.opens, clicks = r.clicks,
             own_opens = r."ownOpens", own_clicks = r."ownClicks", provider_opens = r."providerOpens",
             provider_clicks = r."providerClicks", machine_opens = r."machineOpens", machine_clicks = r."machineClicks",
             copies = coalesce(r.copies, e.copies),
             next_attempt_at = case when r.status = 'PENDING' then e.next_attempt_at end,
             updated_at = ${ctx.clock.now()}::timestamptz
        from json_to_recordset(${JSON.stringify(rows)}::json) as r(
             id uuid, status text, reason text, "reasonDetail" jsonb, "sentAt" timestamptz, "deliveredAt" timestamptz, "openedAt" timestamptz,
             "clickedAt" timestamptz, "bouncedAt" timestamptz, "complainedAt" timestamptz, "softBouncedAt" timestamptz,
             opens int, clicks int, "ownOpens" int, "ownClicks" int, "providerOpens" int, "providerClicks" int,
             "machineOpens" int, "machineClicks" int, sent int, delivered int, opened int, clicked int, bounced int,
             complained int, failed int, skipped int, copies jsonb)
       where e.id = r.id
      returning ${columns}`,
  )
  await sql`with ${changed.as} select from ${changed.name}`
}

// Inbound mail, as rows of the email log.
import type { Context } from '../../../../platform/context'

export interface ReceivedRow {
  id: string
  projectId: string
  contactId: string
  /** The address of the contact who wrote. */
  sender: string
  /** Our address that it came to. */
  recipient: string
  subject: string
  html: string
  text: string
  messageId: string
  receivedAt: Date
}

/** Counts as use, but not in the counts by day: those are of mail that we sent, and measure its reputation. */
export async function insertReceived(ctx: Context, rows: readonly ReceivedRow[]): Promise<void> {
  const now = ctx.clock.now()
  await ctx.sql`
    with counted as (
      insert into email_day_deltas (project_id, hour, source_type, is_simulated, used, units)
      select project_id, date_trunc('hour', ${now}::timestamptz, 'UTC'), 'INBOUND', false, count(*), count(*)
        from unnest(${rows.map(row => row.projectId)}::uuid[]) as project_id group by project_id
    )
    insert into emails (id, project_id, contact_id, source_type, mail_class, to_email, from_email, subject, html, text,
                        headers, message_id, status, delivered_at, created_at, updated_at)
    select r.id, r."projectId", r."contactId", 'INBOUND', 'transactional', r.sender, r.recipient, r.subject, r.html, r.text,
           '{}', r."messageId", 'RECEIVED', r."receivedAt", ${now}::timestamptz, ${now}::timestamptz
      from json_to_recordset(${JSON.stringify(rows)}::json) as r(
           id uuid, "projectId" uuid, "contactId" uuid, sender text, recipient text, subject text, html text, text text,
           "messageId" text, "receivedAt" timestamptz)`
}

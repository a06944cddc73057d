// Parts of statements that write a campaign's messages together with rows of its own: recording them, and opening them again.
import { type SQL, sql } from 'drizzle-orm'
import { firstIdAt } from '../../../../lib/ids'
import { startOfMonth } from '../../../../lib/time'
import { messageIdEnd } from '../../../../mail/mime/message-id'
import type { Context } from '../../../../platform/context'
import { type Cte, cte } from '../../../../platform/db/cte'
import { momentOf } from '../../../../platform/db/partition/months'
import { simulatedPatterns } from '../days'
import { emailDayDeltas, emails, type MailClass, type SourceType } from '../schema'
import { ownSimulatorDomain } from '../simulator'
import { changedEmails } from './changed'

/** What all messages of a campaign have in common. */
export interface CampaignMail {
  projectId: string
  campaignId: string
  sourceType: SourceType
  mailClass: MailClass
  /** The same for all, or by the `contact_id` of `NamedRecipients`. */
  subject: string | SQL
  fromEmail: string
  fromName: string | SQL
  replyTo: string | null
}

/** Contacts of a page, each with the email that it may get, and when that is due; null: at once. */
export type NamedRecipients = Cte<'id' | 'contact_id' | 'email' | 'due_at', SQL>

/** An email to each, and the counts of their days. `passesOver` leaves out contacts that have theirs already. */
export function addRecipients(
  { projectId, campaignId, now, ...mail }: CampaignMail & { now: Date },
  named: NamedRecipients,
  passesOver: boolean,
): Cte<'to_email', SQL> {
  const at = sql`${now.toISOString()}::timestamptz`
  const added = cte(
    sql,
    'added',
    { to_email: sql`to_email` },
    columns => sql`
      insert into ${emails} (id, project_id, contact_id, source_type, mail_class, campaign_id, to_email, from_email, from_name,
                             reply_to, subject, html, text, headers, message_id, status, created_at, updated_at, next_attempt_at)
      select id, ${projectId}::uuid, contact_id, ${mail.sourceType}, ${mail.mailClass}, ${campaignId}::uuid, email,
             ${mail.fromEmail}, ${mail.fromName}, ${mail.replyTo}, ${mail.subject}, '', '', '{}'::jsonb,
             id || ${messageIdEnd(mail.fromEmail)}::text, 'PENDING', ${at}, ${at}, due_at
        from ${named.name} n
      ${passesOver || mayBeElsewhere(campaignId, now) ? withoutMessage({ projectId, campaignId }) : sql``}
      ${passesOver ? sql`on conflict do nothing` : sql``}
      returning ${columns}`,
  )
  const as = sql`
    ${added.as}, counted as (
      insert into ${emailDayDeltas} (project_id, hour, source_type, is_simulated, created, used)
      select ${projectId}::uuid, date_trunc('hour', ${at}, 'UTC'), ${mail.sourceType}, to_email like ${simulatedPatterns[0]} or to_email like ${simulatedPatterns[1]}, count(*),
             count(*) filter (where to_email not like ${`%@${ownSimulatorDomain}`})
        from ${added.name} group by 4
    )`
  return { ...added, as }
}

/** Where the email log is split by month, the unique index on campaign and contact covers the messages of one month only. */
function mayBeElsewhere(campaignId: string, now: Date): boolean {
  return momentOf(campaignId) < startOfMonth(now)
}

function withoutMessage({ projectId, campaignId }: Pick<CampaignMail, 'projectId' | 'campaignId'>): SQL {
  return sql`
       where not exists (select from ${emails} e
                          where e.project_id = ${projectId}::uuid and e.campaign_id = ${campaignId}::uuid
                            and e.contact_id = n.contact_id and e.id >= ${firstIdAt(startOfMonth(momentOf(campaignId)))}::uuid)`
}

/** What a waiting message is to be sent with. */
export type PlannedMail = Pick<CampaignMail, 'subject' | 'fromName'>

/** The statement by which the campaign's waiting emails to the contacts get these words, and their time if they have one. */
export function planRecipients(
  { projectId, campaignId, now }: Pick<CampaignMail, 'projectId' | 'campaignId'> & { now: Date },
  { subject, fromName }: PlannedMail,
  named: NamedRecipients,
): SQL {
  return sql`
    update ${emails} e
       set subject = ${subject}, from_name = ${fromName}, updated_at = ${now.toISOString()}::timestamptz,
           next_attempt_at = coalesce(n.due_at, e.next_attempt_at)
      from ${named.name} n
     where e.project_id = ${projectId}::uuid and e.campaign_id = ${campaignId}::uuid and e.contact_id = n.contact_id
       and e.status = 'PENDING'`
}

/** Common table expressions by which those of the closed emails wait to be sent that are to be sent `again`, and count as if they had never existed. */
export function reopenRecipients(
  ctx: Context,
  { projectId, campaignId }: Pick<CampaignMail, 'projectId' | 'campaignId'>,
  closed: Cte<'contact_id' | 'status' | 'again'>,
) {
  const { sql: template, clock } = ctx
  return changedEmails(
    ctx,
    {
      failed: template`-(c.status = 'FAILED')::int`,
      skipped: template`-(c.status = 'SKIPPED')::int`,
      trouble: template`null::text`,
      had_trouble: template`true`,
    },
    columns => template`
      update emails e
         set status = 'PENDING', reason = null, reason_detail = null, soft_bounced_at = null, next_attempt_at = null,
             tried_since = null, updated_at = ${clock.now()}::timestamptz
        from ${closed.name} c
       where c.again and e.project_id = ${projectId}::uuid and e.campaign_id = ${campaignId}::uuid
         and e.contact_id = c.contact_id and e.status = c.status
      returning ${columns}`,
  ).as
}

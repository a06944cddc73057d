// Parts of statements that write a campaign's messages together with rows of its own: recording them, and opening them again.
import { type SQL, sql } from 'drizzle-orm'
import { firstIdAt } from '../../../../lib/ids'
import { startOfMonth } from '../../../../lib/time'
import { messageIdEnd } from '../../../../mail/mime/message-id'
import type { Context } from '../../../../platform/context'
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
  /** The same for all, or by the contact of `named`. */
  subject: string | SQL
  fromEmail: string
  fromName: string | SQL
  replyTo: string | null
}

/**
 * To follow a common table expression `named` (id, contact_id, email): a message to each, and the counts of their days, as `added` and
 * `counted`. `passesOver` leaves out contacts that have theirs already; `isPlanned`: `named` says when each may leave, as `due_at`.
 */
export function addRecipients(
  { projectId, campaignId, now, ...mail }: CampaignMail & { now: Date },
  passesOver: boolean,
  isPlanned: boolean,
): SQL {
  const at = sql`${now.toISOString()}::timestamptz`
  return sql`
    added as (
      insert into ${emails} (id, project_id, contact_id, source_type, mail_class, campaign_id, to_email, from_email, from_name,
                             reply_to, subject, html, text, headers, message_id, status, created_at, updated_at${isPlanned ? sql`, next_attempt_at` : sql``})
      select id, ${projectId}::uuid, contact_id, ${mail.sourceType}, ${mail.mailClass}, ${campaignId}::uuid, email,
             ${mail.fromEmail}, ${mail.fromName}, ${mail.replyTo}, ${mail.subject}, '', '', '{}'::jsonb,
             id || ${messageIdEnd(mail.fromEmail)}::text, 'PENDING', ${at}, ${at}${isPlanned ? sql`, due_at` : sql``}
        from named
      ${passesOver || mayBeElsewhere(campaignId, now) ? withoutMessage({ projectId, campaignId }) : sql``}
      ${passesOver ? sql`on conflict do nothing` : sql``}
      returning to_email
    ), counted as (
      insert into ${emailDayDeltas} (project_id, hour, source_type, is_simulated, created, used)
      select ${projectId}::uuid, date_trunc('hour', ${at}, 'UTC'), ${mail.sourceType}, to_email like ${simulatedPatterns[0]} or to_email like ${simulatedPatterns[1]}, count(*),
             count(*) filter (where to_email not like ${`%@${ownSimulatorDomain}`})
        from added group by 4
    )`
}

/** Where the ledger is split by month, the unique index on campaign and contact covers the messages of one month only. */
function mayBeElsewhere(campaignId: string, now: Date): boolean {
  return momentOf(campaignId) < startOfMonth(now)
}

function withoutMessage({ projectId, campaignId }: Pick<CampaignMail, 'projectId' | 'campaignId'>): SQL {
  return sql`
       where not exists (select from ${emails} e
                          where e.project_id = ${projectId}::uuid and e.campaign_id = ${campaignId}::uuid
                            and e.contact_id = named.contact_id and e.id >= ${firstIdAt(startOfMonth(momentOf(campaignId)))}::uuid)`
}

/** What a waiting message is to be sent with. */
export type PlannedMail = Pick<CampaignMail, 'subject' | 'fromName'>

/**
 * To follow a common table expression `named` (contact_id): the campaign's messages to them have these words from now on, as `planned`; `isPlanned`:
 * `named` says when each may leave, as `due_at`.
 */
export function planRecipients(
  { projectId, campaignId, now }: Pick<CampaignMail, 'projectId' | 'campaignId'> & { now: Date },
  { subject, fromName }: PlannedMail,
  isPlanned: boolean,
): SQL {
  return sql`
    planned as (
      update ${emails} e
         set subject = ${subject}, from_name = ${fromName}, updated_at = ${now.toISOString()}::timestamptz${isPlanned ? sql`, next_attempt_at = n.due_at` : sql``}
        from named n
       where e.project_id = ${projectId}::uuid and e.campaign_id = ${campaignId}::uuid and e.contact_id = n.contact_id
         and e.status = 'PENDING'
      returning e.id
    )`
}

/**
 * To follow a common table expression `closed` (contact_id, status, and `again`: whether to open it): those messages of the campaign wait
 * to be sent again, and count as if they had never existed.
 */
export function reopenRecipients(
  ctx: Context,
  { projectId, campaignId }: Pick<CampaignMail, 'projectId' | 'campaignId'>,
) {
  const { sql: template, clock } = ctx
  return changedEmails(
    ctx,
    {
      failed: template`-(closed.status = 'FAILED')::int`,
      skipped: template`-(closed.status = 'SKIPPED')::int`,
      trouble: template`null::text`,
      had_trouble: template`true`,
    },
    columns => template`
      update emails e
         set status = 'PENDING', reason = null, reason_detail = null, soft_bounced_at = null, next_attempt_at = null,
             tried_since = null, updated_at = ${clock.now()}::timestamptz
        from closed
       where closed.again and e.project_id = ${projectId}::uuid and e.campaign_id = ${campaignId}::uuid
         and e.contact_id = closed.contact_id and e.status = closed.status
      returning ${columns}`,
  ).as
}

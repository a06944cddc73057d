// Taking messages for sending and writing what came of it, for many at once.

import type { Context } from '../../../../platform/context'
import { type Cte, cte } from '../../../../platform/db/cte'
import { insertRows } from '../../../../platform/db/insert-rows'
import { failsAsWhole } from '../../../../platform/transports/several/verdict'
import type { Tracking } from '../../../accounts/projects'
import { whySuppressed } from '../../../audience/suppressions'
import type { DueEmail } from '../due-email'
import type { EmailSettlement } from '../events'
import type { MailRules } from '../held'
import { emailAttempts, type SourceType } from '../schema'
import { isTracked } from '../tracking-mode'
import { changedEmails, troubleOf } from './changed'
import { inTopic } from './in-topic'
import { presentAddress } from './present-address'

/** What was known about a message when it was taken for sending, a moment ago. */
export interface DeliveryFacts {
  sourceType: SourceType
  campaignId: string | null
  projectDisabled: boolean
  /** Of the contact, where it matters: subscription decides for an audience, not for a message that was asked for. */
  contactState: 'gone' | 'unsubscribed' | 'outOfTopic' | null
  /** Reason of the suppression of its address, if any. */
  suppressed: string | null
}

/** A message that was taken for sending. An opt-out does not apply to a message that goes to another address than the contact's own. */
export interface TakenEmail extends DueEmail, DeliveryFacts {
  /** When it was taken for its first try: waiting is none. */
  triedSince: Date
  /** What may hold it: rules of its project, and the zone in its contact's data. Null for what nothing holds. */
  holds: (MailRules & { zone: string | null; timeZone: string | null }) | null
  /** True when an earlier attempt never ended: its process died. */
  wasSending: boolean
  /** Reasons of the suppressions of its copies, by address; null if it has none. */
  suppressedCopies: Record<string, string> | null
}

const lostResponse =
  'the process ended before an answer was recorded; the message is sent again with the same Message-ID'

/**
 * Of emails that are being taken, one that is SENDING already was left by a process that died: its attempt is recorded, because the email may
 * have arrived. Where there are several transports it names none: only that process knew which of them had the email.
 */
export function recordLostTries(
  ctx: Context,
  due: Cte<'id' | 'project_id' | 'status' | 'attempts' | 'updated_at'>,
) {
  const transport = ctx.mail.routes ? null : ctx.mail.name
  return ctx.sql`
    lost as (
      insert into email_attempts (email_id, attempt, project_id, transport, outcome, response, started_at, finished_at)
      select id, attempts, project_id, ${transport}::text, 'deferred', ${lostResponse}, updated_at, ${ctx.clock.now()}::timestamptz
        from ${due.name} where status = 'SENDING'
      on conflict do nothing
    )`
}

/** What is to be known of an email before it is taken. */
export function dueColumns({ sql }: Context) {
  return {
    ...{ id: sql`id`, project_id: sql`project_id`, status: sql`status` },
    ...{ attempts: sql`attempts`, updated_at: sql`updated_at` },
  }
}

/**
 * Takes the messages for sending: PENDING becomes SENDING and the attempt is counted. A row found SENDING was
 * left by a run that died, or that no longer has its job: that one hands nothing over any more (`Batch.signal`). So it is taken again with the
 * same Message-ID, and the attempt that never ended is recorded, because the message may have arrived. Rows in any other state are not returned: they are done.
 */
export async function takeForSending(ctx: Context, ids: string[]): Promise<TakenEmail[]> {
  const now = ctx.clock.now()
  const of = {
    projectId: ctx.sql`e.project_id`,
    contactId: ctx.sql`e.contact_id`,
    topicId: ctx.sql`e.topic_id`,
  }
  const due = cte(
    ctx.sql,
    'due',
    dueColumns(ctx),
    columns => ctx.sql`
      select ${columns} from emails
       where id = any(${ids}::uuid[]) and status in ('PENDING', 'SENDING')
         and (scheduled_for is null or scheduled_for <= ${now}::timestamptz)
       order by id for update`,
  )
  const rows = await ctx.sql<Array<Omit<TakenEmail, 'tracked'> & TrackingColumns>>`
    with ${due.as}, ${recordLostTries(ctx, due)}
    update emails e
       set status = 'SENDING', attempts = e.attempts + 1, next_attempt_at = null, updated_at = ${now}::timestamptz,
           to_email = ${presentAddress(ctx)},
           tried_since = coalesce(e.tried_since, ${now}::timestamptz)
      from ${due.name}, projects p
     where e.id = due.id and p.id = e.project_id and p.closing is null
    returning ${takenColumns(ctx)}, e.hops, e.tried_since as "triedSince", due.status = 'SENDING' as "wasSending",
              case when e.source_type = 'WORKFLOW' and (p.quiet_hours is not null or p.mail_cap is not null) then (
                select jsonb_build_object('timeZone', p.time_zone, 'quietHours', p.quiet_hours, 'mailCap', p.mail_cap,
                                          'zone', c.data ->> p.time_zone_field)
                  from contacts c where c.project_id = e.project_id and c.id = e.contact_id and c.email = e.to_email) end as holds,
              ${whySuppressed(ctx, { projectId: of.projectId, email: ctx.sql`e.to_email` })} as suppressed,
              case when e.source_type = 'WORKFLOW' or e.topic_id is not null then nullif(coalesce(
                (select case when e.source_type = 'WORKFLOW' and not c.subscribed and c.email = e.to_email then 'unsubscribed'
                             when e.topic_id is not null and not ${inTopic(ctx, of)} then 'outOfTopic'
                             else '' end
                   from contacts c where c.project_id = e.project_id and c.id = e.contact_id), 'gone'), '') end as "contactState"`
  return rows.map(withTracking)
}

/** The columns of the row `e` and its project `p` that sending needs. */
export function takenColumns(ctx: Context) {
  const { sql } = ctx
  const copy = { projectId: sql`e.project_id`, email: sql`(c ->> 'email')` }
  return sql`
    e.id, e.project_id as "projectId", e.contact_id as "contactId", e.source_type as "sourceType",
    e.mail_class as "mailClass", e.template_id as "templateId", e.campaign_id as "campaignId", e.topic_id as "topicId",
    e.to_email as "toEmail", e.to_name as "toName", e.from_email as "fromEmail", e.from_name as "fromName",
    e.reply_to as "replyTo", e.subject, e.html, e.text, e.headers, e.attachment_set as "attachmentSet", e.submitted_set as "submittedSet",
    e.given_links as "givenLinks", e.copies, e.tags, e.metadata, e.scheduled_for as "scheduledFor", e.message_id as "messageId", e.attempts,
    e.created_at as "createdAt", p.disabled as "projectDisabled", e.tracking, p.tracking as mode,
    case when e.copies is not null then (
      select coalesce(jsonb_object_agg(c ->> 'email', w.reason) filter (where w.reason is not null), '{}')
        from jsonb_array_elements(e.copies) c
       cross join lateral (select ${whySuppressed(ctx, copy)} as reason) w) end as "suppressedCopies"`
}

/** Reduces these columns of a row to whether its links are to be replaced. */
export function withTracking<T extends TrackingColumns>({ mode, tracking, ...row }: T) {
  return { ...row, tracked: isTracked(mode, row.sourceType, tracking) }
}

interface TrackingColumns {
  mode: Tracking
  tracking: boolean | null
  sourceType: SourceType
}

/** Whether the message waits or is on its way. */
export async function isOpen({ sql }: Context, id: string): Promise<boolean> {
  const rows = await sql`
    select from emails where id = ${id}::uuid and status in ('PENDING', 'SENDING')`
  return rows.length > 0
}

function settledRow({ email, outcome, tries, rendered, copied }: EmailSettlement) {
  const { suppress: _, ...columns } = outcome
  const attempts = tries.at(-1)?.attempt ?? email.attempts - 1
  return { ...columns, ...rendered, copies: copied?.copies, id: email.id, attempt: email.attempts, attempts }
}

/** A row that was settled, and which parts of its settlement are new: a report may arrive before the sender has written the outcome. */
export interface SettledRow {
  id: string
  isSent: boolean
  isDelivered: boolean
  isBounced: boolean
  isSoftBounced: boolean
}

/**
 * Writes the outcome of many attempts; returns the rows that changed. Only the attempt that took the row may settle it, so a process that
 * lost its lease and comes back late changes nothing.
 */
export async function settleEmails(ctx: Context, settlements: EmailSettlement[]): Promise<SettledRow[]> {
  const now = ctx.clock.now()
  const { sql } = ctx
  const changed = changedEmails(
    ctx,
    {
      // A time that is not ours was there before, and counted.
      sent: sql`coalesce(e.sent_at = r."sentAt", false)::int`,
      delivered: sql`coalesce(e.delivered_at = r."deliveredAt", false)::int`,
      bounced: sql`coalesce(e.bounced_at = r."bouncedAt", false)::int`,
      failed: sql`(r.status = 'FAILED')::int`,
      skipped: sql`(r.status = 'SKIPPED')::int`,
      trouble: troubleOf(ctx),
      had_trouble: sql`r.attempt > 1`,
      isSoftBounced: sql`coalesce(r."gaveUp" and e.soft_bounced_at = ${now}, false)`,
    },
    columns => sql`
      update emails e
         set status = ${reportedStatus(ctx)}, reason = case when e.bounced_at is null then r.reason else e.reason end,
             reason_detail = case when e.bounced_at is null then r."reasonDetail" else e.reason_detail end,
             attempts = r.attempts, provider_id = coalesce(r."providerId", e.provider_id),
             sent_at = coalesce(e.sent_at, r."sentAt"), delivered_at = coalesce(e.delivered_at, r."deliveredAt"),
             bounced_at = coalesce(e.bounced_at, r."bouncedAt"),
             soft_bounced_at = case when r."gaveUp" then coalesce(e.soft_bounced_at, ${now}) else e.soft_bounced_at end,
             next_attempt_at = r."nextAttemptAt",
             subject = coalesce(r.subject, e.subject), variables = coalesce(r.variables, e.variables),
             copies = coalesce(r.copies, e.copies),
             -- Whoever waits for the pace alone has all the time that there is for trying.
             tried_since = case when r.attempts > 0 then e.tried_since end,
             updated_at = ${now}
        from json_to_recordset(${JSON.stringify(settlements.map(settledRow))}::json) as r(
             id uuid, attempt int, attempts int, status text, reason text, "reasonDetail" jsonb, "providerId" text, "sentAt" timestamptz,
             "deliveredAt" timestamptz, "bouncedAt" timestamptz, "nextAttemptAt" timestamptz, "gaveUp" boolean,
             subject text, variables jsonb, copies jsonb)
       where e.id = r.id and e.status = 'SENDING' and e.attempts = r.attempt
      returning ${columns}`,
  )
  return await sql<SettledRow[]>`
    with ${changed.as}
    select id, sent = 1 as "isSent", delivered = 1 as "isDelivered", bounced = 1 as "isBounced", "isSoftBounced" from ${changed.name}`
}

/** What has left may have been opened, or have bounced, before the sender knew that it was accepted. */
function reportedStatus({ sql }: Context) {
  return sql`
    case when r.status not in ('SENT', 'DELIVERED') then r.status
         when e.complained_at is not null then 'COMPLAINED'
         when e.bounced_at is not null then 'BOUNCED'
         when e.clicked_at is not null then 'CLICKED'
         when e.opened_at is not null then 'OPENED'
         else r.status end`
}

const attemptNames = [
  'emailId',
  'attempt',
  'projectId',
  'transport',
  'transportName',
  'outcome',
  'stage',
  'code',
  'enhanced',
  'response',
  'transportFailed',
  'startedAt',
  'finishedAt',
] as const

/** Records what the other side said; an attempt that is recorded already stays as it is. */
export async function insertAttempts(
  ctx: Context,
  settlements: ReadonlyArray<Pick<EmailSettlement, 'email' | 'tries'>>,
): Promise<void> {
  const rows = settlements.flatMap(({ email: { id, projectId }, tries }) =>
    tries.map(({ result, ...facts }) => {
      const { outcome, stage, code, enhanced, response } = result
      const said = { outcome, stage, code, enhanced, response, transportFailed: failsAsWhole(result) }
      return { ...facts, emailId: id, projectId, ...said }
    }),
  )
  if (rows.length === 0) return
  await ctx.sql`
    ${insertRows(ctx, emailAttempts, attemptNames, rows)}
    on conflict do nothing`
}

// The messages of a campaign while they are sent: taken, closed and opened again by the contacts that they go to. What a campaign is and
// when it may send is the caller's business, and comes in as a condition.
import type postgres from 'postgres'
import type { Context } from '../../../../platform/context'
import { cte } from '../../../../platform/db/cte'
import { type EmailReason, heldReasons, type Reasoned } from '../../../../platform/transports/reason'
import { whySuppressed } from '../../../audience/suppressions'
import { changedEmails } from './changed'
import { dueColumns, recordLostTries } from './delivery'
import { inTopic } from './in-topic'
import { presentAddress } from './present-address'

/** A recipient that was taken for sending, with what is known at this moment. */
export interface TakenRecipient extends Reasoned {
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
  /** Whether the topic that was asked about allows it; false without one. */
  inTopic: boolean
  data: Record<string, unknown>
  /** Reason of the suppression of its address, if any. */
  suppressed: string | null
  projectDisabled: boolean
}

export interface Taking {
  limit: number
  /** Taken even before their time, to see whether the transport works again. */
  isProbe?: boolean
  /** Not even a probe takes those whose moment has not come. */
  keepsMoments?: boolean
  /** What the recipients are to be asked about. */
  topicId?: string | null
}

/** Messages of one campaign, by their contacts: those in `(after, upTo]`. */
export interface RecipientRange {
  projectId: string
  campaignId: string
  after: string
  upTo: string
}

/**
 * Takes the next recipients of the range for sending, in the order of contacts: PENDING ones that are due, and SENDING ones, left behind
 * by a process that died (only one job at a time works on a range). None where `mayLeave`, the caller's own condition, does not hold.
 */
export async function takeRecipients(
  ctx: Context,
  { projectId, campaignId, after, upTo }: RecipientRange,
  mayLeave: postgres.PendingQuery<postgres.Row[]>,
  { limit, isProbe = false, keepsMoments = false, topicId = null }: Taking,
): Promise<TakenRecipient[]> {
  const now = ctx.clock.now()
  const of = {
    projectId: ctx.sql`${projectId}::uuid`,
    contactId: ctx.sql`t.contact_id`,
    topicId: ctx.sql`${topicId}::uuid`,
  }
  const address = { projectId: of.projectId, email: ctx.sql`t.to_email` }
  const due = cte(
    ctx.sql,
    'due',
    dueColumns(ctx),
    columns => ctx.sql`
      select ${columns} from emails
       where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid
         and contact_id > ${after}::uuid and contact_id <= ${upTo}::uuid
         and (status = 'SENDING' or status = 'PENDING'
              and (${isProbe}::boolean and (attempts > 0 or not ${keepsMoments}::boolean) or next_attempt_at is null or next_attempt_at <= ${now}::timestamptz))
         and ${mayLeave}
       order by contact_id limit ${limit}
         for update`,
  )
  const rows = await ctx.sql<TakenRecipient[]>`
    with ${due.as}, ${recordLostTries(ctx, due)}, taken as (
      update emails e
         set status = 'SENDING', attempts = e.attempts + 1, next_attempt_at = null, updated_at = ${now}::timestamptz,
             to_email = ${presentAddress(ctx)},
             tried_since = case when e.reason = any(${[...heldReasons]}::text[]) then ${now}::timestamptz
                                else coalesce(e.tried_since, ${now}::timestamptz) end
        from ${due.name} where e.project_id = due.project_id and e.id = due.id
      returning e.id, e.contact_id, e.to_email, e.message_id, e.attempts, e.created_at, e.tried_since, e.reason, e.reason_detail
    )
    select t.id, t.contact_id as "contactId", t.to_email as "toEmail", t.message_id as "messageId", t.attempts,
           t.created_at as "createdAt", t.tried_since as "triedSince",
           t.reason, t.reason_detail as "reasonDetail", c.id is not null as exists, coalesce(c.subscribed, false) as subscribed,
           ${inTopic(ctx, of)} as "inTopic",
           coalesce(c.data, '{}'::jsonb) as data, ${whySuppressed(ctx, address)} as suppressed, p.disabled as "projectDisabled"
      from taken t
      join projects p on p.id = ${projectId}::uuid
      left join contacts c on c.project_id = ${projectId}::uuid and c.id = t.contact_id`
  return rows.sort((a, b) => (a.contactId < b.contactId ? -1 : 1))
}

/**
 * Open recipients of the range become FAILED; `left` are the states that count as open here. Returns how many there were, and how many of
 * them a rule had held.
 */
export async function failOpenRecipients(
  ctx: Context,
  { projectId, campaignId, after, upTo }: RecipientRange,
  left: ReadonlyArray<'PENDING' | 'SENDING'>,
  reason: EmailReason,
): Promise<{ closed: number; held: number }> {
  const { sql } = ctx
  const changes = { failed: sql`1`, trouble: sql`'failed'`, had_trouble: sql`false` }
  const changed = changedEmails(
    ctx,
    { ...changes, was_held: sql`open.was_held` },
    columns => sql`
      update emails e
         set status = 'FAILED', reason = ${reason}, reason_detail = null, next_attempt_at = null, updated_at = ${ctx.clock.now()}::timestamptz
        from open where e.project_id = open.project_id and e.id = open.id
      returning ${columns}`,
  )
  const [row] = await sql<[{ closed: number; held: number }]>`
    with open as materialized (
      select id, project_id, status = 'PENDING' and coalesce(reason = any(${[...heldReasons]}::text[]), false) as was_held from emails
       where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid
         and contact_id > ${after}::uuid and contact_id <= ${upTo}::uuid and status = any(${left as string[]}::text[])
       order by contact_id for update
    ), ${changed.as}
    select count(*) as closed, count(*) filter (where was_held) as held from ${changed.name}`
  return row
}

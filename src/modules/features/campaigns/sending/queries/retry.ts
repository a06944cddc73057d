// Queueing again the recipients that a campaign did not reach, a page at a time and in the order of contacts.
import type { Context } from '../../../../../platform/context'
import { cte } from '../../../../../platform/db/cte'
import { ruleReasons } from '../../../../../platform/transports/reason'
import { whySuppressed } from '../../../../audience/suppressions'
import { reopenRecipients } from '../../../../sending/emails'

/** Which recipients are looked at that were not reached: FAILED and SKIPPED ones, and those whose attempts were used up. */
export interface RetryPage {
  projectId: string
  campaignId: string
  subscribedOnly: boolean
  /** The contact after which the page begins. */
  after: string
  limit: number
  /** Leaves out what ended later than this: it has had its second attempt already. */
  until?: Date
}

export interface Requeued {
  /** Rows that were FAILED, or BOUNCED without having left, and are open again. */
  failed: number
  /** Rows that were SKIPPED and are open again. */
  skipped: number
  /** Of those: a rule had skipped them. */
  capped: number
  /** Rows that were left alone. */
  left: number
  /** The contact of the last row of the page; null if there was none. */
  last: string | null
}

/** The rows of the page, and whether another attempt may help: not where the contact is gone or opted out, or the address suppressed. */
function closedRows(ctx: Context, { projectId, campaignId, subscribedOnly, after, limit, until }: RetryPage) {
  const of = { projectId: ctx.sql`e.project_id`, email: ctx.sql`coalesce(c.email, e.to_email)` }
  return cte(
    ctx.sql,
    'closed',
    {
      contact_id: ctx.sql`e.contact_id`,
      status: ctx.sql`e.status`,
      by_rule: ctx.sql`e.reason = any(${[...ruleReasons]}::text[])`,
      again: ctx.sql`c.id is not null and (c.subscribed or not ${subscribedOnly}::boolean) and ${whySuppressed(ctx, of)} is null`,
    },
    columns => ctx.sql`
      select ${columns}
        from (select status, project_id, contact_id, to_email, reason from emails
               where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid and contact_id > ${after}::uuid
                 and (status in ('FAILED', 'SKIPPED') or status = 'BOUNCED' and sent_at is null and bounced_at is null) and updated_at <= coalesce(${until ?? null}::timestamptz, 'infinity')
               order by contact_id limit ${limit}) e
        left join contacts c on c.project_id = e.project_id and c.id = e.contact_id`,
  )
}

/**
 * Opens the rows of a page again where that may help, and the slices that they are in. Slices that are open are written to as well: whoever
 * is just ending one waits, or is waited for, and only then looks.
 */
export async function requeueRecipients(ctx: Context, page: RetryPage): Promise<Requeued> {
  const closed = closedRows(ctx, page)
  const [row] = await ctx.sql<Requeued[]>`
    with ${closed.as}, ${reopenRecipients(ctx, page, closed)}, reopened as (
      update campaign_slices s set done_at = null
       where s.project_id = ${page.projectId}::uuid and s.campaign_id = ${page.campaignId}::uuid
         and s.up_to > ${page.after}::uuid and s.after < (select contact_id from ${closed.name} order by contact_id desc limit 1)
         and exists (select from ${closed.name} where again and contact_id > s.after and contact_id <= s.up_to)
    )
    select count(*) filter (where again and status <> 'SKIPPED') as failed,
           count(*) filter (where again and status = 'SKIPPED') as skipped,
           count(*) filter (where again and status = 'SKIPPED' and by_rule) as capped,
           count(*) filter (where not again) as left,
           (select contact_id from ${closed.name} order by contact_id desc limit 1) as last
      from ${closed.name}`
  return row!
}

export interface Prospect {
  again: number
  left: number
}

/** How many rows of a page another attempt may help; changes nothing. */
export async function countRetryable(ctx: Context, page: RetryPage): Promise<Prospect> {
  const closed = closedRows(ctx, page)
  const [row] = await ctx.sql<Prospect[]>`
    with ${closed.as}
    select count(*) filter (where again) as again, count(*) filter (where not again) as left from ${closed.name}`
  return row!
}

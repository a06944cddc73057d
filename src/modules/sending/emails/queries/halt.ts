// SQL that ends waiting messages because their project may not send.
import type { Context } from '../../../../platform/context'
import type { EmailReason } from '../../../../platform/transports/reason'
import { addressees } from '../day-tally'
import type { EndedEmail } from '../events'
import { noteTroubles } from '../trouble-rows'

/** The columns of the row `e` that events about it need. */
export function endedColumns({ sql }: Context) {
  return sql`
    e.contact_id as "contactId", e.hops, e.subject, e.from_email as "fromEmail", e.from_name as "fromName",
    e.message_id as "messageId", e.template_id as "templateId", e.campaign_id as "campaignId", e.tags, e.metadata`
}

/** Fails those of the messages that wait, and adjusts the counts of their days; returns them. */
export async function failPending(ctx: Context, ids: string[], reason: EmailReason): Promise<EndedEmail[]> {
  const now = ctx.clock.now()
  return await ctx.sql<EndedEmail[]>`
    with given as materialized (
      select id from emails where id = any(${ids}::uuid[]) and status = 'PENDING'
    ), failed as (
      update emails e
         set status = 'FAILED', reason = ${reason}, reason_detail = null, next_attempt_at = null, updated_at = ${now}::timestamptz
        from given g where e.id = g.id and e.status = 'PENDING'
      returning e.id, e.project_id, e.created_at, e.source_type, e.simulated, ${addressees(ctx)}, ${endedColumns(ctx)}
    ), ${noteTroubles(ctx, { rows: ctx.sql`failed`, trouble: ctx.sql`'failed'`, hadTrouble: ctx.sql`false` })}, counted as (
      insert into email_day_deltas (project_id, hour, source_type, is_simulated, failed, used)
      select project_id, date_trunc('hour', created_at, 'UTC'), source_type, simulated, count(*), -sum(addressees) from failed group by 1, 2, 3, 4
    )
    select id, project_id as "projectId", source_type as "sourceType", "contactId", hops, subject, "fromEmail", "fromName",
           "messageId", "templateId", "campaignId", tags, metadata from failed`
}

/** Those of the messages that are on their way. */
export async function selectUnderway({ sql }: Context, ids: string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from emails where id = any(${ids}::uuid[]) and status = 'SENDING'`
  return rows.map(row => row.id)
}

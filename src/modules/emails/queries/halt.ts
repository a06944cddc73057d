// SQL that ends waiting messages because their project may not send.
import type { Context } from '../../../platform/context'
import { addressees } from '../day-tally'
import type { EndedEmail } from '../events'

/** The columns of the row `e` that events about it need. */
export function endedColumns({ sql }: Context) {
  return sql`
    e.contact_id as "contactId", e.hops, e.subject, e.from_email as "fromEmail", e.from_name as "fromName",
    e.message_id as "messageId", e.template_id as "templateId", e.campaign_id as "campaignId", e.tags, e.metadata`
}

/** Fails those of the messages that wait, and adjusts the counts of their days; returns those, and the ids of those that are on their way. */
export async function failPending(
  ctx: Context,
  ids: string[],
  reason: string,
): Promise<{ ended: EndedEmail[]; underway: string[] }> {
  const now = ctx.clock.now()
  const rows = await ctx.sql<Array<EndedEmail & { isUnderway: boolean }>>`
    with given as materialized (
      select id, status from emails where id = any(${ids}::uuid[])
    ), failed as (
      update emails e
         set status = 'FAILED', error = ${reason}, next_attempt_at = null, updated_at = ${now}::timestamptz
        from given g where e.id = g.id and e.status = 'PENDING'
      returning e.id, e.project_id, e.created_at, e.source_type, e.simulated, ${addressees(ctx)}, ${endedColumns(ctx)}
    ), troubled as (
      insert into email_troubles (project_id, email_id, kind) select project_id, id, 'failed' from failed
      on conflict (project_id, email_id) do update set kind = excluded.kind
    ), counted as (
      insert into email_day_deltas (project_id, hour, source_type, is_simulated, failed, used)
      select project_id, date_trunc('hour', created_at, 'UTC'), source_type, simulated, count(*), -sum(addressees) from failed group by 1, 2, 3, 4
    )
    select g.id, g.status = 'SENDING' as "isUnderway", f.project_id as "projectId", f.source_type as "sourceType", f."contactId", f.hops,
           f.subject, f."fromEmail", f."fromName", f."messageId", f."templateId", f."campaignId", f.tags, f.metadata
      from given g left join failed f on f.id = g.id where g.status = 'SENDING' or f.id is not null`
  const ended = rows.filter(row => !row.isUnderway)
  return { ended, underway: rows.filter(row => row.isUnderway).map(row => row.id) }
}

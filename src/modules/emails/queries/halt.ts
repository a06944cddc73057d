// SQL that ends waiting messages because their project may not send.
import type { Context } from '../../../platform/context'
import { addressees } from '../day-tally'

/** Fails those of the messages that wait, and adjusts the counts of their days; returns those that are on their way. */
export async function failPending(ctx: Context, ids: string[], reason: string): Promise<string[]> {
  const now = ctx.clock.now()
  const rows = await ctx.sql<{ id: string }[]>`
    with given as materialized (
      select id, status from emails where id = any(${ids}::uuid[])
    ), failed as (
      update emails e
         set status = 'FAILED', error = ${reason}, next_attempt_at = null, updated_at = ${now}::timestamptz
        from given g where e.id = g.id and e.status = 'PENDING'
      returning e.id, e.project_id, e.created_at, e.source_type, e.simulated, ${addressees(ctx)}
    ), troubled as (
      insert into email_troubles (project_id, email_id, kind) select project_id, id, 'failed' from failed
      on conflict (project_id, email_id) do update set kind = excluded.kind
    ), counted as (
      insert into email_day_deltas (project_id, hour, source_type, is_simulated, failed, used)
      select project_id, date_trunc('hour', created_at, 'UTC'), source_type, simulated, count(*), -sum(addressees) from failed group by 1, 2, 3, 4
    )
    select id from given where status = 'SENDING'`
  return rows.map(row => row.id)
}

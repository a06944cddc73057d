// What a suspended project has left in the queue.
import type { Context } from '../../../platform/context'

export interface Halted {
  /** Jobs that were looked at. */
  seen: number
  /** The last of them. */
  last: string | null
}

/**
 * Ends the messages of the project that wait behind the next `limit` delivery jobs, with the counts of their days, and takes those jobs
 * away: left alone, each would take a turn in the sending pace that all projects may share, to find nothing to send. A message that is
 * on its way keeps its job, which settles it.
 */
export async function failWaiting(
  ctx: Context,
  projectId: string,
  after: string | null,
  { limit, reason }: { limit: number; reason: string },
): Promise<Halted> {
  const now = ctx.clock.now()
  const [row] = await ctx.sql<Halted[]>`
    with page as materialized (
      select j.id, e.id as email_id, e.status
        from (select id, args from jobs
               where project_id = ${projectId}::uuid and kind in ('email.deliver', 'email.follow') and state = 'queued'
                 and (${after}::uuid is null or id > ${after}::uuid)
               order by id limit ${limit} for update skip locked) as j
        left join emails e on e.id = (j.args ->> 'emailId')::uuid
    ), failed as (
      update emails e
         set status = 'FAILED', error = ${reason}, next_attempt_at = null, updated_at = ${now}::timestamptz
        from page p where e.id = p.email_id and e.status = 'PENDING'
      returning e.project_id, e.created_at, e.source_type, e.simulated
    ), counted as (
      insert into email_day_deltas (project_id, hour, source_type, is_simulated, failed, used)
      select project_id, date_trunc('hour', created_at, 'UTC'), source_type, simulated, count(*), -count(*) from failed group by 1, 2, 3, 4
    ), removed as (
      delete from jobs where id in (select id from page where status is distinct from 'SENDING')
    )
    select (select count(*) from page) as seen, (select id from page order by id desc limit 1) as last`
  return row!
}

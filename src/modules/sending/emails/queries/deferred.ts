// Emails that wait for another attempt, over all projects: all of them, and those for which the transport failed for everybody.
import { timeOfId } from '../../../../lib/ids'
import { after, hour } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'

export interface DeferredEmail {
  jobId: string
  emailId: string
  projectId: string
}

/** Longer than the longest pause between two attempts: what is due later than this waits for a time of its own. */
const furthestMs = 3 * hour

/**
 * At most `limit` of them, those that are due first first. A project is looked at only where emails of it wait for another attempt, and of
 * its jobs only those of the next hours.
 */
export async function selectDeferred(ctx: Context, limit: number): Promise<DeferredEmail[]> {
  const now = ctx.clock.now()
  return await ctx.sql<DeferredEmail[]>`
    select job.id as "jobId", job.email_id as "emailId", p.id as "projectId"
      from projects p
     cross join lateral (
       select j.id, e.id as email_id, j.run_at
         from jobs j
         join email_troubles t on t.project_id = p.id and t.email_id = (j.args ->> 'emailId')::uuid and t.kind = 'waiting'
         join emails e on e.project_id = p.id and e.id = t.email_id and e.status = 'PENDING'
         join email_attempts a on a.project_id = p.id and a.email_id = e.id and a.attempt = e.attempts
        where j.state = 'queued' and j.kind in ('email.deliver', 'email.deliverWorkflow', 'email.follow')
          and (j.band || ' ' || coalesce(j.project_id::text, '~')) collate "C" in ('transactional ' || p.id, 'workflow ' || p.id)
          and j.run_at > ${now}::timestamptz and j.run_at <= ${after(now, furthestMs)}::timestamptz
          and a.transport_failed
        order by j.run_at limit ${limit}::int) as job
     where exists (select from email_troubles w where w.project_id = p.id and w.kind = 'waiting')
     order by job.run_at limit ${limit}::int`
}

/** They are tried now, and say so. */
export async function noteDueNow(ctx: Context, emails: readonly DeferredEmail[]): Promise<void> {
  await ctx.sql`
    update emails e set next_attempt_at = ${ctx.clock.now()}::timestamptz
      from unnest(${emails.map(one => one.projectId)}::uuid[], ${emails.map(one => one.emailId)}::uuid[]) as due(project_id, id)
     where e.project_id = due.project_id and e.id = due.id and e.status = 'PENDING'`
}

export interface Retrying {
  /** Counting stops at 100,000 for each project. */
  count: number
  /** When the oldest of them was accepted. */
  oldest: Date | undefined
}

/** Read from the table of troubles, project by project: messages without trouble cost nothing. */
export async function retryingEmails({ sql }: Pick<Context, 'sql'>): Promise<Retrying> {
  const [row] = await sql<{ count: number; oldest: string | null }[]>`
    select coalesce(sum(waiting.count), 0)::int as count, min(waiting.oldest)::text as oldest
      from projects p
     cross join lateral (
       select count(*) as count, min(first.email_id::text) as oldest
         from (select email_id from email_troubles
                where project_id = p.id and kind = 'waiting'
                order by email_id limit 100000) as first) as waiting`
  return { count: row!.count, oldest: row!.oldest ? timeOfId(row!.oldest) : undefined }
}

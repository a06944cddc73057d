// What the operator sees of the queue: jobs by kind, and those that were given up. Counting stops at a bound, whatever the table holds.
import type { SqlContext } from './jobs'

export interface KindFigures {
  kind: string
  band: string
  queued: number
  running: number
  failed: number
  /** Since when the oldest of them is due. */
  dueSince: Date | null
}

/** At most `limit` rows of each state are looked at: the next that are due, and the newest that failed. */
export async function countByKind(ctx: SqlContext, now: Date, limit: number): Promise<KindFigures[]> {
  return await ctx.sql<KindFigures[]>`
    with seen as (
      (select kind, band, state, run_at from jobs where state = 'queued' order by band, run_at limit ${limit})
      union all
      (select kind, band, state, null from jobs where state = 'running' limit ${limit})
      union all
      (select kind, band, state, null
         from (select kind, band, state from jobs
                where finished_at is not null order by finished_at desc limit ${limit}) as finished
        where state = 'failed'))
    select kind, min(band) as band,
           count(*) filter (where state = 'queued')::int as queued,
           count(*) filter (where state = 'running')::int as running,
           count(*) filter (where state = 'failed')::int as failed,
           min(run_at) filter (where run_at <= ${now}) as "dueSince"
      from seen group by kind order by kind`
}

export interface FailedJob {
  id: string
  kind: string
  projectId: string | null
  attempts: number
  error: string | null
  createdAt: Date
  finishedAt: Date
}

export interface FailedPage {
  kind?: string
  before?: { at: Date; id: string }
  limit: number
}

/** Newest first. Only what was kept is there: jobs that ended are cleared after a while. */
export async function pageOfFailed(
  ctx: SqlContext,
  { kind, before, limit }: FailedPage,
): Promise<FailedJob[]> {
  return await ctx.sql<FailedJob[]>`
    select id, kind, project_id as "projectId", attempt as attempts, left(last_error, 2000) as error,
           created_at as "createdAt", finished_at as "finishedAt"
      from jobs
     where finished_at is not null and state = 'failed'
       and (${kind ?? null}::text is null or kind = ${kind ?? null}::text)
       and (${before?.at ?? null}::timestamptz is null
            or (finished_at, id) < (${before?.at ?? null}::timestamptz, ${before?.id ?? null}::uuid))
     order by finished_at desc, id desc limit ${limit}`
}

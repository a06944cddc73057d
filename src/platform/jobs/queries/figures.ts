// What people see of the queue. Counting stops at a bound, whatever the table holds: an exact count would cost more than it is worth.
import { type Band, bands, type JobState } from '../schema'
import type { SqlContext } from './jobs'

/** Jobs of a band, or a state, that are counted at most. */
const countLimit = 100_000

/** Due jobs of a band that wait, and since when the oldest is due. */
export interface Backlog {
  band: Band
  waiting: number
  oldest: Date | null
}

/** An index range for each band, whatever else the table holds. */
export async function readBacklog(ctx: SqlContext, now: Date): Promise<Backlog[]> {
  return await ctx.sql<Backlog[]>`
    select wanted.band, due.waiting, due.oldest
      from unnest(${[...bands]}::text[]) as wanted(band)
     cross join lateral (
       select count(*)::int as waiting, min(run_at) as oldest
         from (select run_at from jobs
                where state = 'queued' and jobs.band = wanted.band and run_at <= ${now}
                order by run_at limit ${countLimit}) as first) as due`
}

export async function countRunning({ sql }: SqlContext): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from jobs where state = 'running'`
  return row!.count
}

/** A project's job as shown to its people. Undefined for another project's, and for one that has succeeded: its row is gone. */
export async function findJob(
  ctx: SqlContext,
  projectId: string,
  id: string,
): Promise<{ state: JobState; error: string | null } | undefined> {
  const [row] = await ctx.sql<{ state: JobState; error: string | null }[]>`
    select state, last_error as error from jobs where project_id = ${projectId} and id = ${id}`
  return row
}

export interface KindFigures {
  kind: string
  band: string
  queued: number
  running: number
  failed: number
  /** Since when the oldest of them is due. */
  dueSince: Date | null
}

/** At most `countLimit` rows of each state are looked at: the next that are due, and the newest that failed. */
export async function countByKind(ctx: SqlContext, now: Date): Promise<KindFigures[]> {
  return await ctx.sql<KindFigures[]>`
    with seen as (
      (select kind, band, state, run_at from jobs where state = 'queued' order by band, run_at limit ${countLimit})
      union all
      (select kind, band, state, null from jobs where state = 'running' limit ${countLimit})
      union all
      (select kind, band, state, null
         from (select kind, band, state from jobs
                where finished_at is not null order by finished_at desc limit ${countLimit}) as finished
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

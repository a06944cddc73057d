// What the instance asks its database about itself.
import type { Context } from '../../../platform/context'

export interface KindFigures {
  kind: string
  band: string
  queued: number
  running: number
  failed: number
  /** Since when the oldest of them is due. */
  dueSince: Date | null
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

export async function pingDatabase(ctx: Context): Promise<void> {
  await ctx.sql`select 1`
}

export async function describeDatabase(ctx: Context): Promise<{ version: string; bytes: number }> {
  const [row] = await ctx.sql<{ version: string; bytes: string | null }[]>`
    select current_setting('server_version') as version, pg_database_size(current_database())::text as bytes`
  return { version: row?.version ?? '', bytes: Number(row?.bytes ?? 0) }
}

/** Rows of a state that are counted at most: an exact count would cost more than it is worth. */
const maxCounted = 100_000

/** At most `maxCounted` rows of each state are looked at: the next that are due, and the newest that failed. */
export async function countByKind(ctx: Context, now: Date): Promise<KindFigures[]> {
  return await ctx.sql<KindFigures[]>`
    with seen as (
      (select kind, band, state, run_at from jobs where state = 'queued' order by band, run_at limit ${maxCounted})
      union all
      (select kind, band, state, null from jobs where state = 'running' limit ${maxCounted})
      union all
      (select kind, band, state, null
         from (select kind, band, state from jobs
                where finished_at is not null order by finished_at desc limit ${maxCounted}) as finished
        where state = 'failed'))
    select kind, min(band) as band,
           count(*) filter (where state = 'queued')::int as queued,
           count(*) filter (where state = 'running')::int as running,
           count(*) filter (where state = 'failed')::int as failed,
           min(run_at) filter (where run_at <= ${now}) as "dueSince"
      from seen group by kind order by kind`
}

export interface FailedPage {
  kind?: string
  before?: { at: Date; id: string }
  limit: number
}

/** Newest first. Only what was kept is there: jobs that ended are cleared after a while. */
export async function pageOfFailed(ctx: Context, { kind, before, limit }: FailedPage): Promise<FailedJob[]> {
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

export async function countRunningJobs({ sql }: Context): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from jobs where state = 'running'`
  return row!.count
}

// The queue as others see it: what waits, and the jobs of a project.
import { type Band, bands, type JobState } from '../schema'
import type { SqlContext } from './jobs'

/** An exact count of a larger backlog would cost more than it is worth. */
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

export interface QueuedJob {
  id: string
  args: Record<string, unknown>
}

/** Locks up to `limit` jobs of the project that wait and are of these kinds, past `after`, in the order of their ids. */
export async function lockQueued(
  tx: SqlContext,
  {
    projectId,
    kinds,
    after,
    limit,
  }: { projectId: string; kinds: string[]; after: string | null; limit: number },
): Promise<QueuedJob[]> {
  return await tx.sql<QueuedJob[]>`
    select id, args from jobs
     where project_id = ${projectId}::uuid and kind = any(${kinds}::text[]) and state = 'queued'
       and (${after}::uuid is null or id > ${after}::uuid)
     order by id limit ${limit} for update skip locked`
}

/** Removes jobs that the transaction has locked. */
export async function deleteLocked(tx: SqlContext, ids: string[]): Promise<void> {
  if (ids.length > 0) await tx.sql`delete from jobs where id = any(${ids}::uuid[])`
}

/** Drops jobs that are not running; returns how many. One scan of the table, which has few rows compared with the others. */
export async function dropJobs(tx: SqlContext, projectId: string, limit: number): Promise<number> {
  const dropped = await tx.sql`
    delete from jobs where id = any(array(
      select id from jobs where project_id = ${projectId}::uuid and state <> 'running'
       limit ${limit} for update skip locked))`
  return dropped.count
}

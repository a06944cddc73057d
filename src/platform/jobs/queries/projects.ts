// The statements about the jobs of one project, for those that bring it to rest or clear it.
import type { SqlContext } from './jobs'

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

/** Runs at this moment of the project's jobs, and of those of no project but for the kinds in `except`. */
export async function selectRunsOf(
  ctx: SqlContext,
  projectId: string,
  except: readonly string[],
): Promise<string[]> {
  const rows = await ctx.sql<{ run: string }[]>`
    select id || ':' || attempt as run from jobs
     where state = 'running' and (project_id = ${projectId}::uuid or project_id is null)
       and kind <> all(${[...except]}::text[])`
  return rows.map(row => row.run)
}

// Sources that took too long to render, counted until they are given up.
import type { Context } from '../../../../platform/context'

/** How often in a row it took too long to render this source, the last time after `since`. */
export async function countOverruns(
  ctx: Context,
  projectId: string,
  hash: string,
  since: Date,
): Promise<number> {
  const [row] = await ctx.sql<{ count: number }[]>`
    select count from template_strikes
     where project_id = ${projectId}::uuid and hash = ${hash} and last_at > ${since}`
  return row?.count ?? 0
}

export interface NewOverrun {
  projectId: string
  hash: string
  now: Date
  /** Earlier ones mean nothing any more. */
  since: Date
}

/** Counts one more, and clears what the project has of earlier ones. */
export async function recordOverrun(
  ctx: Context,
  { projectId, hash, now, since }: NewOverrun,
): Promise<void> {
  await ctx.sql`
    with cleared as (
      delete from template_strikes
       where project_id = ${projectId}::uuid and hash <> ${hash} and last_at <= ${since})
    insert into template_strikes as known (project_id, hash, count, last_at)
    values (${projectId}::uuid, ${hash}, 1, ${now})
    on conflict (project_id, hash) do update
       set count = case when known.last_at > ${since} then known.count + 1 else 1 end, last_at = ${now}`
}

export async function deleteOverruns(ctx: Context, projectId: string, hash: string): Promise<void> {
  await ctx.sql`delete from template_strikes where project_id = ${projectId}::uuid and hash = ${hash}`
}

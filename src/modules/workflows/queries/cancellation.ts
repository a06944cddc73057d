// Cancelling executions: one, or all of a workflow in batches.
import type { Context } from '../../../platform/context'
import { clearTimers } from './timers'

/** Cancels an active execution; false for a finished one and for none. */
export async function cancelExecution(
  ctx: Context,
  projectId: string,
  workflowId: string,
  id: string,
  reason: string,
): Promise<boolean> {
  const { count } = await cancelChosen(
    ctx,
    projectId,
    reason,
    ctx.sql`
      select project_id, id, contact_id, wake_at from workflow_executions
       where project_id = ${projectId}::uuid and id = ${id}::uuid and workflow_id = ${workflowId}::uuid
         and completed_at is null for update`,
  )
  return count === 1
}

export interface Cancelled {
  count: number
  /** The last contact of the batch; null when there was none. */
  last: string | null
}

/**
 * Cancels up to `limit` active executions of a workflow, those of contacts behind `after`. It walks the index of active ones by
 * contact: a batch that began at the front again would pass over all that were cancelled before.
 */
export async function cancelBatch(
  ctx: Context,
  projectId: string,
  workflowId: string,
  reason: string,
  page: { after: string; limit: number },
): Promise<Cancelled> {
  return await cancelChosen(
    ctx,
    projectId,
    reason,
    ctx.sql`
      select project_id, id, contact_id, wake_at from workflow_executions
       where project_id = ${projectId}::uuid and workflow_id = ${workflowId}::uuid and contact_id > ${page.after}::uuid
         and completed_at is null
       order by contact_id limit ${page.limit} for update`,
  )
}

/** Open steps of what is cancelled are skipped. */
async function cancelChosen(
  ctx: Context,
  projectId: string,
  reason: string,
  chosen: ReturnType<Context['sql']>,
): Promise<Cancelled> {
  const now = ctx.clock.now()
  const [row] = await ctx.sql<Cancelled[]>`
    with chosen as materialized (${chosen}), cancelled as (
      update workflow_executions e
         set status = 'CANCELLED', exit_reason = ${reason}, version = e.version + 1, wait_event = null, wake_at = null,
             received = null, completed_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
       where e.project_id = ${projectId}::uuid and e.id = any(array(select id from chosen))
    ), skipped as (
      update workflow_step_executions s set status = 'SKIPPED', completed_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
       where s.project_id = ${projectId}::uuid and s.execution_id = any(array(select id from chosen))
         and s.status in ('RUNNING', 'WAITING')
    ), woken as (
      ${clearTimers(ctx, ctx.sql`select * from chosen where wake_at is not null`)}
    )
    select count(*) as count, (select contact_id from chosen order by contact_id desc limit 1) as last from chosen`
  return row ?? { count: 0, last: null }
}

export async function countActive(ctx: Context, projectId: string, workflowId: string): Promise<number> {
  const [row] = await ctx.sql<{ count: number }[]>`
    select count(*) as count from workflow_executions
     where project_id = ${projectId}::uuid and workflow_id = ${workflowId}::uuid and completed_at is null`
  return row?.count ?? 0
}

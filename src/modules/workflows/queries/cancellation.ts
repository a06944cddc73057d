// Cancelling executions: one, or all of a workflow in batches. Their rows are held first and changed by another statement, which sees
// what was committed while they were waited for: an execution that has just begun to wait has a timer and an open step.
import type { Context } from '../../../platform/context'
import { clearTimers } from './timers'

/** An active execution whose row this transaction holds. */
export interface HeldActive {
  id: string
  contactId: string
}

/** Holds an execution if it is active. */
export async function holdToCancel(
  ctx: Context,
  projectId: string,
  workflowId: string,
  id: string,
): Promise<HeldActive[]> {
  return await ctx.sql<HeldActive[]>`
    select id, contact_id as "contactId" from workflow_executions
     where project_id = ${projectId}::uuid and id = ${id}::uuid and workflow_id = ${workflowId}::uuid
       and completed_at is null for update`
}

/**
 * Holds up to `limit` active executions of a workflow, those of contacts behind `after`, by contact. It walks the index of active ones:
 * a batch that began at the front again would pass over all that were cancelled before.
 */
export async function holdBatch(
  ctx: Context,
  projectId: string,
  workflowId: string,
  page: { after: string; limit: number },
): Promise<HeldActive[]> {
  return await ctx.sql<HeldActive[]>`
    select id, contact_id as "contactId" from workflow_executions
     where project_id = ${projectId}::uuid and workflow_id = ${workflowId}::uuid and contact_id > ${page.after}::uuid
       and completed_at is null
     order by contact_id limit ${page.limit} for update`
}

/** Cancels active executions that the transaction holds. Their open steps are skipped. */
export async function cancelHeld(
  ctx: Context,
  projectId: string,
  held: readonly HeldActive[],
  reason: string,
): Promise<void> {
  if (held.length === 0) return
  const now = ctx.clock.now()
  const ids = held.map(({ id }) => id)
  const timed = ctx.sql`
    select project_id, id, wake_at from workflow_executions
     where project_id = ${projectId}::uuid and id = any(${ids}::uuid[]) and wake_at is not null`
  await ctx.sql`
    with woken as (
      ${clearTimers(ctx, timed)}
    ), skipped as (
      update workflow_step_executions s set status = 'SKIPPED', completed_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
       where s.project_id = ${projectId}::uuid and s.execution_id = any(${ids}::uuid[]) and s.status in ('RUNNING', 'WAITING')
    )
    update workflow_executions e
       set status = 'CANCELLED', exit_reason = ${reason}, version = e.version + 1, wait_event = null, wake_at = null,
           received = null, completed_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
     where e.project_id = ${projectId}::uuid and e.id = any(${ids}::uuid[])`
}

export async function countActive(ctx: Context, projectId: string, workflowId: string): Promise<number> {
  const [row] = await ctx.sql<{ count: number }[]>`
    select count(*) as count from workflow_executions
     where project_id = ${projectId}::uuid and workflow_id = ${workflowId}::uuid and completed_at is null`
  return row?.count ?? 0
}

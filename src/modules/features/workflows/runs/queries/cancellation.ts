// Cancelling executions: one, or all of a workflow in batches. Their rows are locked first and changed by a second statement, which sees
// what was committed while the locks were waited for: an execution that has just begun to wait is at another step, and has a timer and an
// open step record.
import type { Context } from '../../../../../platform/context'
import { activeStatuses } from '../../words'
import { standing, timerDeletion } from './active'
import { countedIn } from './counts'

/** An active execution whose row this transaction has locked. */
export interface HeldActive {
  id: string
  contactId: string
}

/** Locks an execution if it is active. */
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
 * Locks up to `limit` active executions of a workflow, those of contacts past `after`, by contact. It walks the index of active ones: a
 * batch that began at the front again would step over all entries that were canceled before.
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

/** Cancels active executions that the transaction has locked. Their open steps become skipped. */
export async function cancelHeld(
  ctx: Context,
  projectId: string,
  held: readonly HeldActive[],
  reason: string,
): Promise<void> {
  if (held.length === 0) return
  const now = ctx.clock.now()
  const ids = held.map(({ id }) => id)
  const moves = ctx.sql`
    select project_id, workflow_id, status, -1 as by from chosen
     union all
    select project_id, workflow_id, 'CANCELLED', 1 from chosen`
  await ctx.sql`
    with chosen as materialized (
      select project_id, workflow_id, id, status, started_at, wake_at from workflow_executions
       where project_id = ${projectId}::uuid and id = any(${ids}::uuid[])
    ), cleared as (
      delete from workflow_active where ${standing(ctx, ctx.sql`select * from chosen`)}
    ), woken as (
      ${timerDeletion(ctx, ctx.sql`select * from chosen where wake_at is not null`)}
    ), counted as (
      ${countedIn(ctx, moves)}
    ), skipped as (
      update workflow_step_executions s set status = 'SKIPPED', completed_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
       where s.project_id = ${projectId}::uuid and s.execution_id = any(${ids}::uuid[]) and s.status = any(${activeStatuses}::text[])
    )
    update workflow_executions e
       set status = 'CANCELLED', exit_reason = ${reason}, version = e.version + 1, wait_event = null, wake_at = null,
           received = null, completed_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
     where e.project_id = ${projectId}::uuid and e.id = any(${ids}::uuid[])`
}

// Deleting workflows: the definition at once, what its executions left in batches.
import type { Context } from '../../../platform/context'
import { clearTimers } from './timers'

/** Deletes the definition; answers the ids of its snapshots, which listen to events. */
export async function deleteDefinition(ctx: Context, projectId: string, id: string): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    with steps as (
      delete from workflow_steps where project_id = ${projectId}::uuid and workflow_id = ${id}::uuid
    ), transitions as (
      delete from workflow_transitions where project_id = ${projectId}::uuid and workflow_id = ${id}::uuid
    ), named as (
      delete from workflow_references where project_id = ${projectId}::uuid and workflow_id = ${id}::uuid
    ), gone as (
      delete from workflows where project_id = ${projectId}::uuid and id = ${id}::uuid
    ), snapshots as (
      delete from workflow_snapshots where project_id = ${projectId}::uuid and workflow_id = ${id}::uuid returning id
    )
    select id from snapshots`
  return rows.map(row => row.id)
}

/** Deletes up to `limit` executions of a workflow that is gone, or of contacts that are, with their history. */
export async function deleteExecutions(
  ctx: Context,
  projectId: string,
  of: { workflowId: string } | { contactIds: readonly string[] },
  limit: number,
): Promise<number> {
  const owned =
    'workflowId' in of
      ? ctx.sql`workflow_id = ${of.workflowId}::uuid`
      : ctx.sql`contact_id = any(${of.contactIds as string[]}::uuid[])`
  const [row] = await ctx.sql<{ count: number }[]>`
    with chosen as materialized (
      select project_id, id, wake_at from workflow_executions where project_id = ${projectId}::uuid and ${owned} order by id limit ${limit} for update
    ), gone as (
      delete from workflow_executions
       where project_id = ${projectId}::uuid and id = any(array(select id from chosen))
      returning id
    ), steps as (
      delete from workflow_step_executions
       where project_id = ${projectId}::uuid and execution_id = any(array(select id from chosen))
    ), attempts as (
      delete from workflow_call_attempts
       where project_id = ${projectId}::uuid and execution_id = any(array(select id from chosen))
    ), timers as (
      ${clearTimers(ctx, ctx.sql`select * from chosen where wake_at is not null`)}
    )
    select count(*) as count from gone`
  return row?.count ?? 0
}

export interface IdleSnapshot {
  id: string
  projectId: string
}

/** Snapshots that listen although nothing runs on them and their workflow has moved past them, a while ago. */
export async function selectIdleListeners(
  ctx: Context,
  changedBefore: Date,
  limit: number,
): Promise<IdleSnapshot[]> {
  return await ctx.sql<IdleSnapshot[]>`
    select distinct s.id, s.project_id as "projectId"
      from workflow_snapshots s
      join workflows w on w.project_id = s.project_id and w.id = s.workflow_id
     where s.stamp not like w.revision || ':%' and w.updated_at < ${changedBefore}::timestamptz
       and exists (select from event_listeners l where l.project_id = s.project_id and l.listener_id = s.id)
       and not exists (select from workflow_executions e
                        where e.project_id = s.project_id and e.snapshot_id = s.id and e.completed_at is null)
     limit ${limit}`
}

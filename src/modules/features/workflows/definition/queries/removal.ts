// Deleting workflows: the definition at once, its executions in batches.
import type { Context } from '../../../../../platform/context'
import { standing, timerDeletion } from '../../runs/queries/active'
import { countedIn } from '../../runs/queries/counts'

/** Deletes the definition; returns the ids of its snapshots, which listen to events. */
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

/**
 * Locks up to `limit` executions of a workflow that is gone, or of contacts that are, until the transaction ends. They are deleted by a
 * second statement, which sees what was committed while the locks were waited for.
 */
export async function holdToDelete(
  ctx: Context,
  projectId: string,
  of: { workflowId: string } | { contactIds: readonly string[] },
  limit: number,
): Promise<string[]> {
  const owned =
    'workflowId' in of
      ? ctx.sql`workflow_id = ${of.workflowId}::uuid`
      : ctx.sql`contact_id = any(${of.contactIds as string[]}::uuid[])`
  const rows = await ctx.sql<{ id: string }[]>`
    select id from workflow_executions
     where project_id = ${projectId}::uuid and ${owned} order by id limit ${limit} for update`
  return rows.map(({ id }) => id)
}

/** Deletes executions that the transaction has locked, with their history. */
export async function deleteHeld(ctx: Context, projectId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const own = ctx.sql`project_id = ${projectId}::uuid`
  const chosen = ctx.sql`any(${ids as string[]}::uuid[])`
  await ctx.sql`
    with steps as (
      delete from workflow_step_executions where ${own} and execution_id = ${chosen}
    ), attempts as (
      delete from workflow_call_attempts where ${own} and execution_id = ${chosen}
    ), gone as (
      delete from workflow_executions where ${own} and id = ${chosen}
      returning project_id, workflow_id, id, status, started_at, wake_at, completed_at
    ), timers as (
      ${timerDeletion(ctx, ctx.sql`select * from gone where wake_at is not null`)}
    ), counted as (
      ${countedIn(ctx, ctx.sql`select project_id, workflow_id, status, -1 as by from gone`)}
    )
    delete from workflow_active where ${standing(ctx, ctx.sql`select * from gone where completed_at is null`)}`
}

export interface IdleSnapshot {
  id: string
  projectId: string
}

/** Snapshots that still listen although nothing runs on them and their workflow moved past them a while ago. */
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

// How many executions workflows have in each state: appended wherever that changes, read exactly at any moment, and rolled up by a job.
// Whoever starts, moves or deletes executions appends here, in the statement that does so. No read of them touches the executions.

import type { Context } from '../../../../../platform/context'
import type { Fragment } from '../../../../../platform/db/cte'
import { hasDeltas, rollUp } from '../../../../../platform/db/roll-up'
import { activeStatuses, type ExecutionStatus, executionStatuses } from '../../words'
import { workflowCounts, workflowDeltas } from '../schema'

/**
 * Appends one row per workflow and state, as part of the statement that changes executions: `changed` selects `project_id`,
 * `workflow_id`, `status` and `by`. Changes that cancel out write nothing.
 */
export function countedIn({ sql }: Context, changed: Fragment): Fragment {
  return sql`
    insert into workflow_deltas (project_id, workflow_id, status, executions)
    select project_id, workflow_id, status, sum(by) from (${changed}) as changed group by 1, 2, 3 having sum(by) <> 0`
}

/** How many executions some workflows have, in any of the states; workflows without any are left out. */
export async function countExecutions(
  ctx: Context,
  projectId: string,
  workflowIds: readonly string[],
  statuses: readonly ExecutionStatus[] = executionStatuses,
): Promise<Map<string, number>> {
  const chosen = ctx.sql`
    project_id = ${projectId}::uuid and workflow_id = any(${workflowIds as string[]}::uuid[])
       and status = any(${statuses as string[]}::text[])`
  const rows = await ctx.sql<{ workflowId: string; executions: number }[]>`
    select workflow_id as "workflowId", sum(executions)::bigint as executions
      from (select workflow_id, executions from workflow_counts where ${chosen}
             union all
            select workflow_id, executions from workflow_deltas where ${chosen}) as parts
     group by workflow_id`
  return new Map(rows.map(row => [row.workflowId, row.executions]))
}

export interface StatusCount {
  workflowId: string
  status: ExecutionStatus
  executions: number
}

/** How many executions some workflows have in each state; empty states are left out. */
export async function countByStatus(
  ctx: Context,
  projectId: string,
  workflowIds: readonly string[],
): Promise<StatusCount[]> {
  const chosen = ctx.sql`project_id = ${projectId}::uuid and workflow_id = any(${workflowIds as string[]}::uuid[])`
  return await ctx.sql<StatusCount[]>`
    select workflow_id as "workflowId", status, sum(executions)::bigint as executions
      from (select workflow_id, status, executions from workflow_counts where ${chosen}
             union all
            select workflow_id, status, executions from workflow_deltas where ${chosen}) as parts
     group by workflow_id, status`
}

export async function countActive(ctx: Context, projectId: string, workflowId: string): Promise<number> {
  return (await countExecutions(ctx, projectId, [workflowId], activeStatuses)).get(workflowId) ?? 0
}

export async function hasWorkflowDeltas(ctx: Context): Promise<boolean> {
  return await hasDeltas(ctx, workflowDeltas)
}

/** Adds up to `limit` deltas of any workflows to the totals; returns how many there were. */
export async function rollUpWorkflowDeltas(ctx: Context, limit: number): Promise<number> {
  return await rollUp(ctx, workflowDeltas, limit, [{ into: workflowCounts }])
}

/** Deletes counts that are zero: workflows that are gone have no others. */
export async function deleteEmptyCounts(ctx: Context): Promise<void> {
  await ctx.sql`delete from workflow_counts where executions = 0`
}

// Where active executions stand, and when waiting ones continue: tables kept by the statements that move executions, which hold their row.

import type { Context } from '../../../../../platform/context'
import type { Fragment } from '../../../../../platform/db/cte'

/**
 * True for the rows of `workflow_active` for the executions that `chosen` selects with `project_id`, `workflow_id`, `status`,
 * `started_at` and `id`. Each is looked up by itself, which no plan can turn into a scan.
 */
export function standing({ sql }: Context, chosen: Fragment): Fragment {
  return sql`
    workflow_active.ctid = any(array(
      select a.ctid from (${chosen}) x
       cross join lateral (select ctid from workflow_active
                            where project_id = x.project_id and workflow_id = x.workflow_id and status = x.status
                              and started_at = x.started_at and execution_id = x.id limit 1) a))`
}

export interface Timer {
  projectId: string
  executionId: string
  wakeAt: Date
}

export async function insertTimers(ctx: Context, timers: readonly Timer[]): Promise<void> {
  if (timers.length === 0) return
  await ctx.sql`
    insert into workflow_timers (project_id, wake_at, execution_id)
    select project_id, wake_at, id from ${listed(ctx, timers)}`
}

export async function deleteTimers(ctx: Context, timers: readonly Timer[]): Promise<void> {
  if (timers.length > 0) await timerDeletion(ctx, ctx.sql`select * from ${listed(ctx, timers)}`)
}

/**
 * The statement, or part of one, that deletes the timers of the executions that `chosen` selects with `project_id`, `id` and `wake_at`.
 * Each is looked up by itself, which no plan can turn into a scan.
 */
export function timerDeletion({ sql }: Context, chosen: Fragment): Fragment {
  return sql`
    delete from workflow_timers where ctid = any(array(
      select t.ctid from (${chosen}) x
       cross join lateral (select ctid from workflow_timers
                            where project_id = x.project_id and wake_at = x.wake_at and execution_id = x.id limit 1) t))`
}

function listed({ sql }: Context, timers: readonly Timer[]) {
  return sql`
    unnest(${timers.map(each => each.projectId)}::uuid[], ${timers.map(each => each.executionId)}::uuid[],
           ${timers.map(each => each.wakeAt.toISOString())}::text[]::timestamptz[]) as listed(project_id, id, wake_at)`
}

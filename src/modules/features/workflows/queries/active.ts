// Where active executions stand: a table kept by the statements that move them, which hold the execution's row.
import type postgres from 'postgres'
import type { Context } from '../../../../platform/context'

type Fragment = postgres.PendingQuery<postgres.Row[]>

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

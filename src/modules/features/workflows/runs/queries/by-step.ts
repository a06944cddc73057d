// At which steps the active executions of a workflow are.
import type { Context } from '../../../../../platform/context'

export interface StepCount {
  stepId: string
  executions: number
}

/** Of more executions than this only so many are looked at: a step of a million waits nowhere else on the page. */
const maxCounted = 100_000

/** One statement along the index of active executions. `isMore` where not all were looked at. */
export async function countBySteps(
  ctx: Context,
  projectId: string,
  workflowId: string,
): Promise<{ steps: StepCount[]; isMore: boolean }> {
  const rows = await ctx.sql<Array<{ stepId: string | null; executions: number }>>`
    select current_step_id as "stepId", count(*)::int as executions
      from (select current_step_id from workflow_executions
             where project_id = ${projectId}::uuid and workflow_id = ${workflowId}::uuid and completed_at is null
             limit ${maxCounted + 1}) as active
     group by current_step_id`
  const total = rows.reduce((sum, { executions }) => sum + executions, 0)
  const steps = rows.flatMap(({ stepId, executions }) => (stepId === null ? [] : [{ stepId, executions }]))
  return { steps, isMore: total > maxCounted }
}

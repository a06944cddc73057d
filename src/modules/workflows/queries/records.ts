// Writing the history of executions.
import type { Context } from '../../../platform/context'
import type { StepStatus, Values } from '../definition'

/** A step that an execution has entered or left, or both, just now. */
export interface StepRecord {
  id: string
  projectId: string
  executionId: string
  stepId: string
  status: StepStatus
  executeAfter: Date | null
  output: Values | null
  error: string | null
  isOver: boolean
}

/** Of steps that were entered just now. */
export async function insertRecords(ctx: Context, records: readonly StepRecord[]): Promise<void> {
  if (records.length > 0) await insertion(ctx, records)
}

/** Of steps that are left after a wait; their rows are there since it began. */
export async function finishRecords(ctx: Context, records: readonly StepRecord[]): Promise<void> {
  if (records.length === 0) return
  await ctx.sql`
    ${insertion(ctx, records)}
    on conflict (project_id, execution_id, step_id) do update
       set status = excluded.status, output = excluded.output, error = excluded.error, completed_at = excluded.completed_at,
           updated_at = excluded.updated_at`
}

function insertion(ctx: Context, records: readonly StepRecord[]) {
  const now = ctx.clock.now()
  return ctx.sql`
    insert into workflow_step_executions (id, project_id, execution_id, step_id, status, execute_after, output, error,
                                          started_at, completed_at, created_at, updated_at)
    select r.id, r."projectId", r."executionId", r."stepId", r.status, r."executeAfter", nullif(r.output, 'null'), r.error,
           ${now}::timestamptz, case when r."isOver" then ${now}::timestamptz end, ${now}::timestamptz, ${now}::timestamptz
      from json_to_recordset(${JSON.stringify(records)}::json) as r(
           id uuid, "projectId" uuid, "executionId" uuid, "stepId" uuid, status text, "executeAfter" timestamptz, output jsonb,
           error text, "isOver" boolean)`
}

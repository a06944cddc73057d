// Writing the history of executions.
import type { Context } from '../../../../../platform/context'
import { insertRows } from '../../../../../platform/db/insert-rows'
import type { StepStatus, Values } from '../../words'
import { workflowStepExecutions } from '../schema'

/** A step that an execution has just entered or left, or both. */
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

/** Writes the rows of steps that were just entered. */
export async function insertRecords(ctx: Context, records: readonly StepRecord[]): Promise<void> {
  if (records.length > 0) await insertion(ctx, records)
}

/** Completes the rows of steps that are left after a wait; they exist since it began. */
export async function finishRecords(ctx: Context, records: readonly StepRecord[]): Promise<void> {
  if (records.length === 0) return
  await ctx.sql`
    ${insertion(ctx, records)}
    on conflict (project_id, execution_id, step_id) do update
       set status = excluded.status, output = excluded.output, error = excluded.error, completed_at = excluded.completed_at,
           updated_at = excluded.updated_at`
}

const recordNames = [
  'id',
  'projectId',
  'executionId',
  'stepId',
  'status',
  'executeAfter',
  'output',
  'error',
  'startedAt',
  'completedAt',
  'createdAt',
  'updatedAt',
] as const

function insertion(ctx: Context, records: readonly StepRecord[]) {
  const now = ctx.clock.now()
  const rows = records.map(({ isOver, ...record }) => {
    return { ...record, startedAt: now, completedAt: isOver ? now : null, createdAt: now, updatedAt: now }
  })
  return insertRows(ctx, workflowStepExecutions, recordNames, rows)
}

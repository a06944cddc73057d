// Reading and cancelling executions.
import { type AppError, conflict, notFound } from '../../../../../lib/errors'
import { nilUuid } from '../../../../../lib/ids'
import type { Page } from '../../../../../lib/paging'
import { type Context, inTransaction } from '../../../../../platform/context'
import { enqueue } from '../../../../../platform/jobs/enqueue'
import { getWorkflow } from '../../definition/service/read'
import { workflowKinds } from '../../kinds'
import type { FullExecution } from '../model'
import { countBySteps, type StepCount } from '../queries/by-step'
import { cancelHeld, holdBatch, holdToCancel } from '../queries/cancellation'
import { countActive, rollUpWorkflowDeltas } from '../queries/counts'
import {
  type ListedExecution,
  type NamedStep,
  selectCallAttempts,
  selectExecution,
  selectSnapshotGraph,
  selectSnapshotSteps,
  selectStepExecutions,
} from '../queries/history'
import { countListed, type ExecutionListing, selectExecutions } from '../queries/list'

/** Steps by id, as the snapshots of the executions have them. */
export type StepNames = ReadonlyMap<string, NamedStep>

export async function listExecutions(
  ctx: Context,
  projectId: string,
  listing: ExecutionListing,
  page: Page,
): Promise<{ rows: ListedExecution[]; total: number; steps: StepNames }> {
  const [total] = await Promise.all([
    countListed(ctx, projectId, listing),
    getWorkflow(ctx, projectId, listing.workflowId),
  ])
  const rows = await selectExecutions(ctx, projectId, listing, page, total)
  return { rows, total, steps: await stepNames(ctx, projectId, rows) }
}

/** At which steps the active ones are. */
export async function executionsBySteps(
  ctx: Context,
  projectId: string,
  workflowId: string,
): Promise<{ steps: StepCount[]; isMore: boolean }> {
  await getWorkflow(ctx, projectId, workflowId)
  return await countBySteps(ctx, projectId, workflowId)
}

async function stepNames(
  ctx: Context,
  projectId: string,
  rows: readonly ListedExecution[],
): Promise<StepNames> {
  const ids = [...new Set(rows.filter(row => row.currentStepId !== null).map(row => row.snapshotId))]
  return ids.length > 0 ? await selectSnapshotSteps(ctx, projectId, ids) : new Map()
}

export async function getExecution(
  ctx: Context,
  projectId: string,
  workflowId: string,
  id: string,
): Promise<FullExecution> {
  const workflow = await getWorkflow(ctx, projectId, workflowId)
  const execution = await selectExecution(ctx, projectId, workflowId, id)
  if (!execution) throw executionNotFound(id)
  const [history, attempts, graph] = await Promise.all([
    selectStepExecutions(ctx, projectId, id),
    selectCallAttempts(ctx, projectId, id),
    selectSnapshotGraph(ctx, projectId, execution.snapshotId),
  ])
  const { steps, transitions } = graph ?? { steps: [], transitions: [] }
  const named = new Map(steps.map(({ id, name, type }) => [id, { id, name, type }]))
  return { execution, workflow, history, attempts, steps: named, graph: { steps, transitions } }
}

/** Cancels a running or waiting execution; 409 for a finished one. */
export async function stopExecution(
  ctx: Context,
  projectId: string,
  workflowId: string,
  id: string,
): Promise<{ execution: ListedExecution; steps: StepNames }> {
  return await inTransaction(ctx, async tx => {
    const held = await holdToCancel(tx, projectId, workflowId, id)
    await cancelHeld(tx, projectId, held, 'Cancelled by user')
    const execution = await selectExecution(tx, projectId, workflowId, id)
    if (!execution) throw executionNotFound(id)
    if (held.length === 0) throw conflict(`The execution is ${execution.status} and can't be cancelled`)
    return { execution, steps: await stepNames(tx, projectId, [execution]) }
  })
}

const cancelSize = 2_000
const batchesAtOnce = 10
const bulkReason = 'Cancelled by user (bulk cancel)'
/** Cancels all active executions; if there are very many, the first at once and the others soon after. Returns how many there are. */
export async function stopAllExecutions(
  ctx: Context,
  projectId: string,
  workflowId: string,
): Promise<number> {
  await getWorkflow(ctx, projectId, workflowId)
  const { cancelled, isOver } = await cancelBatches(ctx, projectId, workflowId, batchesAtOnce)
  if (isOver) return cancelled
  const remaining = await countActive(ctx, projectId, workflowId)
  if (remaining > 0) await enqueue(ctx, workflowKinds.cancel, { workflowId }, { projectId })
  return cancelled + remaining
}

/** Cancels up to this many batches, each in a transaction of its own. */
export async function cancelBatches(
  ctx: Context,
  projectId: string,
  workflowId: string,
  batches: number,
  signal?: AbortSignal,
): Promise<{ cancelled: number; isOver: boolean }> {
  let cancelled = 0
  let after = nilUuid
  for (let batch = 0; batch < batches && !signal?.aborted; batch++) {
    const held = await inTransaction(ctx, async tx => {
      const batch = await holdBatch(tx, projectId, workflowId, { after, limit: cancelSize })
      await cancelHeld(tx, projectId, batch, bulkReason)
      return batch
    })
    cancelled += held.length
    if (held.length < cancelSize) return { cancelled, isOver: true }
    after = held.at(-1)!.contactId
  }
  return { cancelled, isOver: false }
}

function executionNotFound(id: string): AppError {
  return notFound('Workflow execution', id)
}

const batchSize = 10_000

/** Adds the appended deltas to the totals until none is left. */
export async function rollUpWorkflowCounts(ctx: Context, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) if ((await rollUpWorkflowDeltas(ctx, batchSize)) < batchSize) return
}

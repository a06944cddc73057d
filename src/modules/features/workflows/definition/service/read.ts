// Reading workflows: one, one with its graph, and lists with how many runs are in each state.
import type { Page } from '../../../../../lib/paging'
import type { Context } from '../../../../../platform/context'
import { countByStatus } from '../../runs/queries/counts'
import { type ExecutionStatus, executionStatuses } from '../../words'
import {
  type CountedWorkflow,
  countWorkflows,
  type ExecutionCounts,
  selectWorkflow,
  selectWorkflows,
  type WorkflowListing,
  type WorkflowRow,
} from '../queries/definitions'
import { type StoredGraph, selectGraph, selectTemplateNames, type TemplateName } from '../queries/graph'
import { workflowNotFound } from './edit'

export async function getWorkflow(ctx: Context, projectId: string, id: string): Promise<WorkflowRow> {
  const workflow = await selectWorkflow(ctx, projectId, id)
  if (!workflow) throw workflowNotFound(id)
  return workflow
}

export interface WholeWorkflow {
  workflow: WorkflowRow
  graph: StoredGraph
  templates: ReadonlyMap<string, TemplateName>
  executions: ExecutionCounts
}

export async function getWholeWorkflow(ctx: Context, projectId: string, id: string): Promise<WholeWorkflow> {
  const workflow = await getWorkflow(ctx, projectId, id)
  const [graph, countsOf] = await Promise.all([
    selectGraph(ctx, projectId, id),
    executionCounts(ctx, projectId, [id]),
  ])
  const ids = graph.steps.flatMap(step => step.templateId ?? [])
  const named = ids.length > 0 ? await selectTemplateNames(ctx, projectId, ids) : []
  const templates = new Map(named.map(template => [template.id, template]))
  return { workflow, graph, templates, executions: countsOf(id) }
}

export async function listWorkflows(
  ctx: Context,
  projectId: string,
  listing: WorkflowListing,
  page: Page,
): Promise<{ rows: CountedWorkflow[]; total: number }> {
  const [rows, total] = await Promise.all([
    selectWorkflows(ctx, projectId, listing, page),
    countWorkflows(ctx, projectId, listing),
  ])
  const countsOf = await executionCounts(
    ctx,
    projectId,
    rows.map(({ id }) => id),
  )
  return { rows: rows.map(row => ({ ...row, executions: countsOf(row.id) })), total }
}

/** How many executions each of these workflows has in each state. */
async function executionCounts(
  ctx: Context,
  projectId: string,
  ids: readonly string[],
): Promise<(id: string) => ExecutionCounts> {
  const counted = await countByStatus(ctx, projectId, ids)
  const of = (id: string, state: ExecutionStatus): number =>
    counted.find(({ workflowId, status }) => workflowId === id && status === state)?.executions ?? 0
  return id => Object.fromEntries(executionStatuses.map(state => [state, of(id, state)])) as ExecutionCounts
}

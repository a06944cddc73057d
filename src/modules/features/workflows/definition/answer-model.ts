// Stored workflows, steps and edges as a client sees them: the one place where they take that form.
import type { Static } from '@sinclair/typebox'
import type { stepAnswer, transitionAnswer, wholeWorkflow, workflowAnswer, workflowList } from './model'
import type { CountedWorkflow, ExecutionCounts, WorkflowRow } from './queries/definitions'
import type { StepRow, StoredGraph, TransitionRow } from './queries/graph'

export function toWorkflow(row: WorkflowRow): Static<typeof workflowAnswer> {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    enabled: row.enabled,
    triggerType: row.triggerType,
    triggerConfig: row.triggerConfig,
    allowReentry: row.allowReentry,
    maxStartsPerHour: row.maxStartsPerHour,
    includeBulkChanges: row.includeBulkChanges,
    revision: row.revision,
    nextRunAt: row.nextRunAt?.toISOString() ?? null,
    projectId: row.projectId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function toListedWorkflow(row: CountedWorkflow): Static<typeof workflowList>['data'][number] {
  const { steps, executions } = row
  const total = Object.values(executions).reduce((sum, count) => sum + count, 0)
  return { ...toWorkflow(row), executionCounts: executions, _count: { steps, executions: total } }
}

export function toStep(row: StepRow): Static<typeof stepAnswer> {
  const { id, workflowId, type, name, position, config, templateId } = row
  return {
    ...{ id, workflowId, type, name, position, config, templateId },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function toTransition(row: TransitionRow): Static<typeof transitionAnswer> {
  const { id, workflowId, fromStepId, toStepId, branch, waitOutcome, priority } = row
  return {
    ...{ id, workflowId, fromStepId, toStepId, branch },
    condition: branch === null ? null : { branch },
    ...{ waitOutcome, priority },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export interface FullWorkflow {
  workflow: WorkflowRow
  graph: StoredGraph
  templates: ReadonlyMap<string, { id: string; name: string }>
  executions: ExecutionCounts
}

export function toWholeWorkflow({
  workflow,
  graph,
  templates,
  executions,
}: FullWorkflow): Static<typeof wholeWorkflow> {
  const edges = graph.transitions.map(toTransition)
  return {
    ...toWorkflow(workflow),
    executionCounts: executions,
    steps: graph.steps.map(row => ({
      ...toStep(row),
      template: (row.templateId && templates.get(row.templateId)) || null,
      outgoingTransitions: edges.filter(edge => edge.fromStepId === row.id),
      incomingTransitions: edges.filter(edge => edge.toStepId === row.id),
    })),
    transitions: edges,
  }
}

// How a definition is changed: one change at a time locks the workflow, sees its graph, and leaves a new revision and its references.
import { type AppError, notFound } from '../../../../../lib/errors'
import { type Context, inTransaction } from '../../../../../platform/context'
import { anyChange, type LiveRule } from '../../../../accounts/projects'
import type { Graph } from '../../words'
import { lockWorkflow, raiseRevision, type WorkflowRow } from '../queries/definitions'
import {
  isEnabled,
  replaceWorkflowReferences,
  type StepRow,
  type StoredGraph,
  selectGraph,
} from '../queries/graph'
import { referencesOf } from '../references'
import { storedTrigger } from '../trigger'

export interface Held {
  workflow: WorkflowRow
  graph: StoredGraph
}

/** Runs `change` on the locked workflow; 404 if there is none. */
export async function editGraph<T>(
  ctx: Context,
  projectId: string,
  workflowId: string,
  change: (tx: Context, held: Held) => Promise<T>,
  rule?: LiveRule,
): Promise<T> {
  let result: T | undefined
  const changing = async (tx: Context, held: Held): Promise<boolean> => {
    result = await change(tx, held)
    return true
  }
  await changeGraph(ctx, projectId, workflowId, changing, rule)
  return result as T
}

/** The same for a change that says whether it changed anything. */
export async function changeGraph(
  ctx: Context,
  projectId: string,
  workflowId: string,
  change: (tx: Context, held: Held) => Promise<boolean>,
  rule: LiveRule = anyChange,
): Promise<void> {
  await inTransaction(ctx, async tx => {
    await rule(tx, { isLive: () => isEnabled(tx, projectId, workflowId), turnsOn: true })
    const workflow = await lockWorkflow(tx, projectId, workflowId, 'change')
    if (!workflow) throw workflowNotFound(workflowId)
    const graph = await selectGraph(tx, projectId, workflowId)
    if (!(await change(tx, { workflow, graph }))) return
    await raiseRevision(tx, projectId, workflowId)
    await refreshReferences(tx, workflow)
  })
}

/** Records what the workflow names now. */
export async function refreshReferences(
  tx: Context,
  {
    projectId,
    id,
    triggerType,
    triggerConfig,
  }: Pick<WorkflowRow, 'projectId' | 'id' | 'triggerType' | 'triggerConfig'>,
): Promise<void> {
  const { steps } = await selectGraph(tx, projectId, id)
  await replaceWorkflowReferences(
    tx,
    projectId,
    id,
    referencesOf(storedTrigger(triggerType, triggerConfig), steps),
  )
}

/** The message for the members of which some are missing: `Type and name are required`. */
export function requirement(members: Record<string, unknown>): string {
  const missing = Object.keys(members).filter(name => !members[name])
  const [first = '', ...others] = missing
  const list = [first, ...others.map(name => name.charAt(0).toLowerCase() + name.slice(1))].join(' and ')
  return `${list} ${missing.length === 1 ? 'is' : 'are'} required`
}

export function workflowNotFound(id: string): AppError {
  return notFound('Workflow', id, 'WORKFLOW_NOT_FOUND')
}

export function requireStep({ steps }: Pick<StoredGraph, 'steps'>, id: string): StepRow {
  const step = steps.find(each => each.id === id.toLowerCase())
  if (!step) throw notFound('Workflow step', id)
  return step
}

/** The stored graph reduced to what the rules read. */
export function asGraph({ steps, transitions }: StoredGraph): Graph {
  return {
    steps: steps.map(({ id, type, name, config, templateId }) => ({ id, type, name, config, templateId })),
    transitions: transitions.map(
      ({ id, fromStepId, toStepId, branch, waitOutcome, priority, automatic }) => ({
        id,
        fromStepId,
        toStepId,
        branch,
        waitOutcome,
        priority,
        automatic,
      }),
    ),
  }
}

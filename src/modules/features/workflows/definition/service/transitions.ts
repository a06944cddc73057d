// Adding and removing the edges of a graph; the rules are in graph.ts.
import { badRequest, notFound, shortBadRequest } from '../../../../../lib/errors'
import { type Context, newId } from '../../../../../platform/context'
import type { LiveRule } from '../../../../accounts/projects'
import { checkEdge, type NewEdge } from '../graph'
import type { TransitionBody } from '../model'
import { adoptTransition, deleteTransitions, insertTransitions, type TransitionRow } from '../queries/graph'
import { asGraph, editGraph, type Held, requirement } from './edit'

export async function addTransition(
  ctx: Context,
  projectId: string,
  workflowId: string,
  body: TransitionBody,
  rule?: LiveRule,
): Promise<TransitionRow> {
  const edge = readEdge(body)
  const priority = body.priority ?? 0
  const add = async (tx: Context, { graph }: Held): Promise<TransitionRow> => {
    const verdict = checkEdge(asGraph(graph), edge)
    if (verdict.verdict === 'refuse')
      throw verdict.missing ? notFound('One or both steps', edge.toStepId) : badRequest(verdict.message)
    if (verdict.verdict === 'adopt')
      return (await adoptTransition(tx, { projectId, workflowId, id: verdict.id }, priority))!
    if (verdict.replaces.length > 0) await deleteTransitions(tx, projectId, workflowId, verdict.replaces)
    const now = tx.clock.now()
    const row = {
      id: newId(tx),
      projectId,
      workflowId,
      ...edge,
      priority,
      automatic: false,
      createdAt: now,
      updatedAt: now,
    }
    await insertTransitions(tx, [row])
    return row
  }
  return await editGraph(ctx, projectId, workflowId, add, rule)
}

/** `branch` may be given at the top level or in `condition`. */
function readEdge({ fromStepId, toStepId, branch, condition, waitOutcome }: TransitionBody): NewEdge {
  if (!fromStepId || !toStepId)
    throw shortBadRequest(requirement({ 'From step ID': fromStepId, 'To step ID': toStepId }))
  return {
    fromStepId: fromStepId.toLowerCase(),
    toStepId: toStepId.toLowerCase(),
    branch: branch ?? condition?.branch ?? null,
    waitOutcome: waitOutcome ?? null,
  }
}

export async function removeTransition(
  ctx: Context,
  projectId: string,
  workflowId: string,
  transitionId: string,
  rule?: LiveRule,
): Promise<void> {
  const remove = async (tx: Context): Promise<void> => {
    if ((await deleteTransitions(tx, projectId, workflowId, [transitionId])) === 0)
      throw notFound('Workflow transition', transitionId)
  }
  await editGraph(ctx, projectId, workflowId, remove, rule)
}

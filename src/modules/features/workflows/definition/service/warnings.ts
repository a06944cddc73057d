// The warnings about a workflow when it is enabled or tried out: none of them prevents anything.
import type { Context } from '../../../../../platform/context'
import type { Graph, Step } from '../../words'
import { entryOf, nextStep, reachable } from '../graph'
import { loopThrough, loopWarning, type WorkflowWarning } from '../loops'
import { selectGraph, selectLinks } from '../queries/graph'
import { readStepConfig } from '../steps'
import { asGraph } from './edit'

/** For the workflow as it would be if enabled, with its own graph or another. */
export async function listWorkflowWarnings(
  ctx: Context,
  projectId: string,
  workflowId: string,
  graph?: Graph,
): Promise<WorkflowWarning[]> {
  const links = await selectLinks(ctx, projectId, workflowId)
  const own = links.find(({ id }) => id === workflowId)
  const looked = graph ?? asGraph(await selectGraph(ctx, projectId, workflowId))
  return [...(own ? loopWarning(loopThrough(own, links)) : []), ...stepWarnings(looked)]
}

export function stepWarnings(graph: Graph): WorkflowWarning[] {
  const reached = reachedSteps(graph)
  return graph.steps.flatMap((step): WorkflowWarning[] => {
    const missing = whatIsMissing(step)
    const name = JSON.stringify(step.name)
    const about = { stepId: step.id, workflows: [] }
    if (!reached.has(step.id))
      return [{ code: 'UNREACHABLE', message: `Nothing leads to the step ${name}`, ...about }]
    return missing === undefined
      ? []
      : [{ code: 'NOT_CONFIGURED', message: `The step ${name} would fail: ${missing}`, ...about }]
  })
}

function reachedSteps(graph: Graph): Set<string> {
  const entry = entryOf(graph)
  const second = entry && nextStep(graph, entry)
  return new Set([entry, second].flatMap(step => (step ? [...reachable(graph, step.id)] : [])))
}

function whatIsMissing(step: Step): string | undefined {
  if (step.type === 'SEND_EMAIL' && step.templateId === null) return 'it has no template'
  const reading = readStepConfig(step.type, step.config)
  const isBlank = Object.keys(step.config).length === 0
  if (!('faults' in reading)) return undefined
  return isBlank
    ? 'it is not set up yet'
    : reading.faults.map(({ field, message }) => `${field}: ${message}`).join('; ')
}

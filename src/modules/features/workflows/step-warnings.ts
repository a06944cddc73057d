// Steps that would fail as they are, and steps that no execution can reach. Pure.
import type { Graph, Step } from './definition'
import { entryOf, nextStep, reachable } from './graph'
import type { WorkflowWarning } from './loops'
import { readStepConfig } from './steps'

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

// What the server refuses of a graph, by the steps that it is about, and the graph without it.
import { ApiError } from '../../api/error'
import { type Graph, type Step, stepOf } from '../../editor/flow/graph'
import type { Values } from '../../ui/form'

/** By step, and then by field. */
export type StepFaults = ReadonlyMap<string, Values>

/**
 * `steps.3.config.amount` is the fault `config.amount` of the fourth step; a fault of a transition belongs to the step that it starts
 * from. Empty unless all of the problem is about steps.
 */
export function faultsByStep(problem: unknown, { steps, transitions }: Graph): StepFaults {
  const found = new Map<string, Values>()
  const faults = problem instanceof ApiError ? (problem.about.faults ?? []) : []
  for (const { field, message } of faults) {
    const [kind, index, ...rest] = field.split('.')
    const id = kind === 'steps' ? steps[Number(index)]?.id : transitions[Number(index)]?.fromStepId
    if (!id) return new Map()
    found.set(id, { ...found.get(id), [rest.join('.')]: message })
  }
  return found
}

/** Steps at fault are as they were stored; new ones have no settings yet. */
export function withoutFaulty(graph: Graph, faults: StepFaults, stored: Graph): Graph {
  const plain = (step: Step): Step => {
    if (!faults.has(step.id)) return step
    const before = stepOf(stored, step.id)
    return before
      ? { ...before }
      : { ...step, name: step.name.trim() || step.type, config: {}, templateId: null }
  }
  return { ...graph, steps: graph.steps.map(plain) }
}

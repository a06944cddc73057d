// A graph that was sent as a whole: what is wrong with it, by step and transition, and how it differs from the stored one. Pure.
import type { FieldError } from '../../../../lib/errors'
import type { Graph, Step, Transition } from '../words'
import { edgeFault } from './graph'
import type { SentGraph } from './graph-model'
import { configFaults } from './steps'

/** The graph as the rules see it. Transitions have no ids of their own before they are saved. */
export function readGraph({ steps, transitions }: SentGraph): Graph {
  return {
    steps: steps.map(({ id, type, name, config = {}, templateId }) => ({
      ...{ id: id.toLowerCase(), type, name, config },
      templateId: (templateId ?? insideTemplate(type, config))?.toLowerCase() ?? null,
    })),
    transitions: transitions.map(({ fromStepId, toStepId, branch, waitOutcome, priority = 0 }) => ({
      ...{ id: '', fromStepId: fromStepId.toLowerCase(), toStepId: toStepId.toLowerCase() },
      ...{ branch: branch ?? null, waitOutcome: waitOutcome ?? null, priority, automatic: false },
    })),
  }
}

function insideTemplate(type: Step['type'], { templateId }: Step['config']): string | undefined {
  return type === 'SEND_EMAIL' && typeof templateId === 'string' ? templateId : undefined
}

/** Everything that prevents saving it in place of `before`, with `steps.3.config.amount` for a field. */
export function graphFaults(graph: Graph, before: Graph): FieldError[] {
  const faults = [...triggerFaults(graph, before), ...graph.steps.flatMap(stepFaults(before))]
  const edges = graph.transitions.flatMap(edgeFaults(graph))
  if (faults.length > 0 || edges.length > 0) return [...faults, ...edges]
  return hasLoop(graph) ? [fault('transitions', 'They form a loop')] : []
}

function fault(field: string, message: string, code = 'custom'): FieldError {
  return { field, message, code }
}

function triggerFaults({ steps }: Graph, before: Graph): FieldError[] {
  const trigger = before.steps.find(({ type }) => type === 'TRIGGER')
  return !trigger || steps.some(({ id }) => id === trigger.id)
    ? []
    : [fault('steps', 'The trigger step is missing; it belongs to the workflow')]
}

function stepFaults(before: Graph) {
  const known = new Map(before.steps.map(step => [step.id, step]))
  const seen = new Set<string>()
  return ({ id, type, name, config }: Step, index: number): FieldError[] => {
    const path = `steps.${index}`
    if (seen.has(id)) return [fault(`${path}.id`, 'Another step has this id')]
    seen.add(id)
    const old = known.get(id)
    if (old && old.type !== type) return [fault(`${path}.type`, `Is ${old.type}, and a step keeps its type`)]
    if (type === 'TRIGGER')
      return old ? [] : [fault(`${path}.type`, 'The workflow has a trigger step already')]
    const faults = configFaults(type, config).map(each => ({ ...each, field: `${path}.${each.field}` }))
    return name.trim() === '' ? [...faults, fault(`${path}.name`, 'Must not be empty', 'too_small')] : faults
  }
}

function edgeFaults({ steps }: Graph) {
  const byId = new Map(steps.map(step => [step.id, step]))
  const seen = new Set<string>()
  return (edge: Transition, index: number): FieldError[] => {
    const [from, to] = [byId.get(edge.fromStepId), byId.get(edge.toStepId)]
    const key = edgeKey(edge, false)
    const found =
      !from || !to
        ? 'One or both steps are not in the graph'
        : (edgeFault(from, to, edge) ??
          (seen.has(key) ? 'Another transition leads on in the same case' : undefined))
    seen.add(key)
    return found === undefined ? [] : [fault(`transitions.${index}`, found)]
  }
}

/** Equal for transitions that are followed in the same case; with the target, only for the very same transition. */
export function edgeKey(edge: Omit<Transition, 'id' | 'priority' | 'automatic'>, withTarget = true): string {
  const { fromStepId, toStepId, branch, waitOutcome } = edge
  return JSON.stringify([fromStepId, branch, waitOutcome, withTarget ? toStepId : null])
}

/** Removes what nothing leads to, again and again; what is left is a loop. */
function hasLoop({ steps, transitions }: Graph): boolean {
  const incoming = new Map(steps.map(({ id }) => [id, 0]))
  for (const { toStepId } of transitions) incoming.set(toStepId, incoming.get(toStepId)! + 1)
  const targets = Map.groupBy(transitions, ({ fromStepId }) => fromStepId)
  const free = [...incoming].filter(([, count]) => count === 0).map(([id]) => id)
  // A list that grows during iteration is iterated to its new end.
  for (const id of free)
    for (const { toStepId } of targets.get(id) ?? []) {
      const left = incoming.get(toStepId)! - 1
      incoming.set(toStepId, left)
      if (left === 0) free.push(toStepId)
    }
  return free.length < steps.length
}

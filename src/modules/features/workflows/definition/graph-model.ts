// A graph that is sent as a whole: saved at once by an editor, or tried out without being saved.
import { type Static, Type } from '@sinclair/typebox'
import { answeredId } from '../../../../lib/answered'
import { oneOfWords } from '../../../../lib/described'
import type { FieldError } from '../../../../lib/errors'
import { freeForm } from '../../../../lib/free-form'
import { type Graph, type Step, stepTypes, type Transition, waitOutcomes, workflowLimits } from '../words'
import { edgeFault } from './graph'
import { stepConfig } from './step-schema'
import { configFaults } from './steps'

const uuid = Type.String({ format: 'uuid' })
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

/**
 * Steps keep their ids; an id that the workflow does not have yet makes a new step. Steps are ordered by their ids, which are UUID v7.
 */
const graphStep = Type.Object({
  id: Type.String({
    format: 'uuid',
    description: 'One that the workflow does not have yet is that of a new step; UUID v7 keeps their order',
  }),
  type: oneOfWords(stepTypes),
  name: Type.String({ maxLength: 300 }),
  position: Type.Optional(
    Type.Object({
      x: Type.Number({ minimum: -1e7, maximum: 1e7 }),
      y: Type.Number({ minimum: -1e7, maximum: 1e7 }),
    }),
  ),
  config: Type.Optional(stepConfig),
  templateId: Type.Optional(nullable(uuid)),
})

const graphTransition = Type.Object({
  fromStepId: uuid,
  toStepId: uuid,
  branch: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
  waitOutcome: Type.Optional(nullable(oneOfWords(waitOutcomes))),
  priority: Type.Optional(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })),
})

const graph = {
  steps: Type.Array(graphStep, { maxItems: workflowLimits.steps }),
  transitions: Type.Array(graphTransition, { maxItems: workflowLimits.transitions }),
}

export const revision = Type.Integer({
  minimum: 0,
  description: 'The revision that was read; 409 if it has changed since',
})

export const graphBody = Type.Object({ ...graph, revision: Type.Optional(revision) })
export const triedGraph = Type.Object(graph, { description: 'Instead of the graph that is saved' })

export interface SentGraph {
  steps: Array<Omit<Static<typeof graphStep>, 'type'> & { type: (typeof stepTypes)[number] }>
  transitions: Array<
    Omit<Static<typeof graphTransition>, 'waitOutcome'> & {
      waitOutcome?: (typeof waitOutcomes)[number] | null
    }
  >
}
export type GraphBody = SentGraph & { revision?: number }

/** The graph that an execution runs on. */
export const executionGraph = Type.Object(
  {
    steps: Type.Array(
      Type.Object({
        id: answeredId(),
        type: Type.String(),
        name: Type.String(),
        config: freeForm,
        templateId: nullable(answeredId()),
      }),
    ),
    transitions: Type.Array(
      Type.Object({
        id: answeredId(),
        fromStepId: answeredId(),
        toStepId: answeredId(),
        branch: nullable(Type.String()),
        waitOutcome: nullable(Type.String()),
      }),
    ),
  },
  { title: 'ExecutionGraph', description: 'As it was when the execution started' },
)

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

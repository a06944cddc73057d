// Rules of the graph: which edges may be added, where an execution starts and continues, and what removing a step means. Pure.

import { type Graph, type Step, type Transition, type WaitOutcome, workflowLimits } from '../words'
import { isMultiCondition, multiBranches } from './conditions'

export interface NewEdge {
  fromStepId: string
  toStepId: string
  branch: string | null
  waitOutcome: WaitOutcome | null
}

export type EdgeCheck =
  /** Add it; automatically made edges that are in its way are removed. */
  | { verdict: 'add'; replaces: string[] }
  /** It exists already, made automatically: from now on it counts as asked for. */
  | { verdict: 'adopt'; id: string }
  | { verdict: 'refuse'; message: string; missing?: boolean }

export function stepOf(graph: Graph, id: string | null): Step | undefined {
  return graph.steps.find(step => step.id === id)
}

export function checkEdge(graph: Graph, edge: NewEdge): EdgeCheck {
  const [from, to] = [stepOf(graph, edge.fromStepId), stepOf(graph, edge.toStepId)]
  if (edge.fromStepId === edge.toStepId) return refuse(ownEnd)
  if (!from || !to) return { verdict: 'refuse', message: 'One or both steps not found', missing: true }
  const fault = edgeFault(from, to, edge)
  if (fault) return refuse(fault)
  const rivals = graph.transitions.filter(other => isRival(other, edge))
  const same = rivals.find(other => other.automatic && other.toStepId === edge.toStepId)
  if (same) return { verdict: 'adopt', id: same.id }
  if (rivals.some(other => !other.automatic)) return refuse(rivalFault(edge))
  const closing = automaticBetween(without(graph, rivals), edge.toStepId, edge.fromStepId)
  const remaining = without(graph, [...rivals, ...closing])
  if (reachable(remaining, edge.toStepId).has(edge.fromStepId))
    return refuse('This connection would create a loop in the workflow')
  const replaces = [...rivals, ...closing].map(other => other.id)
  if (remaining.transitions.length >= workflowLimits.transitions)
    return refuse(`A workflow has at most ${workflowLimits.transitions} transitions`)
  return { verdict: 'add', replaces }
}

function without(graph: Graph, left: readonly Transition[]): Graph {
  return { ...graph, transitions: graph.transitions.filter(other => !left.includes(other)) }
}

/** The automatic edges on the ways from a step to another: they yield to one that is asked for, as what else would close a loop stays. */
function automaticBetween(graph: Graph, from: string, to: string): Transition[] {
  const behind = reachable(graph, from)
  if (!behind.has(to)) return []
  return graph.transitions.filter(
    edge => edge.automatic && behind.has(edge.fromStepId) && reachable(graph, edge.toStepId).has(to),
  )
}

const ownEnd = 'A step cannot be connected to itself'

/** Why a step cannot lead to another in this case, whatever else the graph holds. */
export function edgeFault(
  from: Step,
  to: Step,
  edge: Pick<NewEdge, 'branch' | 'waitOutcome'>,
): string | undefined {
  return from.id === to.id ? ownEnd : (endFault(from, to) ?? labelFault(from, edge))
}

function refuse(message: string): EdgeCheck {
  return { verdict: 'refuse', message }
}

function endFault(from: Step, to: Step): string | undefined {
  if (from.type === 'EXIT') return 'An exit step ends the flow; it cannot lead to another step'
  if (to.type === 'TRIGGER') return 'The trigger step starts the flow; no step can lead to it'
  return undefined
}

function labelFault(
  from: Step,
  { branch, waitOutcome }: Pick<NewEdge, 'branch' | 'waitOutcome'>,
): string | undefined {
  if (waitOutcome !== null && from.type !== 'WAIT_FOR_EVENT')
    return 'Only a transition from a WAIT_FOR_EVENT step has a waitOutcome'
  if (from.type !== 'CONDITION')
    return branch === null ? undefined : 'Only a transition from a CONDITION step has a branch'
  const branches = branchesOf(from)
  if (branch !== null && branches.includes(branch)) return undefined
  return `A transition from this CONDITION step needs a branch: ${branches.join(', ')}`
}

/** The branches that a CONDITION can take. */
export function branchesOf(step: Step): string[] {
  return isMultiCondition(step.config) ? [...multiBranches(step.config), 'default'] : ['yes', 'no']
}

/** Whether both would be followed in the same case. */
function isRival(other: Transition, edge: NewEdge): boolean {
  return (
    other.fromStepId === edge.fromStepId &&
    other.branch === edge.branch &&
    other.waitOutcome === edge.waitOutcome
  )
}

function rivalFault({ branch, waitOutcome }: NewEdge): string {
  const label = branch ?? waitOutcome
  return label === null
    ? 'This step already leads to another step'
    : `A transition for the "${label}" ${branch === null ? 'outcome' : 'branch'} already exists from this step`
}

/** The step and all those after it. */
export function reachable(graph: Graph, from: string): Set<string> {
  const seen = new Set([from])
  // A Set that grows during iteration is iterated to its new end.
  for (const id of seen)
    for (const edge of graph.transitions) if (edge.fromStepId === id) seen.add(edge.toStepId)
  return seen
}

/** Where an execution begins: at the trigger, or without one at the first step that no other leads to. */
export function entryOf(graph: Graph): Step | undefined {
  return graph.steps.find(step => step.type === 'TRIGGER') ?? firstWithoutIncoming(graph)
}

function firstWithoutIncoming(graph: Graph): Step | undefined {
  const targets = new Set(graph.transitions.map(edge => edge.toStepId))
  return graph.steps.find(step => step.type !== 'TRIGGER' && !targets.has(step.id))
}

export interface Leaving {
  branch?: string
  waitOutcome?: WaitOutcome
}

/** The step that follows; undefined at the end. A trigger that leads nowhere continues at the first step that no other leads to. */
export function nextStep(graph: Graph, from: Step, { branch, waitOutcome }: Leaving = {}): Step | undefined {
  const edges = graph.transitions
    .filter(edge => edge.fromStepId === from.id)
    .toSorted((a, b) => a.priority - b.priority)
  const edge =
    branch !== undefined
      ? edges.find(each => each.branch === branch)
      : (edges.find(each => waitOutcome !== undefined && each.waitOutcome === waitOutcome) ??
        edges.find(each => each.branch === null && each.waitOutcome === null))
  if (edge) return stepOf(graph, edge.toStepId)
  return from.type === 'TRIGGER' && edges.length === 0 ? firstWithoutIncoming(graph) : undefined
}

export type Splice =
  | { retarget: string[]; to: string }
  | { retarget: []; to: undefined }
  | { refused: string }

/** What removing a step does to the edges that lead to it; if no step follows, they are dropped. */
export function spliceOf(graph: Graph, step: Step): Splice {
  if (step.type === 'CONDITION') return { refused: 'Cannot splice a condition step out of the flow.' }
  const outgoing = graph.transitions.filter(edge => edge.fromStepId === step.id)
  if (outgoing.length > 1)
    return { refused: 'Cannot splice a step with two outgoing transitions out of the flow.' }
  const to = outgoing[0]?.toStepId
  if (to === undefined) return { retarget: [], to: undefined }
  return { retarget: graph.transitions.filter(edge => edge.toStepId === step.id).map(edge => edge.id), to }
}

/**
 * The step that a new one is connected to; undefined for none. Unless it is asked for, this happens in a plain chain only: in any other
 * shape it is not obvious where a step belongs.
 */
export function autoSource(graph: Graph, asked: boolean | undefined): Step | undefined {
  if (asked === false || (asked === undefined && !isPlainChain(graph))) return undefined
  const sources = new Set(graph.transitions.map(edge => edge.fromStepId))
  const ends = graph.steps.filter(step => !sources.has(step.id))
  return ends.findLast(step => step.type !== 'EXIT' && step.type !== 'CONDITION')
}

/** Whether one path without branches leads from the first step through all the others. */
export function isPlainChain(graph: Graph): boolean {
  const { steps, transitions } = graph
  if (steps.some(step => step.type === 'CONDITION') || transitions.length !== steps.length - 1) return false
  const first = entryOf(graph)
  const sources = new Set(transitions.map(edge => edge.fromStepId))
  return (
    first !== undefined &&
    sources.size === transitions.length &&
    reachable(graph, first.id).size === steps.length
  )
}

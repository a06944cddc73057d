// The graph of a workflow as it is edited: where steps lead, and the results of adding, removing and connecting them. Pure; every change
// is a new graph, so that it can be undone.

export const stepTypes = [
  'SEND_EMAIL',
  'DELAY',
  'WAIT_FOR_EVENT',
  'CONDITION',
  'UPDATE_CONTACT',
  'WEBHOOK',
  'EXIT',
] as const
export type AddedType = (typeof stepTypes)[number]
export type StepType = AddedType | 'TRIGGER'

export type Config = Record<string, unknown>

export interface Step {
  id: string
  type: StepType
  name: string
  config: Config
  templateId: string | null
}

export type WaitOutcome = 'EVENT' | 'TIMEOUT'

/** The case in which a step leads on: a branch of a condition, the outcome of a wait, or always. */
export interface Port {
  branch: string | null
  waitOutcome: WaitOutcome | null
}

export interface Edge extends Port {
  fromStepId: string
  toStepId: string
  priority: number
}

export interface Graph {
  steps: readonly Step[]
  transitions: readonly Edge[]
}

export const always: Port = { branch: null, waitOutcome: null }

export function isSamePort(a: Port, b: Port): boolean {
  return a.branch === b.branch && a.waitOutcome === b.waitOutcome
}

export function portKey({ branch, waitOutcome }: Port): string {
  return branch ?? waitOutcome ?? ''
}

export function stepOf({ steps }: Graph, id: string | undefined): Step | undefined {
  return steps.find(step => step.id === id)
}

/** The branches of a condition with several; the last one is for values that match none of them. */
export function branchesOf({ branches }: Config): Array<{ id: string; name?: string }> {
  return Array.isArray(branches) ? branches.filter(({ id }) => typeof id === 'string') : []
}

export function hasManyBranches(config: Config): boolean {
  return config['mode'] === 'multi' || (config['mode'] === undefined && Array.isArray(config['branches']))
}

/** Every case in which a step may lead on, whether it does or not. */
export function portsOf(graph: Graph, step: Step): Port[] {
  switch (step.type) {
    case 'EXIT':
      return []
    case 'CONDITION': {
      const names = hasManyBranches(step.config)
        ? [...branchesOf(step.config).map(({ id }) => id), 'default']
        : ['yes', 'no']
      return names.map(branch => ({ branch, waitOutcome: null }))
    }
    case 'WAIT_FOR_EVENT':
      return waysOf(graph, step)
    default:
      return [always]
  }
}

function waysOf(graph: Graph, { id, config }: Step): Port[] {
  const edges = graph.transitions.filter(edge => edge.fromStepId === id)
  const parts = edges.some(edge => edge.waitOutcome !== null)
  const splits = parts || (edges.length === 0 && typeof config['timeout'] === 'number')
  if (!splits) return [always]
  const labelled = (['EVENT', 'TIMEOUT'] as const).map(waitOutcome => ({ branch: null, waitOutcome }))
  return edges.some(edge => isSamePort(edge, always)) ? [...labelled, always] : labelled
}

export function edgeAt({ transitions }: Graph, stepId: string, port: Port): Edge | undefined {
  return transitions.find(edge => edge.fromStepId === stepId && isSamePort(edge, port))
}

/** The step and all those after it. */
export function reachable({ transitions }: Graph, from: string): Set<string> {
  const seen = new Set([from])
  // A Set that grows during iteration is iterated to its new end.
  for (const id of seen) for (const edge of transitions) if (edge.fromStepId === id) seen.add(edge.toStepId)
  return seen
}

function reached(graph: Graph): Set<string> {
  const trigger = graph.steps.find(({ type }) => type === 'TRIGGER')
  return trigger ? reachable(graph, trigger.id) : new Set()
}

/** The steps in the order in which an execution may reach them; those that nothing leads to come last. */
export function inOrder(graph: Graph): Step[] {
  const ids = new Set<string>()
  const visit = (step: Step | undefined): void => {
    if (!step || ids.has(step.id)) return
    ids.add(step.id)
    for (const port of portsOf(graph, step)) visit(stepOf(graph, edgeAt(graph, step.id, port)?.toStepId))
  }
  visit(graph.steps.find(({ type }) => type === 'TRIGGER'))
  const unreachable = graph.steps.filter(({ id }) => !ids.has(id))
  return [...[...ids].flatMap(id => stepOf(graph, id) ?? []), ...unreachable]
}

/** The steps to which a step may lead without making a loop. */
export function possibleTargets(graph: Graph, stepId: string): Step[] {
  return inOrder(graph).filter(
    ({ id, type }) => type !== 'TRIGGER' && id !== stepId && !reachable(graph, id).has(stepId),
  )
}

/** Connects a step to another, or to nothing. */
export function connect(graph: Graph, stepId: string, port: Port, to: string | undefined): Graph {
  const transitions = graph.transitions.filter(
    edge => !(edge.fromStepId === stepId && isSamePort(edge, port)),
  )
  const { branch, waitOutcome } = port
  const added =
    to === undefined ? [] : [{ fromStepId: stepId, toStepId: to, branch, waitOutcome, priority: 0 }]
  return { ...graph, transitions: [...transitions, ...added] }
}

/** Inserts a step: what came next now follows its first way on, if it has one. */
export function insert(graph: Graph, at: { stepId: string; port: Port }, step: Step): Graph {
  const behind = edgeAt(graph, at.stepId, at.port)?.toStepId
  const added = { ...graph, steps: [...graph.steps, step] }
  const [first] = portsOf(added, step)
  const led = connect(added, at.stepId, at.port, step.id)
  return first && behind !== undefined ? connect(led, step.id, first, behind) : led
}

/**
 * Removes a step; those before it lead on to what came after it; if it had several ways on, `kept` is the one that stays. Steps that only
 * it led to are removed too.
 */
export function remove(graph: Graph, stepId: string, kept?: Port): Graph {
  const step = stepOf(graph, stepId)
  if (!step || step.type === 'TRIGGER') return graph
  const branch = kept ?? portsOf(graph, step).find(port => edgeAt(graph, stepId, port))
  const behind = branch && edgeAt(graph, stepId, branch)?.toStepId
  const before = reached(graph)
  const left = {
    steps: graph.steps.filter(({ id }) => id !== stepId),
    transitions: graph.transitions
      .filter(edge => edge.fromStepId !== stepId)
      .flatMap(edge => (edge.toStepId !== stepId ? edge : behind ? { ...edge, toStepId: behind } : [])),
  }
  const after = reached(left)
  return keepSteps(left, id => after.has(id) || !before.has(id))
}

function keepSteps({ steps, transitions }: Graph, keeps: (id: string) => boolean): Graph {
  return {
    steps: steps.filter(({ id }) => keeps(id)),
    transitions: transitions.filter(({ fromStepId, toStepId }) => keeps(fromStepId) && keeps(toStepId)),
  }
}

/** Changes a step; edges of branches that it no longer has are removed. */
export function update(graph: Graph, stepId: string, change: Partial<Omit<Step, 'id' | 'type'>>): Graph {
  const steps = graph.steps.map(step => (step.id === stepId ? { ...step, ...change } : step))
  const step = steps.find(({ id }) => id === stepId)
  if (step?.type !== 'CONDITION') return { ...graph, steps }
  const branches = new Set(portsOf({ ...graph, steps }, step).map(({ branch }) => branch))
  const transitions = graph.transitions.filter(
    edge => edge.fromStepId !== stepId || branches.has(edge.branch),
  )
  return { steps, transitions }
}

/** Whether a wait goes another way when its time runs out. */
export function isSplit(graph: Graph, stepId: string): boolean {
  const step = stepOf(graph, stepId)
  return step !== undefined && portsOf(graph, step).some(({ waitOutcome }) => waitOutcome !== null)
}

/** One way for both outcomes of a wait, or a way for each: the existing way becomes that of the event. */
export function split(graph: Graph, stepId: string, isSplit: boolean): Graph {
  const to = (['EVENT', null, 'TIMEOUT'] as const)
    .map(waitOutcome => edgeAt(graph, stepId, { branch: null, waitOutcome })?.toStepId)
    .find(Boolean)
  const others = { ...graph, transitions: graph.transitions.filter(edge => edge.fromStepId !== stepId) }
  return connect(others, stepId, isSplit ? { branch: null, waitOutcome: 'EVENT' } : always, to)
}

/** UUID v7: what is made later comes later in order, on the server too. */
export function newStepId(now = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  new DataView(bytes.buffer).setBigUint64(
    0,
    (BigInt(now) << 16n) | BigInt(bytes[6]! << 8) | BigInt(bytes[7]!),
  )
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

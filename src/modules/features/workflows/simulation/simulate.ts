// Runs a graph on a clock of its own: the engine takes the same steps as always, but what they ask for is only imagined. Pure, as far as
// the functions handed in are.
import { after } from '../../../../lib/time'
import type { Compared } from '../definition/conditions'
import { stepOf } from '../definition/graph'
import { type Effect, firstState, isFree, questionOf, type Signal, type State, step } from '../runs/engine'
import type { Graph, StepStatus, Values } from '../words'

type Contact = Compared['contact']

export interface ImaginedEvent {
  name: string
  /** Seconds after the start. */
  after: number
  data?: Values
}

export interface Imagined {
  signal: Signal
  contact?: Contact
}

export interface Imagination {
  /** Whether the contact matches a filter tree at a moment, after these events. */
  matches(
    tree: unknown,
    contact: Contact,
    now: Date,
    past: ReadonlyArray<{ name: string; at: Date }>,
  ): Promise<boolean>
  perform(
    effect: Exclude<Effect, { kind: 'record' }>,
    contact: Contact,
    context: Values,
  ): Promise<Imagined> | Imagined
}

export interface SimulatedStep {
  stepId: string
  status: StepStatus
  startedAt: Date
  completedAt: Date | null
  output: Values | null
  error: string | null
}

export interface Simulated {
  state: State
  contact: Contact
  steps: SimulatedStep[]
  startedAt: Date
  endedAt: Date
}

export interface SimulationStart {
  now: Date
  contact: Contact
  context: Values
  /** The event that starts it. */
  trigger: string | null
  events: readonly ImaginedEvent[]
}

interface Run extends SimulationStart {
  graph: Graph
  state: State
  startedAt: Date
  steps: Map<string, SimulatedStep>
  /** In chronological order. */
  due: Array<ImaginedEvent & { at: Date }>
  used: Set<ImaginedEvent>
  imagination: Imagination
}

export async function simulate(
  graph: Graph,
  start: SimulationStart,
  imagination: Imagination,
): Promise<Simulated> {
  const due = start.events
    .map(event => ({ ...event, at: after(start.now, event.after * 1000) }))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const run: Run = {
    ...start,
    ...{
      graph,
      due,
      imagination,
      steps: new Map(),
      used: new Set(),
      startedAt: start.now,
      state: firstState(graph, start.context),
    },
  }
  let signal: Signal | undefined
  do {
    signal = (await takeStep(run, signal)) ?? letTimePass(run)
  } while (signal || isFree(run.state))
  const { state, contact, steps, startedAt, now } = run
  return { state, contact, steps: [...steps.values()], startedAt, endedAt: now }
}

async function takeStep(run: Run, signal: Signal | undefined): Promise<Signal | undefined> {
  const { graph, state, now, contact, imagination } = run
  const question = questionOf(graph, state)
  const answer =
    question === undefined ? undefined : await imagination.matches(question, contact, now, pastOf(run))
  const taken = step(graph, state, {
    ...{ now, contact, projectDisabled: false },
    ...(answer === undefined ? {} : { answer }),
    ...(signal ? { signal } : {}),
  })
  run.state = taken.state
  let next: Signal | undefined
  for (const effect of taken.effects) {
    if (effect.kind === 'record') record(run, effect)
    else {
      const imagined = await imagination.perform(effect, contact, taken.state.context)
      run.contact = imagined.contact ?? run.contact
      next = imagined.signal
    }
  }
  return next
}

function pastOf({ due, now, trigger, startedAt }: Run): Array<{ name: string; at: Date }> {
  const past = due.filter(event => event.at <= now).map(({ name, at }) => ({ name, at }))
  return trigger === null ? past : [{ name: trigger, at: startedAt }, ...past]
}

/** Moves the clock to what ends the wait; nothing does where neither the event comes nor a time is set. */
function letTimePass(run: Run): Signal | undefined {
  const { wait } = run.state
  if (run.state.status !== 'WAITING' || !wait) return undefined
  const { eventName, until } = wait
  const event = run.due.find(
    event =>
      event.name === eventName &&
      event.at >= run.now &&
      (until === null || event.at < until) &&
      !run.used.has(event),
  )
  if (event) {
    run.now = event.at
    // An event ends only one wait, but conditions see it as past from then on.
    run.used.add(event)
    return { kind: 'event', name: event.name, data: event.data ?? null, receivedAt: event.at }
  }
  if (until === null) return undefined
  run.now = until
  return { kind: 'timer' }
}

function record({ steps, now, graph }: Run, effect: Effect & { kind: 'record' }): void {
  if (!stepOf(graph, effect.stepId)) return
  const known = steps.get(effect.stepId)
  steps.set(effect.stepId, {
    stepId: effect.stepId,
    status: effect.status,
    startedAt: known?.startedAt ?? now,
    completedAt: effect.ended ? now : null,
    output: effect.output ?? null,
    error: effect.error ?? null,
  })
}

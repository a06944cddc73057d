// The whole behaviour of a running workflow as one pure function: from where an execution stands and what is known, to where it stands
// next and what has to be done. It does nothing itself: a service performs the effects in the transaction that stores the state, and the
// simulation performs none of them.
import { after } from '../../../../lib/time'
import { type Compared, compares, fieldValue } from '../definition/conditions'
import { entryOf, type Leaving, nextStep, stepOf } from '../definition/graph'
import { type Configs, readStepConfig } from '../definition/steps'
import type {
  ActiveStatus,
  EndStatus,
  ExecutionStatus,
  Graph,
  Step,
  StepStatus,
  Values,
  WaitOutcome,
} from '../words'

export interface State {
  status: ExecutionStatus
  /** The step that is about to be entered, or that was entered and has not ended. */
  stepId: string | null
  isInside: boolean
  /** The values that the start and the events since then have brought. */
  context: Values
  exitReason: string | null
  /** Raised with every step taken: whoever holds an older number is late. */
  version: number
  /** What a WAITING execution waits for; null if it is not WAITING. */
  wait: { eventName: string | null; until: Date | null } | null
}

/** What moves an execution on that is inside a step. */
export type Signal =
  | { kind: 'timer' }
  | { kind: 'event'; name: string; data: Values | null; receivedAt: Date }
  | { kind: 'done'; output: Values }
  | { kind: 'failed'; error: string }

export interface Facts {
  now: Date
  /** Undefined when the contact is gone. */
  contact: Compared['contact'] | undefined
  projectDisabled: boolean
  /** The answer to `questionOf`. */
  answer?: boolean
  signal?: Signal
}

export type Effect =
  /** History: a row for the step. `ended` sets its end. */
  | {
      kind: 'record'
      stepId: string
      status: StepStatus
      executeAfter?: Date
      output?: Values
      error?: string
      ended: boolean
    }
  | { kind: 'sendEmail'; step: Step; config: Configs['SEND_EMAIL'] }
  | { kind: 'updateContact'; step: Step; config: Configs['UPDATE_CONTACT'] }
  | { kind: 'callWebhook'; step: Step; config: Configs['WEBHOOK'] }

export interface Taken {
  state: State
  effects: Effect[]
}

export function firstState(graph: Graph, context: Values): State {
  const entry = entryOf(graph)
  const open = { isInside: false, context, exitReason: null, version: 0, wait: null }
  return entry
    ? { ...open, status: 'RUNNING', stepId: entry.id }
    : { ...open, status: 'COMPLETED', stepId: null }
}

export function isActive(status: ExecutionStatus): status is ActiveStatus {
  return status === 'RUNNING' || status === 'WAITING'
}

/** Whether the next step can be taken at once, without a signal from outside. */
export function isFree(state: State): boolean {
  return state.status === 'RUNNING' && !state.isInside
}

/** The filter tree whose truth for this contact the next step depends on; undefined if it depends on none. */
export function questionOf(graph: Graph, state: State): unknown {
  const step = stepOf(graph, state.stepId)
  if (step?.type !== 'CONDITION' || !isFree(state)) return undefined
  const reading = readStepConfig('CONDITION', step.config)
  return 'config' in reading && reading.config.form === 'tree' ? reading.config.tree : undefined
}

/** Takes one step: enters the one that the state names, or continues inside it with the signal. */
export function step(graph: Graph, state: State, facts: Facts): Taken {
  if (!isActive(state.status)) return { state, effects: [] }
  const advanced = { ...state, version: state.version + 1, wait: null }
  if (facts.projectDisabled) return end(advanced, 'CANCELLED', 'Project disabled')
  if (!facts.contact) return end(advanced, 'CANCELLED', 'Contact deleted')
  const current = stepOf(graph, state.stepId)
  if (!current) return end(advanced, 'COMPLETED', null)
  const run: StepRun = { graph, state: advanced, step: current, now: facts.now }
  if (state.isInside) return facts.signal ? goOn(run, facts.signal) : { state, effects: [] }
  return enter(run, facts, facts.contact)
}

interface StepRun {
  graph: Graph
  state: State
  step: Step
  now: Date
}

function enter(run: StepRun, facts: Facts, contact: Compared['contact']): Taken {
  const reading = readStepConfig(run.step.type, run.step.config)
  if ('faults' in reading)
    return fail(
      run,
      `The step is not configured: ${reading.faults.map(({ field, message }) => `${field}: ${message}`).join('; ')}`,
    )
  const of = <T extends Step['type']>(): Configs[T] => reading.config as Configs[T]
  switch (run.step.type) {
    case 'TRIGGER': {
      const { eventName } = of<'TRIGGER'>()
      return complete(run, { triggered: true, eventName, timestamp: run.now.toISOString() })
    }
    case 'SEND_EMAIL':
      return begin(run, { kind: 'sendEmail', step: run.step, config: of<'SEND_EMAIL'>() })
    case 'UPDATE_CONTACT':
      return begin(run, { kind: 'updateContact', step: run.step, config: of<'UPDATE_CONTACT'>() })
    case 'WEBHOOK':
      return begin(run, { kind: 'callWebhook', step: run.step, config: of<'WEBHOOK'>() })
    case 'DELAY':
      return delay(run, of<'DELAY'>())
    case 'WAIT_FOR_EVENT':
      return wait(run, of<'WAIT_FOR_EVENT'>())
    case 'CONDITION':
      return decide(run, of<'CONDITION'>(), contact, facts.answer)
    case 'EXIT': {
      const { reason } = of<'EXIT'>()
      const ended = end(run.state, 'EXITED', reason)
      return { ...ended, effects: [record(run, 'COMPLETED', { output: { reason } }), ...ended.effects] }
    }
  }
}

/** The result of what happens outside comes back as a signal. */
function begin(run: StepRun, effect: Effect): Taken {
  return {
    state: { ...run.state, status: 'RUNNING', isInside: true },
    effects: [record(run, 'RUNNING'), effect],
  }
}

function delay(run: StepRun, { amount, unit, ms }: Configs['DELAY']): Taken {
  const until = after(run.now, ms)
  const output = { delayAmount: amount, delayUnit: unit, resumeAt: until.toISOString() }
  return {
    state: { ...run.state, status: 'WAITING', isInside: true, wait: { eventName: null, until } },
    effects: [record(run, 'COMPLETED', { output })],
  }
}

function wait(run: StepRun, { eventName, timeoutMs }: Configs['WAIT_FOR_EVENT']): Taken {
  const until = timeoutMs === null ? null : after(run.now, timeoutMs)
  return {
    state: { ...run.state, status: 'WAITING', isInside: true, wait: { eventName, until } },
    effects: [record(run, 'WAITING', until ? { executeAfter: until } : {})],
  }
}

function decide(
  run: StepRun,
  condition: Configs['CONDITION'],
  contact: Compared['contact'],
  answer: boolean | undefined,
): Taken {
  if (condition.form === 'tree') {
    const branch = answer ? 'yes' : 'no'
    return complete(run, { condition: condition.tree, result: answer === true, branch }, { branch })
  }
  const { field } = condition
  const actual = fieldValue(field, { contact, context: run.state.context })
  const known = { field, actualValue: actual ?? null }
  if (condition.form === 'multi') {
    const branch = condition.branches.find(each => compares(field, actual, each))?.id ?? 'default'
    return complete(run, { ...known, branch }, { branch })
  }
  const result = compares(field, actual, condition)
  const branch = result ? 'yes' : 'no'
  const { operator, value } = condition
  return complete(run, { ...known, operator, expectedValue: value ?? null, result, branch }, { branch })
}

function goOn(run: StepRun, signal: Signal): Taken {
  const { type, config } = run.step
  switch (signal.kind) {
    case 'done':
      return complete(run, signal.output)
    case 'failed':
      return fail(run, signal.error)
    case 'timer':
      // The delay's own row ended when it began.
      if (type === 'DELAY') return { state: move(run), effects: [] }
      return endWait(run, { timedOut: true, eventName: config['eventName'] }, 'TIMEOUT')
    case 'event': {
      const { name, data, receivedAt } = signal
      const context = { ...run.state.context, ...data }
      const output = {
        eventReceived: true,
        eventName: name,
        eventData: data,
        receivedAt: receivedAt.toISOString(),
      }
      return endWait({ ...run, state: { ...run.state, context } }, output, 'EVENT')
    }
  }
}

function endWait(run: StepRun, output: Values, waitOutcome: WaitOutcome): Taken {
  return complete(run, output, { waitOutcome })
}

function complete(run: StepRun, output: Values, leaving: Leaving = {}): Taken {
  return { state: move(run, leaving), effects: [record(run, 'COMPLETED', { output })] }
}

function move({ graph, state, step: from }: StepRun, leaving: Leaving = {}): State {
  const next = nextStep(graph, from, leaving)
  return next
    ? { ...state, status: 'RUNNING', stepId: next.id, isInside: false }
    : { ...state, status: 'COMPLETED', stepId: null, isInside: false }
}

function fail(run: StepRun, error: string): Taken {
  const failed = end(run.state, 'FAILED', run.state.exitReason)
  return { ...failed, effects: [record(run, 'FAILED', { error: error.slice(0, 2_000) })] }
}

/** A failed or canceled execution keeps the step at which it happened. */
function end(state: State, status: EndStatus, exitReason: string | null): Taken {
  const stepId = status === 'COMPLETED' || status === 'EXITED' ? null : state.stepId
  return { state: { ...state, status, stepId, isInside: false, exitReason, wait: null }, effects: [] }
}

function record(
  { step: { id } }: StepRun,
  status: StepStatus,
  more: { output?: Values; error?: string; executeAfter?: Date } = {},
): Effect {
  return { kind: 'record', stepId: id, status, ended: status === 'COMPLETED' || status === 'FAILED', ...more }
}

// Takes the steps of one locked execution until it has to wait. Its changes of contacts are made at once; its history, its messages and
// its calls are gathered, to be stored with those of others.
import { AppError } from '../../../../../lib/errors'
import type { TemplateCache } from '../../../../../liquid/cache'
import { type Context, newId } from '../../../../../platform/context'
import type { NewEmail } from '../../../../sending/emails'
import { matchesCondition } from '../../../segments'
import { type Snapshot, workflowLimits } from '../../words'
import {
  type Effect,
  type Facts,
  isFree,
  questionOf,
  type Signal,
  type State,
  step,
  type Taken,
} from '../engine'
import type { NewCall } from '../queries/calls'
import { type HeldExecution, type SavedExecution, selectNewerEvent } from '../queries/executions'
import type { StepRecord } from '../queries/records'
import { perform } from './effects'
import type { SharedWork } from './shared-work'

/** What an execution runs with. */
export interface RunInput {
  tx: Context
  together: SharedWork
  cache: TemplateCache
  execution: HeldExecution
  snapshot: Snapshot
}

export interface ExecutionRun extends RunInput {
  state: State
  contact: Facts['contact']
  records: Map<string, StepRecord>
  /** The id of the history row of the step that is waiting now: later events have later ids. */
  waitFrom: string | null
  mails: NewEmail[]
  /** Calls that were begun, without the version: that is known only when the execution is stored. */
  calls: Array<Omit<NewCall, 'version'>>
}

/** Continues from where it stands, `first` being what it waited for. */
export async function takeSteps(start: RunInput, first: Signal | undefined): Promise<ExecutionRun> {
  const run: ExecutionRun = {
    ...start,
    state: stateOf(start.execution),
    contact: contactOf(start.execution),
    records: new Map(),
    waitFrom: null,
    mails: [],
    calls: [],
  }
  let signal = first
  // Each round takes a step of a graph without loops; a step that waits may find its event at once.
  do {
    signal = await takeStep(run, signal)
  } while (signal || isFree(run.state))
  return run
}

function stateOf(execution: HeldExecution): State {
  const { status, currentStepId, isInside, context, version, waitEvent, wakeAt } = execution
  return {
    ...{ status, stepId: currentStepId, isInside, context: context ?? {}, exitReason: null, version },
    wait: status === 'WAITING' ? { eventName: waitEvent, until: wakeAt } : null,
  }
}

function contactOf({
  email,
  subscribed,
  data,
  contactCreatedAt,
  contactUpdatedAt,
}: HeldExecution): Facts['contact'] {
  return email && contactCreatedAt && contactUpdatedAt
    ? { email, subscribed, data, createdAt: contactCreatedAt, updatedAt: contactUpdatedAt }
    : undefined
}

/** Takes one step and does what it asks for; returns what the next one continues with, if that is known already. */
async function takeStep(run: ExecutionRun, signal: Signal | undefined): Promise<Signal | undefined> {
  const taken = await decide(run, signal)
  run.state = taken.state
  let next: Signal | undefined
  for (const effect of taken.effects) {
    if (effect.kind === 'record') record(run, effect)
    else next = await act(run, effect)
  }
  return next ?? (await eventSince(run))
}

/** The event that is already there when a wait begins. */
async function eventSince(run: ExecutionRun): Promise<Signal | undefined> {
  const { tx, execution, snapshot, state } = run
  const name = state.wait?.eventName
  if (!name) return undefined
  run.waitFrom = latest(run.records.get(state.stepId!)!.id, execution.received?.id ?? execution.sourceEventId)
  const newer = await selectNewerEvent(tx, {
    ...{ projectId: execution.projectId, contactId: execution.contactId, name },
    from: run.waitFrom,
    since: timeOf(run.waitFrom),
  })
  if (!newer || snapshot.steps.length === 0) return undefined
  const { id, data, createdAt, hops } = newer
  execution.hops = Math.max(execution.hops, hops)
  execution.received = { id, name, data, receivedAt: createdAt.toISOString() }
  return { kind: 'event', name, data, receivedAt: createdAt }
}

async function decide(run: ExecutionRun, signal: Signal | undefined): Promise<Taken> {
  const { tx, execution, snapshot, state } = run
  const { projectId, contactId, projectDisabled } = execution
  const facts: Facts = {
    now: tx.clock.now(),
    contact: run.contact,
    projectDisabled,
    ...(signal ? { signal } : {}),
  }
  const question = questionOf(snapshot, state)
  if (question !== undefined && run.contact) {
    try {
      facts.answer = await matchesCondition(tx, projectId, contactId, question as never)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // A segment that the tree names is gone: nobody is in it.
      facts.answer = false
    }
  }
  const taken = step(snapshot, state, facts)
  if (Buffer.byteLength(JSON.stringify(taken.state.context)) <= workflowLimits.contextBytes) return taken
  return step(snapshot, state, {
    ...facts,
    signal: { kind: 'failed', error: 'The context has grown too large' },
  })
}

async function act(
  run: ExecutionRun,
  effect: Exclude<Effect, { kind: 'record' }>,
): Promise<Signal | undefined> {
  const { tx, together, cache, execution, snapshot, state } = run
  const performance = {
    tx,
    together,
    cache,
    execution,
    snapshot,
    context: state.context,
    contact: run.contact!,
  }
  const performed = await perform(performance, effect, run.records.get(effect.step.id)!.id)
  if (performed.contact) run.contact = performed.contact
  if (performed.mail) run.mails.push(performed.mail)
  if (performed.call) run.calls.push(performed.call)
  return performed.signal
}

function record({ tx, execution, records }: ExecutionRun, effect: Effect & { kind: 'record' }): void {
  const known = records.get(effect.stepId)
  records.set(effect.stepId, {
    id: known?.id ?? newId(tx),
    projectId: execution.projectId,
    executionId: execution.id,
    stepId: effect.stepId,
    status: effect.status,
    executeAfter: effect.executeAfter ?? known?.executeAfter ?? null,
    output: effect.output ?? null,
    error: effect.error ?? null,
    isOver: effect.ended,
  })
}

/** Where the execution stands now, as it is stored. */
export function savedOf({ execution, state, waitFrom }: ExecutionRun): SavedExecution {
  const { id, ctid, projectId, hops } = execution
  const { status, stepId, isInside, exitReason, context, version, wait } = state
  return {
    ...{ id, ctid, projectId, status, currentStepId: stepId, isInside, exitReason, context, version },
    hops,
    before: execution.status,
    waitEvent: wait?.eventName ?? null,
    waitFrom: wait?.eventName ? waitFrom : null,
    wakeAt: wait?.until ?? null,
  }
}

/** The later of two ids that are made from the time. */
function latest(id: string, other: string | null): string {
  return other !== null && other > id ? other : id
}

/** The moment in a UUID v7. */
function timeOf(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
}

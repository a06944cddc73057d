// Moves an execution on: takes steps until it has to wait, performs what they ask for, and stores where it stands, all in one
// transaction that holds the execution at the version it was called for. Whoever comes with another version is late and does nothing.
import type { Context } from '../../../platform/context'
import { inTransaction, newId } from '../../../platform/context'
import { enqueue } from '../../../platform/jobs/enqueue'
import { Snooze } from '../../../platform/jobs/outcome'
import { perContext } from '../../../platform/per-context'
import { matchesCondition } from '../../segments/service'
import { createTemplateCache, type TemplateCache } from '../../templates/cache'
import type { Snapshot } from '../definition'
import { workflowLimits } from '../definition'
import {
  type Effect,
  type Facts,
  isActive,
  isFree,
  questionOf,
  type Signal,
  type State,
  step,
  type Taken,
} from '../engine'
import {
  type HeldExecution,
  holdExecution,
  type StepRecord,
  saveExecution,
  selectNewerEvent,
  selectSnapshot,
} from '../queries'
import { type Performance, perform } from './effects'

/** Compiled templates of this instance's workflows. */
const cacheOf = perContext<TemplateCache>(() => createTemplateCache())

/** The job's part: an execution that was started or resumed, or a timer that is over. */
export async function advanceExecution(
  ctx: Context,
  projectId: string,
  executionId: string,
  version: number,
): Promise<void> {
  const cache = cacheOf(ctx)
  await inTransaction(ctx, async tx => {
    const execution = await holdExecution(tx, projectId, executionId, version)
    if (!execution) return
    const signal = signalOf(tx, execution)
    if (execution.isInside && !signal) return
    await goOn(tx, cache, execution, signal)
  })
}

/** What the held execution was called for. */
function signalOf(tx: Context, { status, wakeAt, received }: HeldExecution): Signal | undefined {
  if (received)
    return {
      kind: 'event',
      name: received.name,
      data: received.data,
      receivedAt: new Date(received.receivedAt),
    }
  if (status !== 'WAITING' || !wakeAt) return undefined
  // Another machine's clock may be ahead of this one's.
  if (wakeAt > tx.clock.now()) throw new Snooze(wakeAt)
  return { kind: 'timer' }
}

/** The outcome of something that ran outside of any transaction; false when the execution has moved on meanwhile. */
export async function settleStep(
  tx: Context,
  base: Context,
  at: { projectId: string; executionId: string; version: number },
  signal: Signal,
): Promise<boolean> {
  const execution = await holdExecution(tx, at.projectId, at.executionId, at.version)
  if (!execution?.isInside) return false
  await goOn(tx, cacheOf(base), execution, signal)
  return true
}

interface Walk {
  tx: Context
  cache: TemplateCache
  execution: HeldExecution
  snapshot: Snapshot
  state: State
  contact: Facts['contact']
  records: Map<string, StepRecord>
  /** The id of the history row of the step that waits now: later events have later ids. */
  waitFrom: string | null
  /** Calls that were begun: they have to know the version that is stored in the end. */
  begun: Array<(version: number) => Promise<void>>
}

async function goOn(
  tx: Context,
  cache: TemplateCache,
  execution: HeldExecution,
  first: Signal | undefined,
): Promise<void> {
  const snapshot = await selectSnapshot(tx, execution.projectId, execution.snapshotId)
  if (!snapshot) throw new Error(`execution ${execution.id} has no snapshot`)
  const walk: Walk = {
    ...{ tx, cache, execution, snapshot, waitFrom: null, begun: [] },
    state: stateOf(execution),
    contact: contactOf(execution),
    records: new Map(),
  }
  let signal = first
  // Each round takes a step of a graph without loops; a step that waits may find its event at once.
  do {
    signal = await takeStep(walk, signal)
  } while (signal || isFree(walk.state))
  await save(walk)
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
  return email === null
    ? undefined
    : { email, subscribed, data, createdAt: contactCreatedAt, updatedAt: contactUpdatedAt }
}

/** Takes one step and does what it asks for; answers what the next one goes on with, if it is known already. */
async function takeStep(walk: Walk, signal: Signal | undefined): Promise<Signal | undefined> {
  const { tx, execution, snapshot } = walk
  const taken = await decide(walk, signal)
  walk.state = taken.state
  let next: Signal | undefined
  for (const effect of taken.effects) {
    if (effect.kind === 'record') record(walk, effect)
    else next = await act(walk, effect)
  }
  if (next) return next
  const { wait } = walk.state
  if (!wait?.eventName) return undefined
  walk.waitFrom = latest(
    walk.records.get(walk.state.stepId!)!.id,
    execution.received?.id ?? execution.sourceEventId,
  )
  const newer = await selectNewerEvent(tx, {
    ...{ projectId: execution.projectId, contactId: execution.contactId, name: wait.eventName },
    from: walk.waitFrom,
    since: timeOf(walk.waitFrom),
  })
  if (!newer || snapshot.steps.length === 0) return undefined
  execution.received = {
    id: newer.id,
    name: wait.eventName,
    data: newer.data,
    receivedAt: newer.createdAt.toISOString(),
  }
  return { kind: 'event', name: wait.eventName, data: newer.data, receivedAt: newer.createdAt }
}

async function decide(walk: Walk, signal: Signal | undefined): Promise<Taken> {
  const { tx, execution, snapshot, state } = walk
  const { projectId, contactId, projectDisabled } = execution
  const facts: Facts = {
    now: tx.clock.now(),
    contact: walk.contact,
    projectDisabled,
    ...(signal ? { signal } : {}),
  }
  const question = questionOf(snapshot, state)
  if (question !== undefined && walk.contact) {
    try {
      facts.answer = await matchesCondition(tx, projectId, contactId, question as never)
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'AppError') throw error
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

async function act(walk: Walk, effect: Exclude<Effect, { kind: 'record' }>): Promise<Signal | undefined> {
  const { tx, cache, execution, snapshot, state } = walk
  const performance: Performance = {
    tx,
    cache,
    execution,
    snapshot,
    context: state.context,
    contact: walk.contact!,
  }
  const { signal, contact, begin } = await perform(performance, effect, walk.records.get(effect.step.id)!.id)
  if (contact) walk.contact = contact
  if (begin) walk.begun.push(begin)
  return signal
}

function record({ tx, records }: Walk, effect: Effect & { kind: 'record' }): void {
  const now = tx.clock.now()
  const known = records.get(effect.stepId)
  records.set(effect.stepId, {
    id: known?.id ?? newId(tx),
    stepId: effect.stepId,
    status: effect.status,
    executeAfter: effect.executeAfter ?? known?.executeAfter ?? null,
    output: effect.output ?? null,
    error: effect.error ?? null,
    startedAt: known?.startedAt ?? now,
    completedAt: effect.ended ? now : null,
  })
}

async function save({ tx, execution, state, records, waitFrom, begun }: Walk): Promise<void> {
  const { id, projectId } = execution
  const { status, stepId, isInside, exitReason, context, version, wait } = state
  await saveExecution(
    tx,
    {
      ...{ id, projectId, status, currentStepId: stepId, isInside, exitReason, context, version },
      ...{
        waitEvent: wait?.eventName ?? null,
        waitFrom: wait?.eventName ? waitFrom : null,
        wakeAt: wait?.until ?? null,
      },
    },
    [...records.values()],
  )
  for (const begin of begun) await begin(version)
  if (isActive(status) && wait?.until)
    await enqueue(tx, 'workflow.advance', { executionId: id, version }, { projectId, runAt: wait.until })
}

/** The later of two ids that are made from the time. */
function latest(id: string, other: string | null): string {
  return other !== null && other > id ? other : id
}

/** The moment in a UUID v7. */
function timeOf(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
}

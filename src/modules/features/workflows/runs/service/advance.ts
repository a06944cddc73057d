// Moves executions on: takes steps until each has to wait, performs what they ask for, and stores where they stand, in a transaction that
// locks each at the version that the call is for. A call with another version is late and does nothing. Executions whose turn comes at
// the same moment share the transaction; one that fails is run again by itself.
import type { Settled } from '../../../../../lib/batcher'
import { boundedQueue } from '../../../../../lib/semaphore'
import { second } from '../../../../../lib/time'
import { createTemplateCache, type TemplateCache } from '../../../../../liquid/cache'
import { TooCostly } from '../../../../../liquid/costly'
import { type Context, inTransaction } from '../../../../../platform/context'
import { enqueueMany } from '../../../../../platform/jobs/enqueue'
import { Snooze } from '../../../../../platform/jobs/outcome'
import { perContext } from '../../../../../platform/per-context'
import { because } from '../../../../../platform/transports/reason'
import { createEmails, findExcesses, isOwnSimulator, type NewEmail } from '../../../../sending/emails'
import { workflowKinds } from '../../kinds'
import { isActive, type Signal } from '../engine'
import { deleteTimers, insertTimers, type Timer } from '../queries/active'
import { insertCalls } from '../queries/calls'
import { type ExecutionAt, type HeldExecution, holdExecutions, saveExecutions } from '../queries/executions'
import { finishRecords, insertRecords, type StepRecord } from '../queries/records'
import { batchJobs, makeSharedWork } from './shared-work'
import { makeSnapshotStore, type SnapshotStore } from './snapshot-store'
import { type ExecutionRun, savedOf, takeSteps } from './take-steps'

interface Tools {
  cache: TemplateCache
  snapshots: SnapshotStore
}

/** Compiled templates and snapshots of this instance's workflows. */
const toolsOf = perContext<Tools>(() => ({ cache: createTemplateCache(), snapshots: makeSnapshotStore() }))

export type Advance = (at: ExecutionAt) => Promise<void>

/** For the jobs of an instance: an execution was started or resumed, or its timer has run out. Throws Snooze where it has not. */
export function makeAdvancing(ctx: Context): Advance {
  const advance = batchJobs<ExecutionAt>(batch => advanceBatch(ctx, batch, false))
  const advanceCostly = costlyQueue(ctx)
  return async at => {
    try {
      await advance(at)
    } catch (error) {
      if (!(error instanceof TooCostly)) throw error
      await advanceCostly(at)
    }
  }
}

/**
 * Executions that render something costly: few at once, those of one project one after another, and none occupies a job's place while it
 * waits.
 */
function costlyQueue(ctx: Context): Advance {
  const full = (): Snooze => new Snooze(Math.round((1 + ctx.random.fraction()) * second))
  const inTurn = boundedQueue<string>({ places: 2, maxPerKey: 2, full })
  return at => inTurn(at.projectId, () => advanceExecution(ctx, at.projectId, at.executionId, at.version))
}

/** Moves a single execution on, by itself. */
export async function advanceExecution(
  ctx: Context,
  projectId: string,
  executionId: string,
  version: number,
): Promise<void> {
  const [settled] = await advanceBatch(ctx, [{ projectId, executionId, version }], true)
  if (settled && 'error' in settled) throw settled.error
}

async function advanceBatch(
  ctx: Context,
  batch: readonly ExecutionAt[],
  hasTime: boolean,
): Promise<Settled<void>[]> {
  const early = await inTransaction(ctx, async tx => {
    const held = await holdExecutions(tx, batch)
    const called = held.map(execution => ({ execution, signal: signalOf(tx, execution) }))
    await moveAll(
      tx,
      toolsOf(ctx),
      called.flatMap(({ execution, signal }) =>
        signal instanceof Date || (execution.isInside && !signal) ? [] : [{ execution, signal }],
      ),
      hasTime,
    )
    return new Map(
      called.flatMap(({ execution: { id }, signal }) => (signal instanceof Date ? [[id, signal]] : [])),
    )
  })
  return batch.map(({ executionId }) => {
    const dueAt = early.get(executionId)
    return dueAt ? { error: new Snooze(dueAt) } : { value: undefined }
  })
}

/** The signal that the locked execution was called for; a moment if its time has not come: another machine's clock may be ahead. */
function signalOf(tx: Context, { status, wakeAt, received }: HeldExecution): Signal | Date | undefined {
  if (received) {
    const { name, data, receivedAt } = received
    return { kind: 'event', name, data, receivedAt: new Date(receivedAt) }
  }
  if (status !== 'WAITING' || !wakeAt) return undefined
  return wakeAt > tx.clock.now() ? wakeAt : { kind: 'timer' }
}

/** Stores the outcome of something that ran outside any transaction; false when the execution has moved on meanwhile. */
export async function settleStep(
  tx: Context,
  base: Context,
  at: ExecutionAt,
  signal: Signal,
): Promise<boolean> {
  const [execution] = await holdExecutions(tx, [at])
  if (!execution?.isInside) return false
  await moveAll(tx, toolsOf(base), [{ execution, signal }], true)
  return true
}

async function moveAll(
  tx: Context,
  { cache, snapshots }: Tools,
  called: ReadonlyArray<{ execution: HeldExecution; signal: Signal | undefined }>,
  hasTime: boolean,
): Promise<void> {
  if (called.length === 0) return
  const graphs = await snapshots.get(
    tx,
    called.map(({ execution: { projectId, snapshotId } }) => ({ projectId, snapshotId })),
  )
  const together = makeSharedWork(tx, called.length, hasTime)
  // At once, so that their statements are sent together.
  const runs = await allOf(
    called.map(async ({ execution, signal }) => {
      const snapshot = graphs.get(execution.snapshotId)
      if (!snapshot) throw new Error(`execution ${execution.id} has no snapshot`)
      return await takeSteps({ tx, together, cache, execution, snapshot }, signal)
    }),
  )
  await store(tx, runs)
}

/** All of them come to an end before an error is thrown: nothing may use the transaction when it is over. */
async function allOf<T>(works: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works)
  return await Promise.all(works)
}

/** Mail that billing does not allow is recorded but does not leave; its execution continues. */
async function withinLimits(tx: Context, mails: readonly NewEmail[]): Promise<NewEmail[]> {
  const due = mails.filter(mail => mail.status === 'PENDING')
  const excesses = await findExcesses(
    tx,
    due.map(({ projectId, sourceType, toEmail }) => ({
      ...{ projectId, sourceType },
      count: isOwnSimulator(toEmail) ? 0 : 1,
    })),
  )
  const refused = new Map(due.map((mail, index) => [mail, excesses[index]]))
  return mails.map(mail => {
    const excess = refused.get(mail)
    return excess ? { ...mail, status: 'FAILED', ...because('limit', { excess }) } : mail
  })
}

/** The records of the steps in which the executions were when they were locked, or of those that they have entered since. */
function recordsOf(runs: readonly ExecutionRun[], of: 'left' | 'entered'): StepRecord[] {
  return runs.flatMap(({ execution: { isInside, currentStepId }, records }) =>
    [...records.values()].filter(({ stepId }) => (isInside && stepId === currentStepId) === (of === 'left')),
  )
}

function timersOf(
  runs: readonly ExecutionRun[],
  timeOf: (run: ExecutionRun) => Date | null | undefined,
): Timer[] {
  return runs.flatMap(run => {
    const [{ id, projectId }, wakeAt] = [run.execution, timeOf(run)]
    return wakeAt ? [{ executionId: id, projectId, wakeAt }] : []
  })
}

/** Stores where they stand and everything that they asked for, each kind in one statement. */
async function store(tx: Context, runs: readonly ExecutionRun[]): Promise<void> {
  const calls = runs.flatMap(({ calls, state: { version } }) => calls.map(call => ({ ...call, version })))
  const mails = await withinLimits(
    tx,
    runs.flatMap(run => run.mails),
  )
  const timers = runs.filter(({ state }) => isActive(state.status) && state.wait?.until)
  await Promise.all([
    saveExecutions(tx, runs.map(savedOf)),
    insertRecords(tx, recordsOf(runs, 'entered')),
    finishRecords(tx, recordsOf(runs, 'left')),
    deleteTimers(
      tx,
      timersOf(runs, run => run.execution.wakeAt),
    ),
    insertTimers(
      tx,
      timersOf(runs, run => run.state.wait?.until),
    ),
    createEmails(tx, mails),
    calls.length > 0 ? insertCalls(tx, calls) : undefined,
    enqueueMany(
      tx,
      workflowKinds.webhook,
      calls.map(({ id, projectId }) => ({ args: { callId: id }, projectId })),
    ),
    enqueueMany(
      tx,
      workflowKinds.advance,
      timers.map(({ execution: { id, projectId }, state: { version, wait } }) => ({
        args: { executionId: id, version },
        projectId,
        runAt: wait!.until!,
      })),
    ),
  ])
}

// Starting executions: by event, by hand and by clock, all through one statement. The snapshot exists, and its events are listened for,
// before the execution is visible to anybody who might move it.
import {
  badRequest,
  conflict,
  type FieldError,
  invalid,
  notFound,
  shortBadRequest,
} from '../../../../../lib/errors'
import { type Context, inTransaction, newId } from '../../../../../platform/context'
import { enqueueMany } from '../../../../../platform/jobs/enqueue'
import { setListener } from '../../../../audience/events'
import { sendableTemplates } from '../../../../sending/templates'
import { entryOf } from '../../definition/graph'
import { lockWorkflow, type WorkflowRow } from '../../definition/queries/definitions'
import { selectGraph } from '../../definition/queries/graph'
import { waitedEvent } from '../../definition/references'
import { asGraph, workflowNotFound } from '../../definition/service/edit'
import { workflowKinds } from '../../kinds'
import { type Graph, maxHops, type Snapshot, type Values, workflowLimits } from '../../words'
import { insertExecutions, type StartedExecution } from '../queries/executions'
import { type ListedExecution, selectExecution } from '../queries/history'
import { holdContact } from '../queries/listening'
import { insertSnapshot, selectVersion } from '../queries/snapshots'

export interface ExecutionStart {
  contactId: string
  sourceEventId: string | null
  context: Values
  /** Hops of the event that it starts with; none where a person or the clock starts it. */
  hops?: number
}

/**
 * Starts the workflow for those contacts that may enter, and returns the recorded starts, refused ones included. The caller has locked
 * the workflow in this transaction.
 */
export async function startExecutions(
  tx: Context,
  workflow: WorkflowRow,
  starts: readonly ExecutionStart[],
): Promise<StartedExecution[]> {
  if (starts.length === 0) return []
  const { projectId, id: workflowId, allowReentry, maxStartsPerHour } = workflow
  const { snapshotId, entryId } = await ensureSnapshot(tx, workflow)
  const started = await insertExecutions(tx, {
    ...{ projectId, workflowId, allowReentry, maxStartsPerHour },
    limitRefusal: startsExceeded(maxStartsPerHour),
    snapshotId,
    stepId: entryId,
    starts: starts.map(({ hops = 0, ...start }) => {
      return { ...start, id: newId(tx), hops: Math.min(hops, maxHops + 1), refusal: loopRefusal(hops) }
    }),
  })
  if (entryId !== null)
    await enqueueMany(
      tx,
      workflowKinds.advance,
      started
        .filter(({ exitReason }) => exitReason === null)
        .map(({ id }) => ({ args: { executionId: id, version: 0 }, projectId })),
    )
  return started
}

function loopRefusal(hops: number): string | null {
  return hops > maxHops
    ? `Not started: ${maxHops} workflows have set each other off before this one, so this looks like a loop. Give one of them another trigger, or turn its allowReentry off`
    : null
}

function startsExceeded(limit: number): string {
  return `Not started: this workflow has been started ${limit} times for this contact within an hour, which is its maxStartsPerHour`
}

const maxTries = 10

interface Beginning {
  snapshotId: string
  /** The step that executions enter first; null if there is none. */
  entryId: string | null
}

/** The snapshot of the workflow as it is now. */
async function ensureSnapshot(tx: Context, workflow: WorkflowRow): Promise<Beginning> {
  const { projectId, id: workflowId } = workflow
  for (let tries = 0; tries < maxTries; tries++) {
    const version = await selectVersion(tx, projectId, workflowId)
    if (!version) break
    const { stamp, snapshotId, triggerId } = version
    if (snapshotId !== null) return { snapshotId, entryId: triggerId }
    const made = await makeSnapshot(tx, workflow, stamp)
    if (made) return made
  }
  throw new Error(`no snapshot of workflow ${workflowId} could be made: it changed all the time`)
}

/** Undefined when the workflow or a template changed while it was read. */
async function makeSnapshot(
  tx: Context,
  workflow: WorkflowRow,
  stamp: string,
): Promise<Beginning | undefined> {
  const { projectId, id: workflowId } = workflow
  const current = await lockWorkflow(tx, projectId, workflowId, 'change')
  if (!current) return undefined
  const graph = asGraph(await selectGraph(tx, projectId, workflowId))
  const ids = [...new Set(graph.steps.flatMap(step => step.templateId ?? []))]
  const templates = await sendableTemplates(tx, projectId, ids)
  if ((await selectVersion(tx, projectId, workflowId))?.stamp !== stamp) return undefined
  const snapshot: Snapshot = { ...graph, workflowName: current.name, templates }
  const id = newId(tx)
  if (!(await insertSnapshot(tx, { id, projectId, workflowId, stamp, graph: snapshot }))) return undefined
  await setListener(tx, projectId, id, waitedEvents(graph))
  return { snapshotId: id, entryId: entryOf(graph)?.id ?? null }
}

function waitedEvents({ steps }: Graph): string[] {
  return steps.flatMap(step => waitedEvent(step) ?? [])
}

export interface ManualStart {
  contactId?: string
  context?: Values | null
}

/** Starts an execution by hand, whatever the trigger; throws 404, 400 or 409 where that is not possible. */
export async function startExecution(
  ctx: Context,
  projectId: string,
  workflowId: string,
  { contactId, context }: ManualStart,
): Promise<ListedExecution> {
  if (!contactId) throw shortBadRequest('Contact ID is required')
  const faults = contextFaults(context ?? {})
  if (faults.length > 0) throw invalid(faults)
  return await inTransaction(ctx, async tx => {
    const workflow = await lockWorkflow(tx, projectId, workflowId, 'use')
    if (!workflow) throw workflowNotFound(workflowId)
    if (!workflow.enabled) throw badRequest('Workflow is not enabled')
    if (!(await holdContact(tx, projectId, contactId)))
      throw notFound('Contact', contactId, 'CONTACT_NOT_FOUND')
    const [started] = await startExecutions(tx, workflow, [
      { contactId, sourceEventId: null, context: context ?? {} },
    ])
    if (started?.exitReason) throw conflict(started.exitReason)
    if (!started)
      throw conflict(
        workflow.allowReentry
          ? 'An execution of this workflow is already running for this contact'
          : 'This workflow does not allow re-entry, and this contact has been in it before',
      )
    return (await selectExecution(tx, projectId, workflowId, started.id))!
  })
}

export function contextFaults(context: Values): FieldError[] {
  const text = JSON.stringify(context)
  if (Buffer.byteLength(text) <= workflowLimits.contextBytes) return []
  const message = `Must be at most ${workflowLimits.contextBytes} bytes as JSON`
  return [{ field: 'context', message, code: 'too_big' }]
}

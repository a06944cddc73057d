// Workflows themselves: creating, changing, copying. What a workflow listens for, and when its schedule ticks next, changes in
// the transaction that changes the definition.
import { differing, isEmpty } from '../../../../../lib/differing'
import { conflict, invalid, shortBadRequest } from '../../../../../lib/errors'
import { type Context, inTransaction, newId } from '../../../../../platform/context'
import { anyChange, type LiveRule } from '../../../../accounts/projects'
import { requireAwaitable, setListener } from '../../../../audience/events'
import { holdSegment } from '../../../segments'
import { countActive } from '../../runs/queries/counts'
import { enqueueRun } from '../../runs/service/schedule'
import { defaultStartsPerHour } from '../../words'
import { toWorkflow } from '../answer-model'
import type { CreateBody, UpdateBody } from '../model'
import {
  insertWorkflow,
  lockWorkflow,
  updateWorkflowRow,
  type WorkflowChange,
  type WorkflowRow,
} from '../queries/definitions'
import {
  insertSteps,
  insertTransitions,
  isEnabled,
  type StepRow,
  selectGraph,
  updateStepRow,
} from '../queries/graph'
import { nextRun, readTrigger, storedTrigger, type Trigger } from '../trigger'
import { refreshReferences, workflowNotFound } from './edit'
import { requireRevision } from './save-graph'

/** A new workflow is disabled and starts with an event; it has a step that represents this start. */
export async function createWorkflow(
  ctx: Context,
  projectId: string,
  body: CreateBody,
): Promise<WorkflowRow> {
  const name = body.name?.trim()
  const eventName = body.eventName?.trim()
  if (!name) throw shortBadRequest('Name is required')
  if (!eventName) throw shortBadRequest('Event name is required')
  const reading = readTrigger('EVENT', { eventName })
  if ('faults' in reading) throw invalid(reading.faults.map(fault => ({ ...fault, field: 'eventName' })))
  const recorded = reading.trigger.type === 'EVENT' ? reading.trigger.eventName : eventName
  return await inTransaction(ctx, async tx => {
    await requireAwaitable(tx, projectId, [{ name: recorded, field: 'eventName' }])
    const workflow: WorkflowRow = {
      ...blank(tx, projectId),
      name,
      description: body.description ?? null,
      triggerType: 'EVENT',
      triggerConfig: reading.config,
      eventName: recorded,
      allowReentry: body.allowReentry ?? false,
      maxStartsPerHour: body.maxStartsPerHour ?? defaultStartsPerHour,
      includeBulkChanges: body.includeBulkChanges ?? false,
    }
    await insertWorkflow(tx, workflow)
    await insertSteps(tx, [triggerStep(tx, workflow)])
    await refreshReferences(tx, workflow)
    return workflow
  })
}

function blank(ctx: Context, projectId: string) {
  const now = ctx.clock.now()
  return {
    id: newId(ctx),
    projectId,
    enabled: false,
    revision: 0,
    nextRunAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

function triggerStep(ctx: Context, workflow: WorkflowRow): StepRow {
  const { projectId, id: workflowId, createdAt } = workflow
  return {
    ...{ id: newId(ctx), projectId, workflowId, type: 'TRIGGER', position: { x: 100, y: 100 } },
    ...triggerFace(storedTrigger(workflow.triggerType, workflow.triggerConfig)),
    ...{ templateId: null, createdAt, updatedAt: createdAt },
  }
}

/** Name and configuration of the step that represents a trigger. */
function triggerFace(trigger: Trigger): Pick<StepRow, 'name' | 'config'> {
  switch (trigger.type) {
    case 'EVENT':
      return { name: `Trigger: ${trigger.eventName}`, config: { eventName: trigger.eventName } }
    case 'MANUAL':
      return { name: 'Trigger: manual', config: {} }
    case 'SCHEDULE':
      return { name: `Trigger: ${trigger.cron}`, config: { cron: trigger.cron, timezone: trigger.timezone } }
  }
}

/** Changes a workflow. 409 for another trigger while it is enabled and something runs. */
export async function updateWorkflow(
  ctx: Context,
  projectId: string,
  id: string,
  given: UpdateBody,
  rule: LiveRule = anyChange,
): Promise<WorkflowRow> {
  if (given.name?.trim() === '')
    throw invalid([{ field: 'name', message: 'Must not be empty', code: 'too_small' }])
  return await inTransaction(ctx, async tx => {
    // To turn one off is no reason to ask who may send.
    const isLive = async () =>
      given.enabled !== false && (given.enabled || (await isEnabled(tx, projectId, id)))
    await rule(tx, { isLive, turnsOn: true })
    const before = await lockWorkflow(tx, projectId, id, 'change')
    if (!before) throw workflowNotFound(id)
    const { revision, ...members } = given
    requireRevision(before, revision)
    const body = differing(members, toWorkflow(before), [['triggerType', 'triggerConfig']])
    if (isEmpty(body)) return before
    const trigger = await readChange(tx, before, body)
    const enabled = body.enabled ?? before.enabled
    const change: WorkflowChange = {
      ...{ name: body.name?.trim(), description: body.description, allowReentry: body.allowReentry, enabled },
      ...{ maxStartsPerHour: body.maxStartsPerHour, includeBulkChanges: body.includeBulkChanges },
      ...(trigger
        ? { triggerType: trigger.type, triggerConfig: trigger.config, eventName: trigger.eventName }
        : {}),
      // Its name is part of what webhooks send.
      revision: before.revision + 1,
    }
    const isRestarted = trigger !== undefined || enabled !== before.enabled
    if (isRestarted) change.nextRunAt = firstRun(tx, { ...before, ...change, enabled })
    const after = (await updateWorkflowRow(tx, projectId, id, change))!
    await follow(tx, after, trigger !== undefined)
    if (isRestarted && after.nextRunAt) await enqueueRun(tx, after, after.nextRunAt)
    return after
  })
}

interface TriggerChange {
  type: WorkflowRow['triggerType']
  config: WorkflowRow['triggerConfig']
  eventName: string | null
}

/** The new trigger that a body asks for, or undefined; 409 and 422 where it can't be had. */
async function readChange(
  tx: Context,
  before: WorkflowRow,
  body: UpdateBody,
): Promise<TriggerChange | undefined> {
  const { projectId, id } = before
  if (body.triggerType === undefined && body.triggerConfig === undefined) return undefined
  const active = before.enabled ? await countActive(tx, projectId, id) : 0
  if (active > 0)
    throw conflict(
      `The trigger cannot be changed: the workflow is enabled and has ${active} active execution(s)`,
    )
  const type = body.triggerType ?? before.triggerType
  const isOther = type !== before.triggerType
  const reading = readTrigger(type, body.triggerConfig ?? (isOther ? null : before.triggerConfig))
  if ('faults' in reading) throw invalid(reading.faults)
  const { trigger, config } = reading
  if (trigger.type === 'SCHEDULE') await checkSchedule(tx, projectId, trigger)
  if (trigger.type === 'EVENT' && trigger.eventName !== before.eventName)
    await requireAwaitable(tx, projectId, [{ name: trigger.eventName, field: 'triggerConfig.eventName' }])
  return { type, config, eventName: trigger.type === 'EVENT' ? trigger.eventName : null }
}

/** Checks what only the clock and the database know about a schedule: that it ever comes up, and that its segment exists. */
async function checkSchedule(
  tx: Context,
  projectId: string,
  trigger: Trigger & { type: 'SCHEDULE' },
): Promise<void> {
  if (!nextRun(trigger, tx.clock.now()))
    throw invalid([{ field: 'triggerConfig.cron', message: 'Never matches', code: 'invalid_string' }])
  if (trigger.segmentId) await holdSegment(tx, projectId, trigger.segmentId)
}

function firstRun(
  ctx: Context,
  { enabled, triggerType, triggerConfig }: Pick<WorkflowRow, 'enabled' | 'triggerType' | 'triggerConfig'>,
): Date | null {
  const trigger = storedTrigger(triggerType, triggerConfig)
  if (!enabled || trigger.type !== 'SCHEDULE') return null
  return nextRun(trigger, ctx.clock.now()) ?? null
}

/** Updates what depends on the definition: the trigger step, the references, and the event that is listened for. */
async function follow(tx: Context, workflow: WorkflowRow, isNewTrigger: boolean): Promise<void> {
  const { projectId, id, enabled, eventName } = workflow
  await setListener(tx, projectId, id, enabled && eventName !== null ? [eventName] : [])
  if (!isNewTrigger) return
  const { steps } = await selectGraph(tx, projectId, id)
  const step = steps.find(each => each.type === 'TRIGGER')
  const face = triggerFace(storedTrigger(workflow.triggerType, workflow.triggerConfig))
  if (step) await updateStepRow(tx, step, face)
  await refreshReferences(tx, workflow)
}

/** Makes a copy with its own steps, disabled. */
export async function duplicateWorkflow(ctx: Context, projectId: string, id: string): Promise<WorkflowRow> {
  return await inTransaction(ctx, async tx => {
    const original = await lockWorkflow(tx, projectId, id, 'change')
    if (!original) throw workflowNotFound(id)
    const graph = await selectGraph(tx, projectId, id)
    const copy: WorkflowRow = { ...original, ...blank(tx, projectId), name: copyName(original.name) }
    await insertWorkflow(tx, copy)
    const own = { workflowId: copy.id, createdAt: copy.createdAt, updatedAt: copy.updatedAt }
    const ids = new Map(graph.steps.map(step => [step.id, newId(tx)]))
    await insertSteps(
      tx,
      graph.steps.map(step => ({ ...step, ...own, id: ids.get(step.id)! })),
    )
    await insertTransitions(
      tx,
      graph.transitions.map(edge => ({
        ...edge,
        ...own,
        id: newId(tx),
        fromStepId: ids.get(edge.fromStepId)!,
        toStepId: ids.get(edge.toStepId)!,
      })),
    )
    await refreshReferences(tx, copy)
    return copy
  })
}

const maxNameLength = 100

function copyName(name: string): string {
  const suffix = ' (Copy)'
  return `${name.slice(0, maxNameLength - suffix.length).toWellFormed()}${suffix}`
}

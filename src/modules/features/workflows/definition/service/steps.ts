// Adding, changing and removing steps. A saved step has a valid configuration or none (`{}`), and names only what the project has.
import { differing, isEmpty, requireFixed } from '../../../../../lib/differing'
import { badRequest, conflict, invalid, notFound, shortBadRequest } from '../../../../../lib/errors'
import { type Context, newId } from '../../../../../platform/context'
import type { LiveRule } from '../../../../accounts/projects'
import { holdTopic, holdTopics, requireOffered } from '../../../../audience/topics'
import { holdSegment, requireComparable } from '../../../segments'
import { type StepType, type Values, workflowLimits } from '../../words'
import { autoSource, spliceOf, stepOf } from '../graph'
import type { StepBody, StepPatch } from '../model'
import {
  deleteStepRow,
  holdTemplate,
  insertSteps,
  insertTransitions,
  retargetTransitions,
  type StepRow,
  selectGraph,
  updateStepRow,
} from '../queries/graph'
import { askedBy, segmentsAskedFor, topicNamed, topicsAskedFor } from '../references'
import { configFaults } from '../steps'
import { asGraph, changeGraph, editGraph, type Held, requirement, requireStep } from './edit'
import { refuseBrokenTexts } from './syntax'

/** Adds a step and, where that is asked for or obvious, the edge that leads to it. */
export async function addStep(
  ctx: Context,
  projectId: string,
  workflowId: string,
  body: StepBody,
  rule?: LiveRule,
): Promise<StepRow> {
  const { type, name, config = {} } = body
  const position = typeof body.position === 'object' ? body.position : { x: 0, y: 0 }
  if (!type || !name?.trim()) throw shortBadRequest(requirement({ Type: type, Name: name?.trim() }))
  refuseConfig(type, config)
  await refuseBrokenTexts(projectId, [{ step: { type, name, config }, path: '' }])
  const add = async (tx: Context, held: Held): Promise<StepRow> => {
    if (type === 'TRIGGER') throw badRequest('This workflow already has a trigger step')
    if (held.graph.steps.length >= workflowLimits.steps)
      throw badRequest(`A workflow has at most ${workflowLimits.steps} steps`)
    const templateId = chosenTemplate(type, config, body.templateId) ?? null
    await holdNamed(tx, projectId, { type, config, templateId })
    const now = tx.clock.now()
    const step = {
      id: newId(tx),
      projectId,
      workflowId,
      type,
      name,
      position,
      config,
      templateId,
      createdAt: now,
      updatedAt: now,
    }
    await insertSteps(tx, [step])
    await connect(tx, held, step, body.autoConnect)
    return step
  }
  return await editGraph(ctx, projectId, workflowId, add, rule)
}

async function connect(tx: Context, held: Held, step: StepRow, asked: boolean | undefined): Promise<void> {
  const source = autoSource(asGraph(held.graph), asked)
  if (!source || held.graph.transitions.length >= workflowLimits.transitions) return
  const { projectId, workflowId, createdAt } = step
  const edge = {
    id: newId(tx),
    projectId,
    workflowId,
    fromStepId: source.id,
    toStepId: step.id,
    branch: null,
    waitOutcome: null,
  }
  await insertTransitions(tx, [{ ...edge, priority: 0, automatic: true, createdAt, updatedAt: createdAt }])
}

function refuseConfig(type: StepType, config: Values): void {
  const faults = configFaults(type, config)
  if (faults.length > 0) throw invalid(faults)
}

/** The template of a step is given next to its configuration; if not, one inside the configuration counts. Undefined changes nothing. */
function chosenTemplate(
  type: StepType,
  config: Values | undefined,
  given: string | null | undefined,
): string | null | undefined {
  if (given !== undefined) return given?.toLowerCase() ?? null
  const inside = type === 'SEND_EMAIL' ? config?.['templateId'] : undefined
  return typeof inside === 'string' ? inside.toLowerCase() : undefined
}

/**
 * Protects what the step names from being deleted; 404 where something is missing, 400 for a topic that is new to it and archived, and for a
 * text that is no date beside a field of dates.
 */
async function holdNamed(
  tx: Context,
  projectId: string,
  step: { type: StepType; config: Values; templateId: string | null },
  before?: StepRow,
): Promise<void> {
  const { templateId } = step
  if (templateId !== null && !(await holdTemplate(tx, projectId, templateId)))
    throw notFound('Template', templateId, 'TEMPLATE_NOT_FOUND')
  for (const segmentId of segmentsAskedFor(step).sort()) await holdSegment(tx, projectId, segmentId)
  await holdTopics(tx, projectId, topicsAskedFor(step))
  const asked = askedBy(step)
  if (asked) await requireComparable(tx, projectId, asked)
  const topicId = topicNamed(step)
  if (topicId === undefined || (before && topicNamed(before) === topicId)) return
  await holdTopic(tx, projectId, topicId)
  await requireOffered(tx, projectId, topicId)
}

export async function updateStep(
  ctx: Context,
  projectId: string,
  workflowId: string,
  stepId: string,
  { type, ...given }: StepPatch,
  rule?: LiveRule,
): Promise<StepRow> {
  let result: StepRow | undefined
  await refuseBrokenPatch(ctx, projectId, { workflowId, stepId, config: given.config })
  const change = async (tx: Context, { graph }: Held): Promise<boolean> => {
    const step = requireStep(graph, stepId)
    requireFixed({ type }, step)
    const patch = differing(given, step)
    result = step
    if (isEmpty(patch)) return false
    const { name, position, config } = patch
    if (step.type === 'TRIGGER' && (config !== undefined || patch.templateId !== undefined))
      throw badRequest('The trigger step follows the workflow; change its triggerConfig instead')
    if (name?.trim() === '')
      throw invalid([{ field: 'name', message: 'Must not be empty', code: 'too_small' }])
    if (config !== undefined) refuseConfig(step.type, config)
    const templateId = chosenTemplate(step.type, config, patch.templateId)
    const named = { type: step.type, config: config ?? {}, templateId: templateId ?? null }
    await holdNamed(tx, projectId, named, step)
    result = await updateStepRow(tx, step, { name, position, config, templateId })
    if (!result) throw conflict('This step was deleted in the meantime')
    return true
  }
  await changeGraph(ctx, projectId, workflowId, change, rule)
  return result!
}

async function refuseBrokenPatch(
  ctx: Context,
  projectId: string,
  { workflowId, stepId, config }: { workflowId: string; stepId: string; config: Values | undefined },
): Promise<void> {
  if (!config) return
  const stored = await selectGraph(ctx, projectId, workflowId)
  const step = stored.steps.find(({ id }) => id === stepId.toLowerCase())
  if (step && !Bun.deepEquals(step.config, config))
    await refuseBrokenTexts(projectId, [{ step: { ...step, config }, path: '' }])
}

/** Removes a step and its edges; `splice` connects the steps before it to the step after it. */
export async function removeStep(
  ctx: Context,
  projectId: string,
  workflowId: string,
  stepId: string,
  splice: boolean,
  rule?: LiveRule,
): Promise<void> {
  const remove = async (tx: Context, { graph }: Held): Promise<void> => {
    const { id, type } = requireStep(graph, stepId)
    if (type === 'TRIGGER') throw badRequest('Cannot delete the trigger step; it belongs to the workflow')
    if (splice) await spliceOut(tx, projectId, workflowId, graph, id)
    await deleteStepRow(tx, projectId, workflowId, id)
  }
  await editGraph(ctx, projectId, workflowId, remove, rule)
}

async function spliceOut(
  tx: Context,
  projectId: string,
  workflowId: string,
  stored: Held['graph'],
  stepId: string,
): Promise<void> {
  const graph = asGraph(stored)
  const plan = spliceOf(graph, stepOf(graph, stepId)!)
  if ('refused' in plan) throw badRequest(plan.refused)
  if (plan.to !== undefined) await retargetTransitions(tx, projectId, workflowId, plan.retarget, plan.to)
}

// Replaces the graph of a workflow as a whole: either all faults are reported at once, or one transaction stores what was sent.
import { conflict, type FieldError, invalid } from '../../../../../lib/errors'
import { type Context, newId } from '../../../../../platform/context'
import type { LiveRule } from '../../../../accounts/projects'
import { holdTopics, listTopics } from '../../../../audience/topics'
import { holdSegment, requireComparable } from '../../../segments'
import type { CanvasPosition, Graph } from '../../words'
import { edgeKey, type GraphBody, graphFaults, readGraph } from '../graph-model'
import {
  deleteStepRows,
  deleteTransitions,
  holdTemplates,
  insertTransitions,
  type StepRow,
  type StoredGraph,
  selectGraph,
  type TransitionRow,
  upsertSteps,
} from '../queries/graph'
import { askedBy, segmentsAskedFor, topicNamed, topicsAskedFor } from '../references'
import { asGraph, changeGraph, type Held } from './edit'
import { refuseBrokenGraph } from './syntax'

export async function saveGraph(
  ctx: Context,
  projectId: string,
  workflowId: string,
  body: GraphBody,
  rule?: LiveRule,
): Promise<void> {
  const graph = readGraph(body)
  await refuseBrokenGraph(projectId, graph, await selectGraph(ctx, projectId, workflowId))
  const change = async (tx: Context, held: Held): Promise<boolean> => {
    requireRevision(held.workflow, body.revision)
    const faults = graphFaults(graph, asGraph(held.graph))
    if (faults.length > 0) throw invalid(faults)
    const positions = new Map(body.steps.map(({ id, position }) => [id.toLowerCase(), position]))
    const steps = changedSteps(tx, held, graph, positions)
    await holdWhatIsNamed(tx, projectId, graph, steps)
    await holdNewTopics(tx, held, graph)
    const gone = held.graph.steps.filter(step => graph.steps.every(({ id }) => id !== step.id))
    const edges = changedEdges(tx, held, graph)
    await deleteTransitions(tx, projectId, workflowId, edges.gone)
    await deleteStepRows(tx, projectId, workflowId, idsOf(gone))
    await upsertSteps(tx, steps)
    await insertTransitions(tx, edges.added)
    return steps.length + gone.length + edges.gone.length + edges.added.length > 0
  }
  await changeGraph(ctx, projectId, workflowId, change, rule)
}

const idsOf = (rows: ReadonlyArray<{ id: string }>): string[] => rows.map(({ id }) => id)

/** 409 where somebody else has changed the workflow since it was read. */
export function requireRevision(workflow: { revision: number }, asked: number | undefined): void {
  if (asked === undefined || asked === workflow.revision) return
  throw conflict('The workflow has been changed by somebody else meanwhile', {
    details: { revision: workflow.revision },
    suggestion: 'Read it again, and send the change with its current revision.',
  })
}

/** Rows of steps that are new or differ from what is stored; of the trigger step only the position changes. */
function changedSteps(
  tx: Context,
  { workflow, graph: stored }: Held,
  graph: Graph,
  positions: ReadonlyMap<string, CanvasPosition | undefined>,
): StepRow[] {
  const known = new Map(stored.steps.map(step => [step.id, step]))
  const now = tx.clock.now()
  const blank = { projectId: workflow.projectId, workflowId: workflow.id, createdAt: now }
  return graph.steps.flatMap(step => {
    const before = known.get(step.id)
    const position = positions.get(step.id) ?? before?.position ?? { x: 0, y: 0 }
    const row =
      before?.type === 'TRIGGER'
        ? { ...before, position }
        : { ...(before ?? blank), ...step, position, updatedAt: now }
    return before && isSame(before, row) ? [] : [{ ...row, updatedAt: now }]
  })
}

function isSame(before: StepRow, { name, config, templateId, position }: StepRow): boolean {
  return (
    before.name === name &&
    before.templateId === templateId &&
    Bun.deepEquals([before.config, before.position], [config, position])
  )
}

/** Edges that stay keep their rows; everything that an editor sends counts as asked for, so none of it yields automatically later. */
function changedEdges(
  tx: Context,
  { workflow, graph: stored }: Held,
  graph: Graph,
): { gone: string[]; added: TransitionRow[] } {
  const known = new Map(stored.transitions.map(edge => [edgeKey(edge), edge]))
  const now = tx.clock.now()
  const stays = new Set<StoredGraph['transitions'][number]>()
  const added = graph.transitions.flatMap(edge => {
    const before = known.get(edgeKey(edge))
    if (before && before.priority === edge.priority) {
      stays.add(before)
      return []
    }
    const { projectId, id: workflowId } = workflow
    return [{ ...edge, id: newId(tx), projectId, workflowId, createdAt: now, updatedAt: now }]
  })
  return { gone: idsOf(stored.transitions.filter(edge => !stays.has(edge))), added }
}

/**
 * Protects the templates and segments that changed steps name from being deleted; each that is missing is a fault of its step. 400 for a text
 * that is no date beside a field of dates.
 */
async function holdWhatIsNamed(tx: Context, projectId: string, graph: Graph, rows: StepRow[]): Promise<void> {
  const templateIds = rows.flatMap(({ templateId }) => templateId ?? [])
  const held = templateIds.length > 0 ? await holdTemplates(tx, projectId, templateIds) : new Set<string>()
  const missing = rows.filter(({ templateId }) => templateId !== null && !held.has(templateId))
  if (missing.length > 0)
    throw invalid(
      missing.map(({ id }) => ({
        field: `steps.${graph.steps.findIndex(step => step.id === id)}.templateId`,
        message: 'There is no such template',
        code: 'custom',
      })),
    )
  const segmentIds = new Set(rows.flatMap(segmentsAskedFor))
  for (const segmentId of [...segmentIds].sort()) await holdSegment(tx, projectId, segmentId)
  await holdTopics(tx, projectId, rows.flatMap(topicsAskedFor))
  for (const asked of rows.map(askedBy)) if (asked) await requireComparable(tx, projectId, asked)
}

/** The same for topics that were not named before; what is archived can't be named anew. */
async function holdNewTopics(tx: Context, { workflow, graph: stored }: Held, graph: Graph): Promise<void> {
  const { projectId } = workflow
  const before = new Map(stored.steps.map(step => [step.id, topicNamed(step)]))
  const named = graph.steps.flatMap((step, index) => {
    const topicId = topicNamed(step)
    return topicId === undefined || before.get(step.id) === topicId ? [] : [{ topicId, index }]
  })
  if (named.length === 0) return
  const known = new Map((await listTopics(tx, projectId)).map(topic => [topic.id, topic]))
  const faults = named.flatMap(({ topicId, index }): FieldError[] => {
    const topic = known.get(topicId)
    if (topic && topic.archivedAt === null) return []
    const message = topic ? 'The topic is archived' : 'There is no such topic'
    return [{ field: `steps.${index}.config.topicId`, message, code: 'custom' }]
  })
  if (faults.length > 0) throw invalid(faults)
  await holdTopics(
    tx,
    projectId,
    named.map(each => each.topicId),
  )
}

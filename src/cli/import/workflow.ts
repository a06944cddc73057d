// Makes a workflow from one of a program with the same kind of graph: its steps and transitions get new ids, and it is off until somebody
// switches it on.
import {
  createWorkflow,
  getWholeWorkflow,
  type StepType,
  saveGraph,
  stepTypes,
  updateWorkflow,
} from '../../modules/features/workflows'
import { type Context, newId } from '../../platform/context'
import { type Answered, answeredText, listOf, objectOf } from './answered'
import { type KnownContent, notTaken } from './known-content'
import type { ContentItem } from './record'

type Given = Extract<ContentItem, { kind: 'workflow' }>

/** Throws AppError for whatever could not be saved by hand either. */
export async function makeWorkflow(
  tx: Context,
  projectId: string,
  { graph, eventName, description, allowReentry, trigger }: Given,
  name: string,
  known: KnownContent,
): Promise<string> {
  const body = { name, description, eventName: eventName || 'not.yet', allowReentry }
  const { id } = await createWorkflow(tx, projectId, body)
  if (trigger) await updateWorkflow(tx, projectId, id, trigger as never)
  const whole = await getWholeWorkflow(tx, projectId, id)
  const start = whole.graph.steps[0]!
  const ids = new Map<string, string>()
  for (const step of listOf(graph['steps']))
    ids.set(answeredText(step['id']), step['type'] === 'TRIGGER' ? start.id : newId(tx))
  const steps = listOf(graph['steps']).map(step => ({
    ...{ id: ids.get(answeredText(step['id']))!, type: typeOf(step) },
    ...{ name: answeredText(step['name']).slice(0, 300), position: positionOf(step['position']) },
    ...configOf(step, known),
  }))
  await saveGraph(tx, projectId, id, { steps, transitions: transitionsOf(graph, ids) })
  return id
}

function typeOf({ type }: Answered): StepType {
  const known = stepTypes.find(each => each === type)
  if (!known) throw notTaken(`there is no step of the type ${JSON.stringify(type)}`)
  return known
}

/** The template that a step sends with goes by another id here. */
function configOf(step: Answered, known: KnownContent) {
  const { templateId: inside, ...config } = objectOf(step['config'])
  const theirs =
    answeredText(step['templateId']) || answeredText(objectOf(step['template'])['id']) || answeredText(inside)
  if (theirs === '') return { config: config as never }
  return { config: config as never, templateId: known.requireKey('template', theirs) }
}

function positionOf(given: unknown): { x: number; y: number } {
  const { x, y } = objectOf(given)
  return { x: typeof x === 'number' ? x : 0, y: typeof y === 'number' ? y : 0 }
}

/** Listed for the whole graph, or with the steps that they lead away from. */
function transitionsOf(graph: Answered, ids: ReadonlyMap<string, string>) {
  const given = Array.isArray(graph['transitions'])
    ? listOf(graph['transitions'])
    : listOf(graph['steps']).flatMap(step => listOf(step['outgoingTransitions']))
  const idOf = (id: unknown): string => ids.get(answeredText(id)) ?? answeredText(id)
  return given.map(edge => {
    const branch = answeredText(edge['branch']) || answeredText(objectOf(edge['condition'])['branch'])
    const outcome = answeredText(edge['waitOutcome'])
    return {
      ...{ fromStepId: idOf(edge['fromStepId']), toStepId: idOf(edge['toStepId']) },
      ...{ branch: branch || null, waitOutcome: (outcome || null) as never },
      priority: typeof edge['priority'] === 'number' ? edge['priority'] : 0,
    }
  })
}

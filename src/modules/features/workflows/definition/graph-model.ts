// A graph that is sent as a whole: saved at once by an editor, or tried out without being saved.
import { type Static, Type } from '@sinclair/typebox'
import { answeredId } from '../../../../lib/answered'
import { oneOfWords } from '../../../../lib/described'
import { freeForm } from '../../../../lib/free-form'
import { stepTypes, waitOutcomes, workflowLimits } from '../words'
import { stepConfig } from './step-schema'

const uuid = Type.String({ format: 'uuid' })
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

/**
 * Steps keep their ids; an id that the workflow does not have yet makes a new step. Steps are ordered by their ids, which are UUID v7.
 */
const graphStep = Type.Object({
  id: Type.String({
    format: 'uuid',
    description: 'One that the workflow does not have yet is that of a new step; UUID v7 keeps their order',
  }),
  type: oneOfWords(stepTypes),
  name: Type.String({ maxLength: 300 }),
  position: Type.Optional(
    Type.Object({
      x: Type.Number({ minimum: -1e7, maximum: 1e7 }),
      y: Type.Number({ minimum: -1e7, maximum: 1e7 }),
    }),
  ),
  config: Type.Optional(stepConfig),
  templateId: Type.Optional(nullable(uuid)),
})

const graphTransition = Type.Object({
  fromStepId: uuid,
  toStepId: uuid,
  branch: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
  waitOutcome: Type.Optional(nullable(oneOfWords(waitOutcomes))),
  priority: Type.Optional(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })),
})

const graph = {
  steps: Type.Array(graphStep, { maxItems: workflowLimits.steps }),
  transitions: Type.Array(graphTransition, { maxItems: workflowLimits.transitions }),
}

export const revision = Type.Integer({
  minimum: 0,
  description: 'The revision that was read; 409 if it has changed since',
})

export const graphBody = Type.Object({ ...graph, revision: Type.Optional(revision) })
export const triedGraph = Type.Object(graph, { description: 'Instead of the graph that is saved' })

export interface SentGraph {
  steps: Array<Omit<Static<typeof graphStep>, 'type'> & { type: (typeof stepTypes)[number] }>
  transitions: Array<
    Omit<Static<typeof graphTransition>, 'waitOutcome'> & {
      waitOutcome?: (typeof waitOutcomes)[number] | null
    }
  >
}
export type GraphBody = SentGraph & { revision?: number }

/** The graph that an execution runs on. */
export const executionGraph = Type.Object(
  {
    steps: Type.Array(
      Type.Object({
        id: answeredId(),
        type: Type.String(),
        name: Type.String(),
        config: freeForm,
        templateId: nullable(answeredId()),
      }),
    ),
    transitions: Type.Array(
      Type.Object({
        id: answeredId(),
        fromStepId: answeredId(),
        toStepId: answeredId(),
        branch: nullable(Type.String()),
        waitOutcome: nullable(Type.String()),
      }),
    ),
  },
  { title: 'ExecutionGraph', description: 'As it was when the execution started' },
)

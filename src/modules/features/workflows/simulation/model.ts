// The request and the answer of a dry run.
import { type Static, Type } from '@sinclair/typebox'
import { answeredAddress, answeredId, answeredInstant, nullableInstant } from '../../../../lib/answered'
import { addressText } from '../../../../lib/described'
import { freeForm } from '../../../../lib/free-form'
import { type SentGraph, triedGraph } from '../definition/graph-model'
import { workflowWarnings } from '../definition/model'

const seconds = Type.Number({ minimum: 0, maximum: 400 * 86_400, description: 'Seconds after the start' })

export const simulateBody = Type.Object({
  contactId: Type.Optional(Type.String({ format: 'uuid', description: 'A contact of the project' })),
  contact: Type.Optional(
    Type.Object(
      {
        email: addressText(),
        subscribed: Type.Optional(Type.Boolean()),
        data: Type.Optional(freeForm),
      },
      { description: 'Somebody who need not exist' },
    ),
  ),
  context: Type.Optional(freeForm),
  graph: Type.Optional(triedGraph),
  events: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({ minLength: 1, maxLength: 255 }),
        after: seconds,
        data: Type.Optional(freeForm),
      }),
      { maxItems: 100, description: 'What happens to the contact meanwhile' },
    ),
  ),
})
export type SimulateBody = Omit<Static<typeof simulateBody>, 'graph'> & { graph?: SentGraph }

const text = Type.Union([Type.String(), Type.Null()])

export const simulationAnswer = Type.Object(
  {
    status: Type.String({ description: 'As of an execution; WAITING where it would wait for ever' }),
    exitReason: text,
    context: freeForm,
    contact: Type.Object({ email: answeredAddress(), subscribed: Type.Boolean(), data: freeForm }),
    startedAt: answeredInstant(),
    endedAt: answeredInstant({ description: 'On the simulated clock' }),
    steps: Type.Array(
      Type.Object({
        stepId: answeredId(),
        name: Type.String(),
        type: Type.String(),
        status: Type.String(),
        startedAt: answeredInstant(),
        completedAt: nullableInstant(),
        output: Type.Union([freeForm, Type.Null()]),
        error: text,
      }),
    ),
    warnings: workflowWarnings,
  },
  { title: 'Simulation' },
)
export type SimulationAnswer = Static<typeof simulationAnswer>

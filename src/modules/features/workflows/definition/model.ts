// Requests and answers of the workflow routes.
import { type Static, type TInteger, Type } from '@sinclair/typebox'
import { answeredId, answeredInstant } from '../../../../lib/answered'
import {
  cursorParameter,
  describedAs,
  describedWith,
  filterWord,
  oneOfWords,
  queryText,
} from '../../../../lib/described'
import { freeForm } from '../../../../lib/free-form'
import { offsetListOf, pageQuery, sortQuery } from '../../../../lib/paging'
import { maxNameLength } from '../../../audience/events'
import {
  defaultStartsPerHour,
  executionStatuses,
  startsPerHourCeiling,
  stepTypes,
  triggerTypes,
  waitOutcomes,
} from '../words'
import { revision } from './graph-model'
import { warningCodes } from './loops'
import { type WorkflowRow, workflowSortKeys } from './queries/definitions'
import type { StepRow, TransitionRow } from './queries/graph'
import { stepConfig, triggerConfig } from './step-schema'

const uuid = Type.String({ format: 'uuid' })
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

export const idParams = Type.Object({ id: uuid })
export const stepParams = Type.Object({ id: uuid, stepId: uuid })
export const transitionParams = Type.Object({ id: uuid, transitionId: uuid })
export const executionParams = Type.Object({ id: uuid, executionId: uuid })

export const listQuery = Type.Object({
  ...pageQuery,
  ...sortQuery(workflowSortKeys),
  search: Type.Optional(queryText(200, 'Part of name or description')),
  status: Type.Optional(filterWord(['active', 'disabled'], 'Only workflows in this state')),
})

export const fieldsQuery = Type.Object({
  eventName: Type.Optional(queryText(maxNameLength, 'Name of an event')),
})

export const executionQuery = Type.Object({
  ...pageQuery,
  cursor: Type.Optional(cursorParameter),
  status: Type.Optional(filterWord(executionStatuses, 'Only executions in this state')),
  contactId: Type.Optional(uuid),
  stepId: Type.Optional(
    Type.String({ format: 'uuid', description: 'Only active executions that are at this step' }),
  ),
})

const name = Type.String({ maxLength: 100 })
const description = nullable(Type.String({ maxLength: 500 }))
const maxStartsPerHour = Type.Integer({
  minimum: 1,
  maximum: startsPerHourCeiling,
  description: `Starts for one contact within an hour; ${defaultStartsPerHour} unless it is set`,
})

const includeBulkChanges = Type.Boolean({
  description:
    'Whether `contact.subscribed` and `contact.unsubscribed` of imported and bulk-changed contacts start it too; false unless it is set',
})

/** Name and event are optional here: a missing one gets the short form of error that the interface documents. */
export const createBody = describedWith(
  Type.Object({
    name: Type.Optional(name),
    eventName: Type.Optional(Type.String({ maxLength: 1_000 })),
    description: Type.Optional(description),
    enabled: Type.Optional(Type.Boolean({ description: 'A new workflow is off, whatever this says' })),
    allowReentry: Type.Optional(Type.Boolean()),
    maxStartsPerHour: Type.Optional(maxStartsPerHour),
    includeBulkChanges: Type.Optional(includeBulkChanges),
  }),
  'name',
  'eventName',
)
export type CreateBody = Static<typeof createBody>

export const updateBody = Type.Object({
  name: Type.Optional(name),
  description: Type.Optional(description),
  triggerType: Type.Optional(oneOfWords(triggerTypes)),
  triggerConfig: Type.Optional(nullable(triggerConfig)),
  enabled: Type.Optional(Type.Boolean()),
  allowReentry: Type.Optional(Type.Boolean()),
  maxStartsPerHour: Type.Optional(maxStartsPerHour),
  includeBulkChanges: Type.Optional(includeBulkChanges),
  revision: Type.Optional(revision),
})
export type UpdateBody = Omit<Static<typeof updateBody>, 'triggerType'> & {
  triggerType?: WorkflowRow['triggerType']
}

const position = Type.Object({
  x: Type.Number({ minimum: -1e7, maximum: 1e7 }),
  y: Type.Number({ minimum: -1e7, maximum: 1e7 }),
})

export const stepBody = describedWith(
  Type.Object({
    type: Type.Optional(oneOfWords(stepTypes)),
    name: Type.Optional(name),
    position: Type.Optional(
      Type.Union([position, Type.Number({ description: 'A place in a list; accepted and ignored' })]),
    ),
    config: Type.Optional(stepConfig),
    templateId: Type.Optional(nullable(uuid)),
    autoConnect: Type.Optional(
      Type.Boolean({ description: 'By default on as long as the steps form a plain chain' }),
    ),
  }),
  'type',
  'name',
)
export type StepBody = Omit<Static<typeof stepBody>, 'type'> & { type?: StepRow['type'] }

export const stepPatch = Type.Object({
  type: Type.Optional(oneOfWords(stepTypes, { description: "Can't be changed: 422 if it differs" })),
  name: Type.Optional(name),
  position: Type.Optional(position),
  config: Type.Optional(stepConfig),
  templateId: Type.Optional(nullable(uuid)),
})
export type StepPatch = Static<typeof stepPatch>

export const spliceQuery = Type.Object({
  splice: Type.Optional(
    filterWord(['true', 'false', '1', '0'], 'true or 1 connects the previous steps to the next step'),
  ),
})

/** An empty one is refused like any other that the CONDITION does not have. */
const branch = Type.String({ maxLength: 100 })

export const transitionBody = describedWith(
  Type.Object({
    fromStepId: Type.Optional(uuid),
    toStepId: Type.Optional(uuid),
    branch: Type.Optional(nullable(branch)),
    condition: Type.Optional(nullable(Type.Object({ branch: Type.Optional(branch) }))),
    waitOutcome: Type.Optional(nullable(oneOfWords(waitOutcomes))),
    priority: Type.Optional(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })),
  }),
  'fromStepId',
  'toStepId',
)
export type TransitionBody = Omit<Static<typeof transitionBody>, 'waitOutcome'> & {
  waitOutcome?: TransitionRow['waitOutcome']
}

export const startBody = describedWith(
  Type.Object({
    contactId: Type.Optional(uuid),
    context: Type.Optional(nullable(freeForm)),
  }),
  'contactId',
)

const date = answeredInstant()
const maybeDate = nullable(date)

const workflow = {
  id: answeredId(),
  name: Type.String(),
  description: nullable(Type.String()),
  enabled: Type.Boolean(),
  triggerType: describedAs(Type.String(), { title: 'TriggerType', ...oneOfWords(triggerTypes) }),
  triggerConfig: nullable(triggerConfig),
  allowReentry: Type.Boolean(),
  maxStartsPerHour: Type.Integer(),
  includeBulkChanges: Type.Boolean(),
  revision: Type.Integer({
    description: 'Moves with every change of the workflow, its steps and transitions',
  }),
  nextRunAt: maybeDate,
  projectId: answeredId(),
  createdAt: date,
  updatedAt: date,
}

const transition = {
  id: answeredId(),
  workflowId: answeredId(),
  fromStepId: answeredId(),
  toStepId: answeredId(),
  branch: nullable(Type.String()),
  condition: nullable(Type.Object({ branch: Type.String() })),
  waitOutcome: describedAs(nullable(Type.String()), nullable(oneOfWords(waitOutcomes))),
  priority: Type.Integer(),
  createdAt: date,
  updatedAt: date,
}

const step = {
  id: answeredId(),
  workflowId: answeredId(),
  type: describedAs(Type.String(), { title: 'StepType', ...oneOfWords(stepTypes) }),
  name: Type.String(),
  position: Type.Object({ x: Type.Number(), y: Type.Number() }),
  config: stepConfig,
  templateId: nullable(answeredId()),
  createdAt: date,
  updatedAt: date,
}

/** About a workflow that is enabled or tried out. */
export const workflowWarnings = Type.Array(
  Type.Object({
    code: oneOfWords(warningCodes),
    message: Type.String(),
    stepId: Type.Optional(Type.String({ description: 'Of the step that it is about' })),
    workflows: Type.Array(Type.Object({ id: answeredId(), name: Type.String() })),
  }),
  { description: 'What may go wrong while it is on; nothing is refused for it' },
)

export const workflowAnswer = Type.Object(workflow, { title: 'Workflow' })
export const changedWorkflow = Type.Object(
  { ...workflow, warnings: workflowWarnings },
  { title: 'ChangedWorkflow' },
)
export const transitionAnswer = Type.Object(transition, { title: 'Transition' })
export const stepAnswer = Type.Object(step, { title: 'Step' })

const executionCounts = Type.Object(
  Object.fromEntries(executionStatuses.map(status => [status, Type.Integer()])) as Record<
    (typeof executionStatuses)[number],
    TInteger
  >,
  { title: 'ExecutionCounts', description: 'How many executions are in each state' },
)

export const workflowList = offsetListOf(
  Type.Object(
    {
      ...workflow,
      executionCounts,
      _count: Type.Object({ steps: Type.Integer(), executions: Type.Integer() }),
    },
    { title: 'ListedWorkflow' },
  ),
)

const transitions = Type.Array(transitionAnswer)

const wholeMembers = {
  ...workflow,
  executionCounts,
  steps: Type.Array(
    Type.Object({
      ...step,
      template: nullable(Type.Object({ id: answeredId(), name: Type.String() })),
      outgoingTransitions: transitions,
      incomingTransitions: transitions,
    }),
  ),
  transitions,
}

export const wholeWorkflow = Type.Object(wholeMembers, { title: 'WorkflowWithSteps' })
export const savedWorkflow = Type.Object(
  { ...wholeMembers, warnings: workflowWarnings },
  { title: 'SavedWorkflow' },
)

export const fieldsAnswer = Type.Object({
  fields: Type.Array(Type.String()),
  typedFields: Type.Array(
    Type.Object({ field: Type.String(), type: Type.String(), category: Type.String() }),
  ),
  count: Type.Integer(),
})

export const cancelledAnswer = Type.Object({ cancelled: Type.Integer() })

export function readStatus(
  text: string | undefined,
): (typeof executionStatuses)[number] | undefined | 'unknown' {
  if (text === undefined || text === '') return undefined
  return executionStatuses.find(status => status === text.toUpperCase()) ?? 'unknown'
}

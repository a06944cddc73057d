// Executions and their history as clients see them.
import { type Static, Type } from '@sinclair/typebox'
import {
  answeredAddress,
  answeredId,
  answeredInstant,
  nullableId,
  nullableInstant,
} from '../../../../lib/answered'
import { describedAs } from '../../../../lib/described'
import { freeForm } from '../../../../lib/free-form'
import { seekableListOf } from '../../../../lib/paging'
import { toWorkflow } from '../definition/answer-model'
import { executionGraph } from '../definition/graph-model'
import { workflowAnswer } from '../definition/model'
import type { WorkflowRow } from '../definition/queries/definitions'
import { executionStatuses, type Graph } from '../words'
import type { CallAttemptRow, ListedExecution, NamedStep, StepExecutionRow } from './queries/history'

const text = Type.Union([Type.String(), Type.Null()])
const values = Type.Union([freeForm, Type.Null()])
const named = Type.Object({ id: answeredId(), name: Type.String(), type: Type.String() })

const execution = {
  id: answeredId(),
  workflowId: answeredId(),
  contactId: answeredId(),
  status: describedAs(Type.String(), { title: 'ExecutionStatus', type: 'string', enum: executionStatuses }),
  currentStepId: nullableId(),
  exitReason: text,
  context: values,
  sourceEventId: nullableId(),
  /** When a waiting execution continues by itself. */
  wakeAt: nullableInstant(),
  startedAt: answeredInstant(),
  completedAt: nullableInstant(),
  createdAt: answeredInstant(),
  updatedAt: answeredInstant(),
  contact: Type.Union([Type.Object({ id: answeredId(), email: answeredAddress() }), Type.Null()]),
  currentStep: Type.Union([named, Type.Null()]),
}

const attempt = Type.Object({
  attempt: Type.Integer(),
  url: Type.String(),
  outcome: Type.String({ description: 'answered, unreachable or refused' }),
  statusCode: Type.Union([Type.Integer(), Type.Null()]),
  error: text,
  response: text,
  startedAt: answeredInstant(),
  finishedAt: answeredInstant(),
})

const stepExecution = Type.Object(
  {
    id: answeredId(),
    executionId: answeredId(),
    stepId: answeredId(),
    status: Type.String(),
    scheduledFor: nullableInstant(),
    executeAfter: text,
    output: values,
    error: text,
    startedAt: nullableInstant(),
    completedAt: nullableInstant(),
    createdAt: answeredInstant(),
    updatedAt: answeredInstant(),
    step: Type.Union([named, Type.Null()]),
    attempts: Type.Array(attempt, { description: 'Every attempt of a webhook' }),
  },
  { title: 'StepExecution' },
)

export const executionAnswer = Type.Object(execution, { title: 'Execution' })
export const executionList = seekableListOf(executionAnswer)
export const stepCounts = Type.Object(
  {
    steps: Type.Array(Type.Object({ stepId: answeredId(), executions: Type.Integer() }), {
      description: 'Only steps with active executions; one may have been deleted from the workflow since',
    }),
    isMore: Type.Boolean({
      description: 'Whether there are more than 100,000, of which not all were counted',
    }),
  },
  { title: 'StepCounts' },
)
export const wholeExecution = Type.Object(
  {
    ...execution,
    workflow: workflowAnswer,
    graph: executionGraph,
    stepExecutions: Type.Array(stepExecution),
  },
  { title: 'ExecutionWithHistory' },
)

type Steps = ReadonlyMap<string, NamedStep>

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

export function toExecution(row: ListedExecution, steps: Steps): Static<typeof executionAnswer> {
  const { id, workflowId, contactId, status, currentStepId, exitReason, context, sourceEventId, email } = row
  return {
    ...{ id, workflowId, contactId, status, currentStepId, exitReason, context, sourceEventId },
    ...{ wakeAt: iso(row.wakeAt), startedAt: row.startedAt.toISOString(), completedAt: iso(row.completedAt) },
    ...{ createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() },
    contact: email === null ? null : { id: contactId, email },
    currentStep: (currentStepId && steps.get(currentStepId)) || null,
  }
}

export interface FullExecution {
  execution: ListedExecution
  workflow: WorkflowRow
  history: StepExecutionRow[]
  attempts: CallAttemptRow[]
  steps: Steps
  graph: Graph
}

export function toWholeExecution(whole: FullExecution): Static<typeof wholeExecution> {
  const { execution, workflow, history, attempts, steps, graph } = whole
  return {
    ...toExecution(execution, steps),
    workflow: toWorkflow(workflow),
    graph: { steps: [...graph.steps], transitions: [...graph.transitions] },
    stepExecutions: history.map(row => ({
      ...toStepExecution(row, steps),
      attempts: attempts.filter(each => each.stepId === row.stepId).map(toAttempt),
    })),
  }
}

function toStepExecution(
  row: StepExecutionRow,
  steps: Steps,
): Omit<Static<typeof stepExecution>, 'attempts'> {
  const { id, executionId, stepId, status, output, error } = row
  const executeAfter = iso(row.executeAfter)
  return {
    ...{ id, executionId, stepId, status, scheduledFor: executeAfter, executeAfter, output, error },
    ...{ startedAt: iso(row.startedAt), completedAt: iso(row.completedAt) },
    ...{ createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() },
    step: steps.get(stepId) ?? null,
  }
}

function toAttempt(row: CallAttemptRow): Static<typeof attempt> {
  const { attempt: number, url, outcome, statusCode, error, response } = row
  return {
    ...{ attempt: number, url, outcome, statusCode, error, response },
    ...{ startedAt: row.startedAt.toISOString(), finishedAt: row.finishedAt.toISOString() },
  }
}

// Tables of what happens in workflows. History may be large, so nothing here has foreign keys: what a deleted workflow or contact leaves
// behind is removed in batches.
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, json, listed, time, updatedAt } from '../../../../platform/db/columns'
import {
  type ActiveStatus,
  activeStatuses,
  type EndStatus,
  type ExecutionStatus,
  executionStatuses,
  type ReceivedEvent,
  type StepStatus,
  stepStatuses,
  type Values,
} from '../words'

export const workflowExecutions = pgTable(
  'workflow_executions',
  {
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    workflowId: uuid('workflow_id').notNull(),
    snapshotId: uuid('snapshot_id').notNull(),
    contactId: uuid('contact_id').notNull(),
    /** The event that started it. */
    sourceEventId: uuid('source_event_id'),
    status: text('status').$type<ExecutionStatus>().notNull(),
    currentStepId: uuid('current_step_id'),
    /** Whether it is inside the current step, not before it. */
    isInside: boolean('is_inside').notNull(),
    exitReason: text('exit_reason'),
    context: json<Values>('context'),
    /** Whoever wants to move the execution names the version it knows; each move raises it. */
    version: integer('version').notNull(),
    /** The hops of the event that started it, or of a later one that resumed it and has more. */
    hops: smallint('hops').notNull().default(0),
    /** Whether it was started where a contact may enter only once. */
    once: boolean('once').notNull(),
    /** The event it waits for, and the id past which events count: earlier ones existed before the wait began. */
    waitEvent: text('wait_event'),
    waitFrom: uuid('wait_from'),
    wakeAt: time('wake_at'),
    received: json<ReceivedEvent>('received'),
    startedAt: time('started_at').notNull(),
    completedAt: time('completed_at'),
    /** The status that it ended with: unlike the status it may be in an index, because it changes only at the end. */
    outcome: text('outcome')
      .$type<EndStatus>()
      .generatedAlwaysAs(sql`case when completed_at is not null then status end`),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  row => [
    primaryKey({ name: 'workflow_executions_pkey', columns: [row.projectId, row.id] }),
    index('workflow_executions_started').on(row.projectId, row.workflowId, row.startedAt, row.id),
    index('workflow_executions_outcome')
      .on(row.projectId, row.workflowId, row.outcome, row.startedAt, row.id)
      .where(sql`outcome is not null`),
    // What changes between start and end is in no index and no condition of one, so that updates stay on the page (HOT). The feed of a
    // project is ordered by when executions began and ended.
    index('workflow_executions_begun').on(row.projectId, row.startedAt, row.id),
    index('workflow_executions_ended')
      .on(row.projectId, row.completedAt, row.id)
      .where(sql`completed_at is not null`),
    // With the start, so that those of the last hour are found among any number of older ones.
    index('workflow_executions_contact').on(row.projectId, row.contactId, row.workflowId, row.startedAt),
    // An event asks for the active executions of its contact: a few entries, however many others wait.
    index('workflow_executions_active').on(row.projectId, row.contactId).where(sql`completed_at is null`),
    // These guard re-entry, and allow one execution per event, however often it is routed.
    uniqueIndex('workflow_executions_one_active')
      .on(row.projectId, row.workflowId, row.contactId)
      .where(sql`completed_at is null`),
    uniqueIndex('workflow_executions_once').on(row.projectId, row.workflowId, row.contactId).where(sql`once`),
    uniqueIndex('workflow_executions_source')
      .on(row.projectId, row.workflowId, row.sourceEventId)
      .where(sql`source_event_id is not null`),
    index('workflow_executions_snapshot').on(row.projectId, row.snapshotId).where(sql`completed_at is null`),
    check('workflow_executions_status', sql`status in ${listed(executionStatuses)}`),
    check(
      'workflow_executions_completed',
      sql`(completed_at is null) = (status in ${listed(activeStatuses)})`,
    ),
    check('workflow_executions_wait', sql`status = 'WAITING' or (wait_event is null and wake_at is null)`),
  ],
)

/**
 * When waiting executions continue, in the order in which that happens: their own table has no index for it. Written and cleared with
 * them.
 */
export const workflowTimers = pgTable(
  'workflow_timers',
  {
    projectId: uuid('project_id').notNull(),
    wakeAt: time('wake_at').notNull(),
    executionId: uuid('execution_id').notNull(),
  },
  row => [
    primaryKey({ name: 'workflow_timers_pkey', columns: [row.projectId, row.wakeAt, row.executionId] }),
  ],
)

/** The active executions by their state, for the same reason: lists of them read this. */
export const workflowActive = pgTable(
  'workflow_active',
  {
    projectId: uuid('project_id').notNull(),
    workflowId: uuid('workflow_id').notNull(),
    status: text('status').$type<ActiveStatus>().notNull(),
    startedAt: time('started_at').notNull(),
    executionId: uuid('execution_id').notNull(),
  },
  row => [
    primaryKey({
      name: 'workflow_active_pkey',
      columns: [row.projectId, row.workflowId, row.status, row.startedAt, row.executionId],
    }),
  ],
)

/** How many executions a workflow has in each state, as far as the deltas have been rolled up. */
export const workflowCounts = pgTable(
  'workflow_counts',
  {
    projectId: uuid('project_id').notNull(),
    workflowId: uuid('workflow_id').notNull(),
    status: text('status').$type<ExecutionStatus>().notNull(),
    executions: bigint('executions', { mode: 'number' }).notNull(),
  },
  row => [primaryKey({ name: 'workflow_counts_pkey', columns: [row.projectId, row.workflowId, row.status] })],
)

/**
 * Changes of those counts, appended in the transaction that starts, moves or deletes executions. `workflow.rollUp` rolls them up, and a
 * read adds what is not rolled up yet: exact at any moment.
 */
export const workflowDeltas = pgTable(
  'workflow_deltas',
  {
    projectId: uuid('project_id').notNull(),
    workflowId: uuid('workflow_id').notNull(),
    status: text('status').$type<ExecutionStatus>().notNull(),
    executions: integer('executions').notNull(),
  },
  row => [index('workflow_deltas_workflow').on(row.projectId, row.workflowId)],
)

/** The history of an execution: a step runs at most once, because the graph has no loops. */
export const workflowStepExecutions = pgTable(
  'workflow_step_executions',
  {
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    executionId: uuid('execution_id').notNull(),
    stepId: uuid('step_id').notNull(),
    status: text('status').$type<StepStatus>().notNull(),
    executeAfter: time('execute_after'),
    output: json<Values>('output'),
    error: text('error'),
    startedAt: time('started_at'),
    completedAt: time('completed_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  row => [
    primaryKey({
      name: 'workflow_step_executions_pkey',
      columns: [row.projectId, row.executionId, row.stepId],
    }),
    check('workflow_step_executions_status', sql`status in ${listed(stepStatuses)}`),
  ],
)

/** A call that is under way, rendered once so that every attempt sends the same. */
export const workflowCalls = pgTable(
  'workflow_calls',
  {
    /** Also the id that the receiver sees. */
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    executionId: uuid('execution_id').notNull(),
    stepId: uuid('step_id').notNull(),
    /** The version of the execution that waits for the outcome. */
    version: integer('version').notNull(),
    url: text('url').notNull(),
    method: text('method').notNull(),
    headers: json<Record<string, string>>('headers').notNull(),
    body: text('body'),
    createdAt: createdAt(),
  },
  row => [primaryKey({ name: 'workflow_calls_pkey', columns: [row.projectId, row.id] })],
)

/** The result of each attempt. */
export const workflowCallAttempts = pgTable(
  'workflow_call_attempts',
  {
    projectId: uuid('project_id').notNull(),
    executionId: uuid('execution_id').notNull(),
    stepId: uuid('step_id').notNull(),
    attempt: integer('attempt').notNull(),
    url: text('url').notNull(),
    outcome: text('outcome').$type<'answered' | 'unreachable' | 'refused'>().notNull(),
    statusCode: integer('status_code'),
    error: text('error'),
    response: text('response'),
    startedAt: time('started_at').notNull(),
    finishedAt: time('finished_at').notNull(),
  },
  row => [
    primaryKey({
      name: 'workflow_call_attempts_pkey',
      columns: [row.projectId, row.executionId, row.stepId, row.attempt],
    }),
  ],
)

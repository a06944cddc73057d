// Tables of workflows. Definitions are edited as rows; an execution runs on a snapshot of them, which all that started from the same
// version share. History may be large, so nothing here has foreign keys: what a deleted workflow or contact leaves goes in batches.
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, json, time, updatedAt } from '../../platform/db/columns'
import type {
  ExecutionStatus,
  Position,
  ReceivedEvent,
  Snapshot,
  StepStatus,
  StepType,
  TriggerType,
  Values,
  WaitOutcome,
  WorkflowReferenceKind,
} from './definition'

export const workflows = pgTable(
  'workflows',
  {
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    description: text('description'),
    enabled: boolean('enabled').notNull(),
    triggerType: text('trigger_type').$type<TriggerType>().notNull(),
    triggerConfig: json<Values>('trigger_config'),
    /** The event that starts it, where it is one. */
    eventName: text('event_name'),
    allowReentry: boolean('allow_reentry').notNull(),
    /** Moves with every change of steps, transitions and name: a snapshot of another revision is out of date. */
    revision: integer('revision').notNull(),
    /** The next tick of an enabled SCHEDULE. */
    nextRunAt: time('next_run_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  row => [
    primaryKey({ name: 'workflows_pkey', columns: [row.projectId, row.id] }),
    index('workflows_event').on(row.projectId, row.eventName).where(sql`enabled and event_name is not null`),
    index('workflows_due').on(row.nextRunAt).where(sql`next_run_at is not null`),
    check('workflows_name', sql`char_length(name) between 1 and 100`),
    check('workflows_trigger_type', sql`trigger_type in ('EVENT', 'MANUAL', 'SCHEDULE')`),
    check('workflows_event_name', sql`(trigger_type = 'EVENT') = (event_name is not null)`),
    check('workflows_next_run', sql`next_run_at is null or (enabled and trigger_type = 'SCHEDULE')`),
  ],
)

export const workflowSteps = pgTable(
  'workflow_steps',
  {
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    workflowId: uuid('workflow_id').notNull(),
    type: text('type').$type<StepType>().notNull(),
    name: text('name').notNull(),
    position: json<Position>('position').notNull(),
    config: json<Values>('config').notNull(),
    templateId: uuid('template_id'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  row => [
    primaryKey({ name: 'workflow_steps_pkey', columns: [row.projectId, row.workflowId, row.id] }),
    uniqueIndex('workflow_steps_trigger').on(row.projectId, row.workflowId).where(sql`type = 'TRIGGER'`),
    index('workflow_steps_template').on(row.projectId, row.templateId).where(sql`template_id is not null`),
    check('workflow_steps_name', sql`char_length(name) between 1 and 300`),
    check(
      'workflow_steps_type',
      sql`type in ('TRIGGER', 'SEND_EMAIL', 'DELAY', 'WAIT_FOR_EVENT', 'CONDITION', 'WEBHOOK', 'UPDATE_CONTACT', 'EXIT')`,
    ),
  ],
)

export const workflowTransitions = pgTable(
  'workflow_transitions',
  {
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    workflowId: uuid('workflow_id').notNull(),
    fromStepId: uuid('from_step_id').notNull(),
    toStepId: uuid('to_step_id').notNull(),
    branch: text('branch'),
    waitOutcome: text('wait_outcome').$type<WaitOutcome>(),
    priority: integer('priority').notNull(),
    automatic: boolean('automatic').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  row => [
    primaryKey({ name: 'workflow_transitions_pkey', columns: [row.projectId, row.workflowId, row.id] }),
    uniqueIndex('workflow_transitions_from').on(
      row.projectId,
      row.workflowId,
      row.fromStepId,
      sql`coalesce(branch, '')`,
      sql`coalesce(wait_outcome, '')`,
    ),
    check('workflow_transitions_ends', sql`from_step_id <> to_step_id`),
    check('workflow_transitions_outcome', sql`wait_outcome in ('EVENT', 'TIMEOUT')`),
  ],
)

/** What a workflow names, written with it: who uses a field, an event or a segment is an index probe and no walk of configurations. */
export const workflowReferences = pgTable(
  'workflow_references',
  {
    projectId: uuid('project_id').notNull(),
    kind: text('kind').$type<WorkflowReferenceKind>().notNull(),
    name: text('name').notNull(),
    workflowId: uuid('workflow_id').notNull(),
  },
  row => [
    primaryKey({
      name: 'workflow_references_pkey',
      columns: [row.projectId, row.kind, row.name, row.workflowId],
    }),
    index('workflow_references_workflow').on(row.projectId, row.workflowId),
  ],
)

/** What executions run on. Never changed once it is written. */
export const workflowSnapshots = pgTable(
  'workflow_snapshots',
  {
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    workflowId: uuid('workflow_id').notNull(),
    /** Revision of the workflow and fingerprint of the templates that it sends. */
    stamp: text('stamp').notNull(),
    graph: json<Snapshot>('graph').notNull(),
    createdAt: createdAt(),
  },
  row => [
    primaryKey({ name: 'workflow_snapshots_pkey', columns: [row.projectId, row.id] }),
    uniqueIndex('workflow_snapshots_stamp').on(row.projectId, row.workflowId, row.stamp),
  ],
)

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
    /** Inside the current step, not before it. */
    isInside: boolean('is_inside').notNull(),
    exitReason: text('exit_reason'),
    context: json<Values>('context'),
    /** Whoever wants to move the execution names the version it knows; each move raises it. */
    version: integer('version').notNull(),
    /** Started where a contact may enter once only. */
    once: boolean('once').notNull(),
    /** The event it waits for, and the id behind which events count: those before were there before the waiting began. */
    waitEvent: text('wait_event'),
    waitFrom: uuid('wait_from'),
    wakeAt: time('wake_at'),
    received: json<ReceivedEvent>('received'),
    startedAt: time('started_at').notNull(),
    completedAt: time('completed_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  row => [
    primaryKey({ name: 'workflow_executions_pkey', columns: [row.projectId, row.id] }),
    index('workflow_executions_started').on(
      row.projectId,
      row.workflowId,
      row.startedAt.desc().nullsFirst(),
      row.id.desc().nullsFirst(),
    ),
    // What changes between start and end stands in no index and no condition of one: a new version stays beside the old.
    // The feed of a project goes by when executions began and ended.
    index('workflow_executions_begun').on(row.projectId, row.startedAt, row.id),
    index('workflow_executions_ended')
      .on(row.projectId, row.completedAt, row.id)
      .where(sql`completed_at is not null`),
    index('workflow_executions_contact').on(row.projectId, row.contactId, row.workflowId),
    // An event asks for the active executions of its contact: a few entries, however many others wait.
    index('workflow_executions_active').on(row.projectId, row.contactId).where(sql`completed_at is null`),
    // The gates of re-entry, and one execution for each event, however often it is routed.
    uniqueIndex('workflow_executions_one_active')
      .on(row.projectId, row.workflowId, row.contactId)
      .where(sql`completed_at is null`),
    uniqueIndex('workflow_executions_once').on(row.projectId, row.workflowId, row.contactId).where(sql`once`),
    uniqueIndex('workflow_executions_source')
      .on(row.projectId, row.workflowId, row.sourceEventId)
      .where(sql`source_event_id is not null`),
    index('workflow_executions_snapshot').on(row.projectId, row.snapshotId).where(sql`completed_at is null`),
    check(
      'workflow_executions_status',
      sql`status in ('RUNNING', 'WAITING', 'COMPLETED', 'EXITED', 'FAILED', 'CANCELLED')`,
    ),
    check('workflow_executions_completed', sql`(completed_at is null) = (status in ('RUNNING', 'WAITING'))`),
    check('workflow_executions_wait', sql`status = 'WAITING' or (wait_event is null and wake_at is null)`),
  ],
)

/** When waiting executions go on, in the order in which that happens: their own table has no index of it. Written and cleared with them. */
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

/** The history of an execution: a step runs once at most, because the graph has no loops. */
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
    check(
      'workflow_step_executions_status',
      sql`status in ('PENDING', 'SCHEDULED', 'WAITING', 'RUNNING', 'COMPLETED', 'SKIPPED', 'FAILED')`,
    ),
  ],
)

/** A call that is under way, rendered once so that every try sends the same. */
export const workflowCalls = pgTable(
  'workflow_calls',
  {
    /** The id that the receiver sees, too. */
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

/** What came of each try. */
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

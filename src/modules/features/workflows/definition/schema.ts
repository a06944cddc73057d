// The tables of definitions. They are edited as rows; an execution runs on a snapshot of them, which is shared by all that started from
// the same version.
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
import { createdAt, json, listed, time, updatedAt } from '../../../../platform/db/columns'
import {
  type CanvasPosition,
  type Snapshot,
  type StepType,
  stepTypes,
  type TriggerType,
  triggerTypes,
  type Values,
  type WaitOutcome,
  type WorkflowReferenceKind,
  waitOutcomes,
} from '../words'

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
    /** For one contact. */
    maxStartsPerHour: integer('max_starts_per_hour').notNull().default(100),
    /** Whether changes of subscriptions by imports and bulk jobs start it too. */
    includeBulkChanges: boolean('include_bulk_changes').notNull().default(false),
    /** Raised with every change of steps, transitions and name: a snapshot of another revision is out of date. */
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
    check('workflows_trigger_type', sql`trigger_type in ${listed(triggerTypes)}`),
    check('workflows_max_starts', sql`max_starts_per_hour between 1 and 10000`),
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
    position: json<CanvasPosition>('position').notNull(),
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
    check('workflow_steps_type', sql`type in ${listed(stepTypes)}`),
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
    check('workflow_transitions_outcome', sql`wait_outcome in ${listed(waitOutcomes)}`),
  ],
)

/**
 * What a workflow names, written with it: finding who uses a field, an event or a segment is an index probe, not a walk through
 * configurations.
 */
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
    /** The revision of the workflow, and a fingerprint of the templates that it sends. */
    stamp: text('stamp').notNull(),
    graph: json<Snapshot>('graph').notNull(),
    createdAt: createdAt(),
  },
  row => [
    primaryKey({ name: 'workflow_snapshots_pkey', columns: [row.projectId, row.id] }),
    uniqueIndex('workflow_snapshots_stamp').on(row.projectId, row.workflowId, row.stamp),
  ],
)

// Executions in motion. Whoever moves one holds its row and names the version it knows, so of an event, a timer, a cancellation and
// the same job run twice exactly one comes first, and the others see that they are late.
import type { Context } from '../../../platform/context'
import type { ExecutionStatus, ReceivedEvent, StepStatus, Values } from '../definition'
import type { workflowExecutions } from '../schema'

export type ExecutionRow = typeof workflowExecutions.$inferSelect

/** An execution together with all that its next step is decided by. */
export interface HeldExecution {
  id: string
  projectId: string
  workflowId: string
  snapshotId: string
  contactId: string
  sourceEventId: string | null
  status: ExecutionStatus
  currentStepId: string | null
  isInside: boolean
  context: Values | null
  version: number
  waitEvent: string | null
  waitFrom: string | null
  wakeAt: Date | null
  received: ReceivedEvent | null
  startedAt: Date
  /** Null when the contact is gone. */
  email: string | null
  subscribed: boolean
  data: Values
  contactCreatedAt: Date
  contactUpdatedAt: Date
  projectDisabled: boolean
  projectName: string
  language: string
}

/** Holds an active execution of that very version; undefined when it has moved on. */
export async function holdExecution(
  ctx: Context,
  projectId: string,
  id: string,
  version: number,
): Promise<HeldExecution | undefined> {
  const [row] = await ctx.sql<HeldExecution[]>`
    select e.id, e.project_id as "projectId", e.workflow_id as "workflowId", e.snapshot_id as "snapshotId",
           e.contact_id as "contactId", e.source_event_id as "sourceEventId", e.status, e.current_step_id as "currentStepId",
           e.is_inside as "isInside", e.context, e.version, e.wait_event as "waitEvent", e.wait_from as "waitFrom",
           e.wake_at as "wakeAt", e.received, e.started_at as "startedAt",
           c.email, coalesce(c.subscribed, false) as subscribed, coalesce(c.data, '{}') as data,
           c.created_at as "contactCreatedAt", c.updated_at as "contactUpdatedAt",
           coalesce(p.disabled, true) as "projectDisabled", coalesce(p.name, '') as "projectName",
           coalesce(p.language, 'en') as language
      from workflow_executions e
      left join contacts c on c.project_id = e.project_id and c.id = e.contact_id
      left join projects p on p.id = e.project_id
     where e.project_id = ${projectId}::uuid and e.id = ${id}::uuid and e.version = ${version}::int
       and e.status in ('RUNNING', 'WAITING')
       for update of e`
  return row
}

export interface SavedExecution {
  id: string
  projectId: string
  status: ExecutionStatus
  currentStepId: string | null
  isInside: boolean
  exitReason: string | null
  context: Values
  version: number
  waitEvent: string | null
  waitFrom: string | null
  wakeAt: Date | null
}

export interface StepRecord {
  id: string
  stepId: string
  status: StepStatus
  executeAfter: Date | null
  output: Values | null
  error: string | null
  startedAt: Date
  completedAt: Date | null
}

/** Stores where a held execution stands now, and its new history, in one statement. */
export async function saveExecution(
  ctx: Context,
  { id, projectId, ...state }: SavedExecution,
  records: readonly StepRecord[],
): Promise<void> {
  const now = ctx.clock.now()
  const isOver = state.status !== 'RUNNING' && state.status !== 'WAITING'
  await ctx.sql`
    with recorded as (
      insert into workflow_step_executions (id, project_id, execution_id, step_id, status, execute_after, output, error,
                                            started_at, completed_at, created_at, updated_at)
      select r.id, ${projectId}::uuid, ${id}::uuid, r."stepId", r.status, r."executeAfter", nullif(r.output, 'null'), r.error,
             r."startedAt", r."completedAt", ${now}::timestamptz, ${now}::timestamptz
        from json_to_recordset(${JSON.stringify(records)}::json) as r(
             id uuid, "stepId" uuid, status text, "executeAfter" timestamptz, output jsonb, error text,
             "startedAt" timestamptz, "completedAt" timestamptz)
      on conflict (project_id, execution_id, step_id) do update
         set status = excluded.status, output = excluded.output, error = excluded.error,
             completed_at = excluded.completed_at, updated_at = excluded.updated_at
    )
    update workflow_executions
       set status = ${state.status}, current_step_id = ${state.currentStepId}::uuid, is_inside = ${state.isInside},
           exit_reason = ${state.exitReason}, context = ${JSON.stringify(state.context)}::jsonb, version = ${state.version}::int,
           wait_event = ${state.waitEvent}, wait_from = ${state.waitFrom}::uuid, wake_at = ${state.wakeAt}::timestamptz,
           received = null, completed_at = ${isOver ? now : null}::timestamptz, updated_at = ${now}::timestamptz
     where project_id = ${projectId}::uuid and id = ${id}::uuid`
}

export interface Started {
  id: string
  contactId: string
}

export interface NewExecutions {
  projectId: string
  workflowId: string
  snapshotId: string
  stepId: string | null
  allowReentry: boolean
  starts: ReadonlyArray<{ id: string; contactId: string; sourceEventId: string | null; context: Values }>
}

/**
 * Starts executions for those contacts that may enter; the others are left out without a word. That nobody has been in before is
 * looked at here, and two starts at once meet in the unique indexes.
 */
export async function insertExecutions(ctx: Context, about: NewExecutions): Promise<Started[]> {
  const now = ctx.clock.now()
  const { projectId, workflowId, allowReentry } = about
  const status: ExecutionStatus = about.stepId === null ? 'COMPLETED' : 'RUNNING'
  return await ctx.sql<Started[]>`
    insert into workflow_executions (id, project_id, workflow_id, snapshot_id, contact_id, source_event_id, status,
                                     current_step_id, is_inside, context, version, once, started_at, completed_at, created_at,
                                     updated_at)
    select r.id, ${projectId}::uuid, ${workflowId}::uuid, ${about.snapshotId}::uuid, r."contactId", r."sourceEventId", ${status},
           ${about.stepId}::uuid, false, r.context, 0, ${!allowReentry}, ${now}::timestamptz,
           ${about.stepId === null ? now : null}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from json_to_recordset(${JSON.stringify(about.starts)}::json) as r(
           id uuid, "contactId" uuid, "sourceEventId" uuid, context jsonb)
     where ${allowReentry}::boolean or not exists (
             select from workflow_executions o
              where o.project_id = ${projectId}::uuid and o.contact_id = r."contactId" and o.workflow_id = ${workflowId}::uuid)
     order by r."contactId"
    on conflict do nothing
    returning id, contact_id as "contactId"`
}

export interface Resumed {
  id: string
  version: number
}

/**
 * Gives an event to the executions of its contact that wait for it. All active ones are held first: one that is just about to wait
 * has looked for events before this one could be seen, so it is waited for, and then found waiting.
 */
export async function resumeExecutions(
  ctx: Context,
  projectId: string,
  contactId: string,
  event: ReceivedEvent,
): Promise<Resumed[]> {
  const held = await ctx.sql<{ id: string }[]>`
    select id from workflow_executions
     where project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid and status in ('RUNNING', 'WAITING')
     order by id for update`
  if (held.length === 0) return []
  return await ctx.sql<Resumed[]>`
    update workflow_executions
       set status = 'RUNNING', version = version + 1, received = ${JSON.stringify(event)}::jsonb, wait_event = null, wake_at = null,
           updated_at = ${ctx.clock.now()}::timestamptz
     where project_id = ${projectId}::uuid and id = any(${held.map(row => row.id)}::uuid[]) and status = 'WAITING'
       and wait_event = ${event.name} and wait_from < ${event.id}::uuid
    returning id, version`
}

export interface NewerEvent {
  id: string
  data: Values | null
  createdAt: Date
}

/** The first event of the name behind `from`, which is the id of an event or of the moment when a wait began. */
export async function selectNewerEvent(
  ctx: Context,
  wanted: { projectId: string; contactId: string; name: string; from: string; since: Date },
): Promise<NewerEvent | undefined> {
  const [row] = await ctx.sql<NewerEvent[]>`
    select e.id, case when t.data is null then e.data else coalesce(e.data, '{}') || t.data end as data,
           e.created_at as "createdAt"
      from events e left join event_transients t on t.project_id = e.project_id and t.event_id = e.id
     where e.project_id = ${wanted.projectId}::uuid and e.contact_id = ${wanted.contactId}::uuid and e.name = ${wanted.name}
       and e.created_at >= ${wanted.since}::timestamptz and e.id > ${wanted.from}::uuid
     order by e.created_at, e.id limit 1`
  return row
}

/** Cancels an active execution; false for a finished one and for none. */
export async function cancelExecution(
  ctx: Context,
  projectId: string,
  workflowId: string,
  id: string,
  reason: string,
): Promise<boolean> {
  const { count } = await cancelChosen(
    ctx,
    projectId,
    reason,
    ctx.sql`
      select id, contact_id from workflow_executions
       where project_id = ${projectId}::uuid and id = ${id}::uuid and workflow_id = ${workflowId}::uuid
         and status in ('RUNNING', 'WAITING') for update`,
  )
  return count === 1
}

export interface Cancelled {
  count: number
  /** The last contact of the batch; null when there was none. */
  last: string | null
}

/**
 * Cancels up to `limit` active executions of a workflow, those of contacts behind `after`. It walks the index of active ones by
 * contact: a batch that began at the front again would pass over all that were cancelled before.
 */
export async function cancelBatch(
  ctx: Context,
  projectId: string,
  workflowId: string,
  reason: string,
  page: { after: string; limit: number },
): Promise<Cancelled> {
  return await cancelChosen(
    ctx,
    projectId,
    reason,
    ctx.sql`
      select id, contact_id from workflow_executions
       where project_id = ${projectId}::uuid and workflow_id = ${workflowId}::uuid and contact_id > ${page.after}::uuid
         and status in ('RUNNING', 'WAITING')
       order by contact_id limit ${page.limit} for update`,
  )
}

/** Open steps of what is cancelled are skipped. */
async function cancelChosen(
  ctx: Context,
  projectId: string,
  reason: string,
  chosen: ReturnType<Context['sql']>,
): Promise<Cancelled> {
  const now = ctx.clock.now()
  const [row] = await ctx.sql<Cancelled[]>`
    with chosen as materialized (${chosen}), cancelled as (
      update workflow_executions e
         set status = 'CANCELLED', exit_reason = ${reason}, version = e.version + 1, wait_event = null, wake_at = null,
             received = null, completed_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
       where e.project_id = ${projectId}::uuid and e.id = any(array(select id from chosen))
    ), skipped as (
      update workflow_step_executions s set status = 'SKIPPED', completed_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
       where s.project_id = ${projectId}::uuid and s.execution_id = any(array(select id from chosen))
         and s.status in ('RUNNING', 'WAITING')
    )
    select count(*) as count, (select contact_id from chosen order by contact_id desc limit 1) as last from chosen`
  return row ?? { count: 0, last: null }
}

export async function countActive(ctx: Context, projectId: string, workflowId: string): Promise<number> {
  const [row] = await ctx.sql<{ count: number }[]>`
    select count(*) as count from workflow_executions
     where project_id = ${projectId}::uuid and workflow_id = ${workflowId}::uuid and status in ('RUNNING', 'WAITING')`
  return row?.count ?? 0
}

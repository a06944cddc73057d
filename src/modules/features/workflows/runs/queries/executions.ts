// Executions in motion. Whoever moves one locks its row and names the version it knows, so of an event, a timer, a cancellation and the
// same job run twice exactly one comes first, and the others see that they are late.
import type { Context } from '../../../../../platform/context'
import { whySuppressed } from '../../../../audience/suppressions'
import { activeStatuses, type ExecutionStatus, type ReceivedEvent, type Values } from '../../words'
import type { workflowExecutions } from '../schema'
import { standing, timerDeletion } from './active'
import { countedIn } from './counts'

export type ExecutionRow = typeof workflowExecutions.$inferSelect

/** An execution together with everything that decides its next step. */
export interface HeldExecution {
  id: string
  /** Where its row is stored, valid as long as it is locked. */
  ctid: string
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
  hops: number
  waitEvent: string | null
  waitFrom: string | null
  wakeAt: Date | null
  received: ReceivedEvent | null
  startedAt: Date
  /** Null when the contact is gone. */
  email: string | null
  subscribed: boolean
  data: Values
  contactCreatedAt: Date | null
  contactUpdatedAt: Date | null
  /** Reason of the suppression of the contact's address, if any. */
  suppressed: string | null
  projectDisabled: boolean
  projectName: string
  language: string
}

/** An execution at the version that the caller knows. */
export interface ExecutionAt {
  projectId: string
  executionId: string
  version: number
}

/**
 * Locks those of the executions that are active at that very version; the others have moved on and are not returned. Each row is looked
 * up by itself, which no plan can turn into a scan: with joins, a table of 4,000 was read in full for each batch.
 */
export async function holdExecutions(ctx: Context, wanted: readonly ExecutionAt[]): Promise<HeldExecution[]> {
  const of = { projectId: ctx.sql`e.project_id`, email: ctx.sql`c.email` }
  return await ctx.sql<HeldExecution[]>`
    select e.id, e.ctid, e.project_id as "projectId", e.workflow_id as "workflowId", e.snapshot_id as "snapshotId",
           e.contact_id as "contactId", e.source_event_id as "sourceEventId", e.status, e.current_step_id as "currentStepId",
           e.is_inside as "isInside", e.context, e.version, e.hops, e.wait_event as "waitEvent", e.wait_from as "waitFrom",
           e.wake_at as "wakeAt", e.received, e.started_at as "startedAt",
           c.email, coalesce(c.subscribed, false) as subscribed, coalesce(c.data, '{}') as data,
           c.created_at as "contactCreatedAt", c.updated_at as "contactUpdatedAt",
           ${whySuppressed(ctx, of)} as suppressed,
           coalesce(p.disabled or p.closing is not null, true) as "projectDisabled", coalesce(p.name, '') as "projectName",
           coalesce(p.language, 'en') as language
      from (select * from json_to_recordset(${JSON.stringify(wanted)}::json)
                          as asked("projectId" uuid, "executionId" uuid, version int)
             order by "executionId") w
     cross join lateral (
           select x.*, x.ctid::text as ctid from workflow_executions x
            where x.project_id = w."projectId" and x.id = w."executionId" and x.version = w.version
              and x.completed_at is null
              for update) e
      left join lateral (select * from contacts where project_id = e.project_id and id = e.contact_id limit 1) c on true
      left join lateral (select * from projects where id = e.project_id limit 1) p on true`
}

export interface SavedExecution {
  id: string
  ctid: string
  projectId: string
  /** The status that it had when it was locked. */
  before: ExecutionStatus
  status: ExecutionStatus
  currentStepId: string | null
  isInside: boolean
  exitReason: string | null
  context: Values
  version: number
  hops: number
  waitEvent: string | null
  waitFrom: string | null
  wakeAt: Date | null
}

/**
 * Stores where locked executions stand now. The rows are found by their ctid, which can't change while they are locked. Lists and counts
 * are updated in the same statement: a statement of its own for each would cost as much as the work itself.
 */
export async function saveExecutions(ctx: Context, saved: readonly SavedExecution[]): Promise<void> {
  const now = ctx.clock.now()
  const left = ctx.sql`select project_id, workflow_id, id, before as status, started_at from moved`
  const moves = ctx.sql`
    select project_id, workflow_id, before as status, -1 as by from moved
     union all
    select project_id, workflow_id, status, 1 from moved`
  const [row] = await ctx.sql<{ count: number }[]>`
    with saved as (
      update workflow_executions e
         set status = r.status, current_step_id = r."currentStepId", is_inside = r."isInside", exit_reason = r."exitReason",
             context = r.context, version = r.version, hops = r.hops, wait_event = r."waitEvent", wait_from = r."waitFrom", wake_at = r."wakeAt",
             received = null, updated_at = ${now}::timestamptz,
             completed_at = case when r.status = any(${activeStatuses}::text[]) then null else ${now}::timestamptz end
        from json_to_recordset(${JSON.stringify(saved)}::json) as r(
             id uuid, ctid tid, "projectId" uuid, before text, status text, "currentStepId" uuid, "isInside" boolean,
             "exitReason" text, context jsonb, version int, hops smallint, "waitEvent" text, "waitFrom" uuid,
             "wakeAt" timestamptz)
       where e.ctid = any(${saved.map(({ ctid }) => ctid)}::text[]::tid[]) and e.ctid = r.ctid and e.id = r.id
      returning e.project_id, e.workflow_id, e.id, e.started_at, e.status, e.completed_at, r.before
    ), moved as materialized (
      select * from saved where status <> before
    ), gone as (
      delete from workflow_active where ${standing(ctx, ctx.sql`${left} where completed_at is not null`)}
    ), turned as (
      update workflow_active set status = case status when 'RUNNING' then 'WAITING' else 'RUNNING' end
       where ${standing(ctx, ctx.sql`${left} where completed_at is null`)}
    ), counted as (
      ${countedIn(ctx, moves)}
    )
    select count(*) as count from saved`
  if (row?.count !== saved.length) throw new Error('executions were stored that are not held')
}

export interface StartedExecution {
  id: string
  contactId: string
  /** Why it was refused and is FAILED; null if it runs. */
  exitReason: string | null
}

export interface NewExecution {
  id: string
  contactId: string
  sourceEventId: string | null
  context: Values
  hops: number
  /** Why it may not start; it is then recorded as FAILED. */
  refusal: string | null
}

export interface NewExecutions {
  projectId: string
  workflowId: string
  snapshotId: string
  stepId: string | null
  allowReentry: boolean
  maxStartsPerHour: number
  /** The reason recorded for the first start beyond that; the others are left out silently. */
  limitRefusal: string
  starts: readonly NewExecution[]
}

/**
 * Starts executions for those contacts that may enter; the others are left out silently. Whether a contact has been in before is checked
 * here, and two starts at once collide in the unique indexes. A refused start is a FAILED execution that was never moved (version 0); it
 * does not count as the contact's entry, but it does count among its starts, so that a loop can't write one in each of its rounds.
 */
export async function insertExecutions(ctx: Context, about: NewExecutions): Promise<StartedExecution[]> {
  const now = ctx.clock.now()
  const { projectId, workflowId, allowReentry, maxStartsPerHour } = about
  const status: ExecutionStatus = about.stepId === null ? 'COMPLETED' : 'RUNNING'
  return await ctx.sql<StartedExecution[]>`
    with asked as materialized (
      select r.*, row_number() over (partition by r."contactId" order by r.id) as nth, (
               select count(*) from (
                 select from workflow_executions o
                  where o.project_id = ${projectId}::uuid and o.contact_id = r."contactId" and o.workflow_id = ${workflowId}::uuid
                    and o.started_at > ${now}::timestamptz - interval '1 hour'
                  limit ${maxStartsPerHour + 1}::int) recent) as recent
        from json_to_recordset(${JSON.stringify(about.starts)}::json) as r(
             id uuid, "contactId" uuid, "sourceEventId" uuid, context jsonb, hops smallint, refusal text)
       where ${allowReentry}::boolean or not exists (
               select from workflow_executions o
                where o.project_id = ${projectId}::uuid and o.contact_id = r."contactId" and o.workflow_id = ${workflowId}::uuid
                  and not (o.outcome is not distinct from 'FAILED' and o.version = 0))
    ), judged as (
      select *, case when recent >= ${maxStartsPerHour}::int then ${about.limitRefusal} else refusal end as reason from asked
       where recent < ${maxStartsPerHour}::int or (recent = ${maxStartsPerHour}::int and nth = 1)
    ), started as (
      insert into workflow_executions (id, project_id, workflow_id, snapshot_id, contact_id, source_event_id, status,
                                       current_step_id, is_inside, exit_reason, context, version, hops, once, started_at,
                                       completed_at, created_at, updated_at)
      select id, ${projectId}::uuid, ${workflowId}::uuid, ${about.snapshotId}::uuid, "contactId", "sourceEventId",
             case when reason is null then ${status} else 'FAILED' end,
             case when reason is null then ${about.stepId}::uuid end, false, reason, context, 0, hops,
             ${!allowReentry} and reason is null, ${now}::timestamptz,
             case when reason is null then ${about.stepId === null ? now : null}::timestamptz else ${now}::timestamptz end,
             ${now}::timestamptz, ${now}::timestamptz
        from judged
       order by "contactId"
      on conflict do nothing
      returning project_id, workflow_id, id, contact_id, status, started_at, completed_at, exit_reason
    ), standing as (
      insert into workflow_active (project_id, workflow_id, status, started_at, execution_id)
      select project_id, workflow_id, status, started_at, id from started where completed_at is null
    ), counted as (
      ${countedIn(ctx, ctx.sql`select project_id, workflow_id, status, 1 as by from started`)}
    )
    select id, contact_id as "contactId", exit_reason as "exitReason" from started`
}

export interface Resumed {
  id: string
  version: number
}

/** Locks the active executions of some contacts; returns which of these have any. */
export async function holdActive(
  ctx: Context,
  projectId: string,
  contactIds: readonly string[],
): Promise<Map<string, string[]>> {
  const held = await ctx.sql<{ id: string; contactId: string }[]>`
    select id, contact_id as "contactId" from workflow_executions
     where project_id = ${projectId}::uuid and contact_id = any(${contactIds as string[]}::uuid[])
       and completed_at is null
     order by id for update`
  const byContact = new Map<string, string[]>()
  for (const { id, contactId } of held) byContact.set(contactId, [...(byContact.get(contactId) ?? []), id])
  return byContact
}

/**
 * Gives an event to those of the locked executions that wait for it. All active ones of its contact are locked first: one that is just
 * about to wait has looked for events before this one was visible, so the lock waits until it has stored its wait.
 */
export async function resumeExecutions(
  ctx: Context,
  projectId: string,
  held: readonly string[],
  event: ReceivedEvent,
  hops: number,
): Promise<Resumed[]> {
  const waiting = ctx.sql`
    project_id = ${projectId}::uuid and id = any(${held as string[]}::uuid[]) and status = 'WAITING'
       and wait_event = ${event.name} and wait_from < ${event.id}::uuid`
  const moves = ctx.sql`
    select project_id, workflow_id, status, -1 as by from chosen
     union all
    select project_id, workflow_id, 'RUNNING', 1 from chosen`
  return await ctx.sql<Resumed[]>`
    with chosen as materialized (
      select project_id, workflow_id, id, status, started_at, wake_at from workflow_executions where ${waiting}
    ), woken as (${timerDeletion(ctx, ctx.sql`select * from chosen where wake_at is not null`)}
    ), standing as (
      update workflow_active set status = 'RUNNING' where ${standing(ctx, ctx.sql`select * from chosen`)}
    ), counted as (${countedIn(ctx, moves)})
    update workflow_executions
       set status = 'RUNNING', version = version + 1, received = ${JSON.stringify(event)}::jsonb, wait_event = null, wake_at = null,
           hops = greatest(hops, ${hops}::smallint), updated_at = ${ctx.clock.now()}::timestamptz
     where ${waiting}
    returning id, version`
}

export interface NewerEvent {
  id: string
  data: Values | null
  hops: number
  createdAt: Date
}

/** The first event of the name past `from`, which is the id of an event or an id made from the moment when a wait began. */
export async function selectNewerEvent(
  ctx: Context,
  wanted: { projectId: string; contactId: string; name: string; from: string; since: Date },
): Promise<NewerEvent | undefined> {
  const [row] = await ctx.sql<NewerEvent[]>`
    select e.id, case when t.data is null then e.data else coalesce(e.data, '{}') || t.data end as data,
           coalesce(e.hops, 0) as hops, e.created_at as "createdAt"
      from events e left join event_transients t on t.project_id = e.project_id and t.event_id = e.id
     where e.project_id = ${wanted.projectId}::uuid and e.contact_id = ${wanted.contactId}::uuid and e.name = ${wanted.name}
       and e.created_at >= ${wanted.since}::timestamptz and e.id > ${wanted.from}::uuid
     order by e.created_at, e.id limit 1`
  return row
}

// Steps, transitions and references of a workflow. Whoever writes has the workflow's row locked, so a graph that was checked stays as it
// was until the change is committed; the unique indexes back that up.
import { and, eq, sql } from 'drizzle-orm'
import type { Context } from '../../../../../platform/context'
import { insertRows } from '../../../../../platform/db/insert-rows'
import type { WorkflowReferenceKind } from '../../words'
import { causedEvents, type Link } from '../loops'
import type { WorkflowReference } from '../references'
import { workflowReferences, workflowSteps, workflowTransitions } from '../schema'

export type StepRow = typeof workflowSteps.$inferSelect
export type TransitionRow = typeof workflowTransitions.$inferSelect

export interface StoredGraph {
  steps: StepRow[]
  transitions: TransitionRow[]
}

/** In the order of creation. */
export async function selectGraph(ctx: Context, projectId: string, workflowId: string): Promise<StoredGraph> {
  const [steps, transitions] = await Promise.all([
    ctx.sql<StepRow[]>`
      select id, project_id as "projectId", workflow_id as "workflowId", type, name, position, config,
             template_id as "templateId", created_at as "createdAt", updated_at as "updatedAt"
        from workflow_steps where project_id = ${projectId}::uuid and workflow_id = ${workflowId}::uuid order by id`,
    ctx.sql<TransitionRow[]>`
      select id, project_id as "projectId", workflow_id as "workflowId", from_step_id as "fromStepId",
             to_step_id as "toStepId", branch, wait_outcome as "waitOutcome", priority, automatic,
             created_at as "createdAt", updated_at as "updatedAt"
        from workflow_transitions where project_id = ${projectId}::uuid and workflow_id = ${workflowId}::uuid order by id`,
  ])
  return { steps, transitions }
}

export async function insertSteps(ctx: Context, rows: StepRow[]): Promise<void> {
  if (rows.length > 0) await ctx.db.insert(workflowSteps).values(rows)
}

export async function insertTransitions(ctx: Context, rows: TransitionRow[]): Promise<void> {
  if (rows.length > 0) await ctx.db.insert(workflowTransitions).values(rows)
}

/** Inserts new steps, and updates those that exist. */
export async function upsertSteps(ctx: Context, rows: StepRow[]): Promise<void> {
  if (rows.length === 0) return
  const { projectId, workflowId, id } = workflowSteps
  const set = {
    name: sql`excluded.name`,
    position: sql`excluded.position`,
    config: sql`excluded.config`,
    templateId: sql`excluded.template_id`,
    updatedAt: sql`excluded.updated_at`,
  }
  await ctx.db
    .insert(workflowSteps)
    .values(rows)
    .onConflictDoUpdate({ target: [projectId, workflowId, id], set })
}

/** Their edges have to be gone already. */
export async function deleteStepRows(
  ctx: Context,
  projectId: string,
  workflowId: string,
  ids: readonly string[],
): Promise<void> {
  await ctx.sql`
    delete from workflow_steps
     where project_id = ${projectId}::uuid and workflow_id = ${workflowId}::uuid and id = any(${ids as string[]}::uuid[])`
}

export type StepChange = Partial<Pick<StepRow, 'name' | 'position' | 'config' | 'templateId'>>

export async function updateStepRow(
  ctx: Context,
  step: Pick<StepRow, 'projectId' | 'workflowId' | 'id'>,
  change: StepChange,
): Promise<StepRow | undefined> {
  const [row] = await ctx.db
    .update(workflowSteps)
    .set({ ...change, updatedAt: ctx.clock.now() })
    .where(
      and(
        eq(workflowSteps.projectId, step.projectId),
        eq(workflowSteps.workflowId, step.workflowId),
        eq(workflowSteps.id, step.id),
      ),
    )
    .returning()
  return row
}

/** Turns an automatic edge into one that was asked for. */
export async function adoptTransition(
  ctx: Context,
  edge: Pick<TransitionRow, 'projectId' | 'workflowId' | 'id'>,
  priority: number,
): Promise<TransitionRow | undefined> {
  const [row] = await ctx.db
    .update(workflowTransitions)
    .set({ automatic: false, priority, updatedAt: ctx.clock.now() })
    .where(
      and(
        eq(workflowTransitions.projectId, edge.projectId),
        eq(workflowTransitions.workflowId, edge.workflowId),
        eq(workflowTransitions.id, edge.id),
      ),
    )
    .returning()
  return row
}

/** Deletes the step and its edges. */
export async function deleteStepRow(
  ctx: Context,
  projectId: string,
  workflowId: string,
  id: string,
): Promise<void> {
  await ctx.sql`
    with gone as (
      delete from workflow_transitions
       where project_id = ${projectId}::uuid and workflow_id = ${workflowId}::uuid
         and (from_step_id = ${id}::uuid or to_step_id = ${id}::uuid)
    )
    delete from workflow_steps
     where project_id = ${projectId}::uuid and workflow_id = ${workflowId}::uuid and id = ${id}::uuid`
}

export async function retargetTransitions(
  ctx: Context,
  projectId: string,
  workflowId: string,
  ids: readonly string[],
  toStepId: string,
): Promise<void> {
  await ctx.sql`
    update workflow_transitions set to_step_id = ${toStepId}::uuid, updated_at = ${ctx.clock.now()}::timestamptz
     where project_id = ${projectId}::uuid and workflow_id = ${workflowId}::uuid and id = any(${ids as string[]}::uuid[])`
}

/** Returns how many there were. */
export async function deleteTransitions(
  ctx: Context,
  projectId: string,
  workflowId: string,
  ids: readonly string[],
): Promise<number> {
  const gone = await ctx.sql`
    delete from workflow_transitions
     where project_id = ${projectId}::uuid and workflow_id = ${workflowId}::uuid and id = any(${ids as string[]}::uuid[])`
  return gone.count
}

export async function replaceWorkflowReferences(
  ctx: Context,
  projectId: string,
  workflowId: string,
  references: readonly WorkflowReference[],
): Promise<void> {
  await ctx.sql`
    delete from workflow_references where project_id = ${projectId}::uuid and workflow_id = ${workflowId}::uuid`
  const rows = references.map(({ kind, name }) => ({ projectId, workflowId, kind, name }))
  await insertRows(ctx, workflowReferences, ['projectId', 'kind', 'name', 'workflowId'], rows)
}

export interface WorkflowName {
  id: string
  name: string
}

/** The workflows that name this, ordered by name. */
export async function selectWorkflowsNaming(
  ctx: Context,
  projectId: string,
  kind: WorkflowReferenceKind,
  name: string,
): Promise<WorkflowName[]> {
  return await ctx.sql<WorkflowName[]>`
    select w.id, w.name
      from workflow_references r join workflows w on w.project_id = r.project_id and w.id = r.workflow_id
     where r.project_id = ${projectId}::uuid and r.kind = ${kind} and r.name = ${name}
     order by w.name, w.id`
}

/** Whether an enabled workflow names one of these. */
export async function isNamedByEnabled(
  ctx: Context,
  projectId: string,
  kind: WorkflowReferenceKind,
  names: readonly string[],
): Promise<boolean> {
  const rows = await ctx.sql<Array<{ id: string }>>`
    select w.id from workflow_references r join workflows w on w.project_id = r.project_id and w.id = r.workflow_id
     where r.project_id = ${projectId}::uuid and r.kind = ${kind} and r.name = any(${[...names]}::text[]) and w.enabled limit 1`
  return rows.length > 0
}

/** Whether an enabled workflow has a step with one of the templates. */
export async function isSentByEnabled(
  ctx: Context,
  projectId: string,
  templateIds: readonly string[],
): Promise<boolean> {
  const rows = await ctx.sql<Array<{ id: string }>>`
    select s.id from workflow_steps s join workflows w on w.project_id = s.project_id and w.id = s.workflow_id
     where s.project_id = ${projectId}::uuid and s.template_id = any(${[...templateIds]}::uuid[]) and w.enabled limit 1`
  return rows.length > 0
}

/** Whether an enabled workflow starts with changes that are made to many contacts at once. */
export async function isBulkTakenByEnabled(ctx: Context, projectId: string): Promise<boolean> {
  const rows = await ctx.sql`
    select 1 from workflows
     where project_id = ${projectId}::uuid and enabled and include_bulk_changes and trigger_type = 'EVENT' limit 1`
  return rows.length > 0
}

/** Whether the workflow is enabled; false where there is none. */
export async function isEnabled(ctx: Context, projectId: string, id: string): Promise<boolean> {
  const rows = await ctx.sql<Array<{ id: string }>>`
    select id from workflows where project_id = ${projectId}::uuid and id = ${id}::uuid and enabled`
  return rows.length > 0
}

export interface TemplateUse {
  id: string
  name: string
  workflowId: string
  workflowName: string
}

/** The steps that send a template. */
export async function selectStepsUsingTemplate(
  ctx: Context,
  projectId: string,
  templateId: string,
): Promise<TemplateUse[]> {
  return await ctx.sql<TemplateUse[]>`
    select s.id, s.name, w.id as "workflowId", w.name as "workflowName"
      from workflow_steps s join workflows w on w.project_id = s.project_id and w.id = s.workflow_id
     where s.project_id = ${projectId}::uuid and s.template_id = ${templateId}::uuid
     order by w.name, s.name, s.id`
}

export interface TemplateName {
  id: string
  name: string
}

export async function selectTemplateNames(
  ctx: Context,
  projectId: string,
  ids: readonly string[],
): Promise<TemplateName[]> {
  return await ctx.sql<TemplateName[]>`
    select id, name from templates where project_id = ${projectId}::uuid and id = any(${ids as string[]}::uuid[])`
}

/** Keeps these templates from being deleted until the transaction ends; returns those that are there. */
export async function holdTemplates(
  ctx: Context,
  projectId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await ctx.sql<{ id: string }[]>`
    select id from templates where project_id = ${projectId}::uuid and id = any(${ids as string[]}::uuid[])
     order by id for share`
  return new Set(rows.map(({ id }) => id))
}

/** Keeps the template from being deleted until the transaction ends; false if there is none. */
export async function holdTemplate(ctx: Context, projectId: string, id: string): Promise<boolean> {
  const rows = await ctx.sql`
    select 1 from templates where project_id = ${projectId}::uuid and id = ${id}::uuid for share`
  return rows.length > 0
}

/** The workflow, enabled or not, and all others that are enabled, allow re-entry, and start with an event that steps cause. */
export async function selectLinks(ctx: Context, projectId: string, workflowId: string): Promise<Link[]> {
  return await ctx.sql<Link[]>`
    select w.id, w.name, w.event_name as trigger,
           bool_or(s.type = 'SEND_EMAIL') as sends,
           coalesce(bool_or(s.type = 'UPDATE_CONTACT' and s.config ->> 'subscriptionAction' = 'subscribe'), false) as subscribes,
           coalesce(bool_or(s.type = 'UPDATE_CONTACT' and s.config ->> 'subscriptionAction' = 'unsubscribe'), false) as unsubscribes
      from workflows w join workflow_steps s on s.project_id = w.project_id and s.workflow_id = w.id
     where w.project_id = ${projectId}::uuid and w.allow_reentry and w.event_name = any(${causedEvents}::text[])
       and (w.enabled or w.id = ${workflowId}::uuid)
     group by w.id, w.name, w.event_name
     order by w.id`
}

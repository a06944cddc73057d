// The workflows themselves: reading, listing, changing.
import { and, asc, count, desc, eq, ilike, or, type SQL, sql } from 'drizzle-orm'
import type { Direction, Page } from '../../../../../lib/paging'
import type { Context } from '../../../../../platform/context'
import type { ExecutionStatus } from '../../words'
import { workflows } from '../schema'

export const workflowSortKeys = ['name', 'createdAt', 'updatedAt', 'steps'] as const

export type WorkflowSortKey = (typeof workflowSortKeys)[number]

export type WorkflowRow = typeof workflows.$inferSelect

export async function insertWorkflow(ctx: Context, row: WorkflowRow): Promise<void> {
  await ctx.db.insert(workflows).values(row)
}

export async function selectWorkflow(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<WorkflowRow | undefined> {
  const [row] = await ctx.sql<WorkflowRow[]>`
    select ${workflowColumns(ctx)} from workflows w where w.project_id = ${projectId}::uuid and w.id = ${id}::uuid`
  return row
}

/**
 * Locks the workflow until the transaction ends: `use` keeps it from being deleted, `change` allows one change at a time, `delete` waits
 * for all of those.
 */
export async function lockWorkflow(
  ctx: Context,
  projectId: string,
  id: string,
  purpose: 'use' | 'change' | 'delete',
): Promise<WorkflowRow | undefined> {
  const locks = {
    use: ctx.sql`for key share`,
    change: ctx.sql`for no key update`,
    delete: ctx.sql`for update`,
  }
  const [row] = await ctx.sql<WorkflowRow[]>`
    select ${workflowColumns(ctx)} from workflows w
     where w.project_id = ${projectId}::uuid and w.id = ${id}::uuid ${locks[purpose]}`
  return row
}

export function workflowColumns(ctx: Context) {
  return ctx.sql`
    w.id, w.project_id as "projectId", w.name, w.description, w.enabled, w.trigger_type as "triggerType",
    w.trigger_config as "triggerConfig", w.event_name as "eventName", w.allow_reentry as "allowReentry",
    w.max_starts_per_hour as "maxStartsPerHour", w.include_bulk_changes as "includeBulkChanges", w.revision,
    w.next_run_at as "nextRunAt", w.created_at as "createdAt", w.updated_at as "updatedAt"`
}

export type WorkflowChange = Partial<Omit<WorkflowRow, 'id' | 'projectId' | 'createdAt' | 'updatedAt'>>

export async function updateWorkflowRow(
  ctx: Context,
  projectId: string,
  id: string,
  change: WorkflowChange,
): Promise<WorkflowRow | undefined> {
  const [row] = await ctx.db
    .update(workflows)
    .set({ ...change, updatedAt: ctx.clock.now() })
    .where(and(eq(workflows.projectId, projectId), eq(workflows.id, id)))
    .returning()
  return row
}

/** Notes that steps, transitions or anything else in a snapshot has changed. */
export async function raiseRevision(ctx: Context, projectId: string, id: string): Promise<void> {
  await ctx.sql`
    update workflows set revision = revision + 1, updated_at = ${ctx.clock.now()}::timestamptz
     where project_id = ${projectId}::uuid and id = ${id}::uuid`
}

export interface WorkflowListing {
  /** Part of name or description. */
  search?: string
  enabled?: boolean
  sort: WorkflowSortKey
  dir: Direction
}

export interface ListedWorkflow extends WorkflowRow {
  steps: number
}

export type ExecutionCounts = Record<ExecutionStatus, number>

export interface CountedWorkflow extends ListedWorkflow {
  executions: ExecutionCounts
}

/** Columns by name: the builder omits the table where there is only one, and inside the subquery the name would mean another column. */
const stepCount = sql`(
  select count(*) from workflow_steps s where s.project_id = workflows.project_id and s.workflow_id = workflows.id)`.mapWith(
  Number,
)

export async function selectWorkflows(
  ctx: Context,
  projectId: string,
  listing: WorkflowListing,
  page: Page,
): Promise<ListedWorkflow[]> {
  const order = listing.dir === 'asc' ? asc : desc
  const rows = await ctx.db
    .select({ workflow: workflows, steps: stepCount })
    .from(workflows)
    .where(matching(projectId, listing))
    .orderBy(order(listing.sort === 'steps' ? stepCount : workflows[listing.sort]), order(workflows.id))
    .limit(page.pageSize)
    .offset(page.offset)
  return rows.map(({ workflow, steps }) => ({ ...workflow, steps }))
}

export async function countWorkflows(
  ctx: Context,
  projectId: string,
  listing: WorkflowListing,
): Promise<number> {
  const [row] = await ctx.db.select({ total: count() }).from(workflows).where(matching(projectId, listing))
  return row?.total ?? 0
}

function matching(projectId: string, { search, enabled }: WorkflowListing): SQL | undefined {
  const pattern = search && `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return and(
    eq(workflows.projectId, projectId),
    enabled === undefined ? undefined : eq(workflows.enabled, enabled),
    pattern ? or(ilike(workflows.name, pattern), ilike(workflows.description, pattern)) : undefined,
  )
}

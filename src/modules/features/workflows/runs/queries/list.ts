// The list of a workflow's executions. Which ones are on a page is read from an index alone, from its nearer end, and rows are fetched
// for those only: skipping 100,000 entries takes a few milliseconds; fetching as many rows takes a hundred.
import { and, count, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { type Cursor, cursorDate, decodeCursor } from '../../../../../lib/cursor'
import type { Page } from '../../../../../lib/paging'
import type { Context } from '../../../../../platform/context'
import type { ExecutionStatus } from '../../words'
import { isActive } from '../engine'
import { workflowActive, workflowExecutions } from '../schema'
import { countExecutions } from './counts'
import { type ListedExecution, withContacts } from './history'

export interface ExecutionListing {
  workflowId: string
  status?: ExecutionStatus
  contactId?: string
  /** Only active ones that are at this step. */
  stepId?: string
  /** The page begins past this one, instead of by a page number. */
  after?: ExecutionPosition
}

/** How many executions a list holds: from the kept counts, or for one contact or step by counting them. */
export async function countListed(
  ctx: Context,
  projectId: string,
  listing: ExecutionListing,
): Promise<number> {
  const { workflowId, status } = listing
  if (!isNarrow(listing)) {
    const counts = await countExecutions(ctx, projectId, [workflowId], status && [status])
    return counts.get(workflowId) ?? 0
  }
  const [row] = await ctx.db
    .select({ total: count() })
    .from(workflowExecutions)
    .where(narrowed(projectId, listing))
  return row?.total ?? 0
}

/** A page of a list of `total`, newest first; one more than asked for where it begins past another. */
export async function selectExecutions(
  ctx: Context,
  projectId: string,
  listing: ExecutionListing,
  { pageSize, offset }: Page,
  total: number,
): Promise<ListedExecution[]> {
  const { rows, id } = entriesOf(projectId, listing)
  const { after } = listing
  if (after) {
    const behind = sql`(started_at, ${id}) < (${after.startedAt.toISOString()}::timestamptz, ${after.id}::uuid)`
    const newest = sql`order by started_at desc, ${id} desc`
    return await withRows(
      ctx,
      projectId,
      sql`array(select ${id} ${rows} and ${behind} ${newest} limit ${pageSize + 1})`,
    )
  }
  const size = Math.min(pageSize, total - offset)
  if (size <= 0) return []
  const isFar = offset > total / 2
  const [from, direction] = isFar ? [total - offset - size, sql`asc`] : [offset, sql`desc`]
  const ids = sql`array(
    select ${id} ${rows} order by started_at ${direction}, ${id} ${direction} limit ${size} offset ${from})`
  return await withRows(ctx, projectId, ids)
}

async function withRows(ctx: Context, projectId: string, ids: SQL): Promise<ListedExecution[]> {
  const found = await withContacts(ctx)
    .where(and(eq(workflowExecutions.projectId, projectId), sql`${workflowExecutions.id} = any(${ids})`))
    .orderBy(sql`${workflowExecutions.startedAt} desc, ${workflowExecutions.id} desc`)
  return found.map(({ execution, email }) => ({ ...execution, email }))
}

/** Where the entries of a list are found in order. */
function entriesOf(projectId: string, listing: ExecutionListing): { rows: SQL; id: SQL } {
  const id = sql`id`
  const { workflowId, status } = listing
  if (isNarrow(listing))
    // Materialised, or a plan for any contact could go through all executions of the workflow in their order.
    return {
      rows: sql`from (with own as materialized (
        select id, started_at from ${workflowExecutions} where ${narrowed(projectId, listing)})
        select * from own) as own where true`,
      id,
    }
  const own = sql`project_id = ${projectId} and workflow_id = ${workflowId}`
  if (!status) return { rows: sql`from ${workflowExecutions} where ${own}`, id }
  return isActive(status)
    ? { rows: sql`from ${workflowActive} where ${own} and status = ${status}`, id: sql`execution_id` }
    : { rows: sql`from ${workflowExecutions} where ${own} and outcome = ${status}`, id }
}

const isNarrow = ({ contactId, stepId }: ExecutionListing): boolean =>
  contactId !== undefined || stepId !== undefined

/** Those of a contact, or at a step, for which no count is kept. */
function narrowed(projectId: string, { workflowId, status, contactId, stepId }: ExecutionListing) {
  return and(
    eq(workflowExecutions.projectId, projectId),
    eq(workflowExecutions.workflowId, workflowId),
    contactId === undefined ? undefined : eq(workflowExecutions.contactId, contactId),
    stepId === undefined
      ? undefined
      : and(eq(workflowExecutions.currentStepId, stepId), isNull(workflowExecutions.completedAt)),
    status && eq(workflowExecutions.status, status),
  )
}

export interface ExecutionPosition {
  startedAt: Date
  id: string
}

export function readExecutionPosition(cursor: string | undefined): ExecutionPosition | undefined {
  const position = decodeCursor(cursor)
  return position && { startedAt: cursorDate(position), id: position.id }
}

export function positionOf({ startedAt, id }: ExecutionPosition): Cursor {
  return { value: startedAt.toISOString(), id }
}

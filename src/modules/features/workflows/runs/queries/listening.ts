// Who is to be started: workflows by event, by clock, and the contacts that a schedule is for.
import { and, asc, eq, gt, lte, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../../platform/context'
import { contacts } from '../../../../audience/contacts'
import { type WorkflowRow, workflowColumns } from '../../definition/queries/definitions'

/** The enabled workflows that events of these names start, protected from being deleted meanwhile. None in a disabled project. */
export async function holdTriggered(
  ctx: Context,
  projectId: string,
  eventNames: readonly string[],
): Promise<WorkflowRow[]> {
  return await ctx.sql<WorkflowRow[]>`
    select ${workflowColumns(ctx)} from workflows w
     where w.project_id = ${projectId}::uuid and w.event_name = any(${eventNames as string[]}::text[]) and w.enabled
       and not exists (select from projects p where p.id = ${projectId}::uuid and (p.disabled or p.closing is not null))
     order by w.id for key share of w`
}

/** Moves the next tick of a schedule on, if it is still the one that the caller knows. */
export async function claimRun(
  ctx: Context,
  projectId: string,
  workflowId: string,
  at: Date,
  next: Date | null,
): Promise<boolean> {
  const claimed = await ctx.sql`
    update workflows set next_run_at = ${next}::timestamptz
     where project_id = ${projectId}::uuid and id = ${workflowId}::uuid and enabled and next_run_at = ${at}::timestamptz`
  return claimed.count === 1
}

export interface OverdueRun {
  id: string
  projectId: string
  nextRunAt: Date
}

/** Schedules whose tick has passed without being taken: their job was lost. */
export async function selectOverdue(ctx: Context, before: Date, limit: number): Promise<OverdueRun[]> {
  return await ctx.sql<OverdueRun[]>`
    select id, project_id as "projectId", next_run_at as "nextRunAt" from workflows
     where next_run_at <= ${before}::timestamptz order by next_run_at limit ${limit}`
}

/** A page of contacts that existed at `until`, by id; `where` is a condition on the table contacts. */
export async function selectContactIds(
  ctx: Context,
  projectId: string,
  page: { after: string; until: Date; limit: number; where?: SQL },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: contacts.id })
    .from(contacts)
    .where(
      and(
        eq(contacts.projectId, projectId),
        gt(contacts.id, page.after),
        lte(contacts.createdAt, page.until),
        page.where,
      ),
    )
    .orderBy(asc(contacts.id))
    .limit(page.limit)
  return rows.map(row => row.id)
}

/** Keeps the contact from being deleted until the transaction ends; false if there is none. */
export async function holdContact(ctx: Context, projectId: string, contactId: string): Promise<boolean> {
  const rows = await ctx.sql`
    select 1 from contacts where project_id = ${projectId}::uuid and id = ${contactId}::uuid for key share`
  return rows.length > 0
}

export async function isProjectDisabled(ctx: Context, projectId: string): Promise<boolean> {
  const rows =
    await ctx.sql`select 1 from projects where id = ${projectId}::uuid and not disabled and closing is null`
  return rows.length === 0
}

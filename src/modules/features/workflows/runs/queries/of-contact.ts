// The executions of one contact, in any workflow.
import type { Context } from '../../../../../platform/context'
import type { ExecutionStatus } from '../../words'

export interface ContactExecution {
  id: string
  workflowId: string
  workflowName: string
  status: ExecutionStatus
  startedAt: Date
  completedAt: Date | null
}

/** The newest, of workflows that still exist. A contact has few, and an index finds them. */
export async function selectContactExecutions(
  ctx: Context,
  projectId: string,
  contactId: string,
  limit: number,
): Promise<ContactExecution[]> {
  return await ctx.sql<ContactExecution[]>`
    select x.id, x.workflow_id as "workflowId", w.name as "workflowName", x.status, x.started_at as "startedAt",
           x.completed_at as "completedAt"
      from workflow_executions x join workflows w on w.project_id = x.project_id and w.id = x.workflow_id
     where x.project_id = ${projectId}::uuid and x.contact_id = ${contactId}::uuid
     order by x.started_at desc, x.id desc limit ${limit}`
}

/** Those that may be there only once for a contact, and that the other has as well, stay with the one that goes. */
export async function moveExecutionsOfContact(
  ctx: Context,
  { projectId, from, to }: { projectId: string; from: string; to: string },
): Promise<void> {
  await ctx.sql`
    update workflow_executions e set contact_id = ${to}::uuid
     where e.project_id = ${projectId}::uuid and e.contact_id = ${from}::uuid
       and not exists (select from workflow_executions k
                        where k.project_id = ${projectId}::uuid and k.contact_id = ${to}::uuid and k.workflow_id = e.workflow_id
                          and (k.once and e.once or k.completed_at is null and e.completed_at is null))`
}

/** Which of the contacts are or were in a workflow. */
export async function contactsWithExecutions(
  ctx: Context,
  { projectId, contactIds }: { projectId: string; contactIds: readonly string[] },
): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    select a.id from unnest(${contactIds as string[]}::uuid[]) as a(id)
     where exists (select from workflow_executions x where x.project_id = ${projectId}::uuid and x.contact_id = a.id)`
  return rows.map(({ id }) => id)
}

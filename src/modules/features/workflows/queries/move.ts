// Executions of two contacts that became one.
import type { Context } from '../../../../platform/context'

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

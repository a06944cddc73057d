// Requests of two contacts that became one.
import type { Context } from '../../../platform/context'

export async function moveRequestsOfContact(
  ctx: Context,
  { projectId, from, to }: { projectId: string; from: string; to: string },
): Promise<void> {
  await ctx.sql`
    update form_requests set contact_id = ${to}::uuid
     where project_id = ${projectId}::uuid and contact_id = ${from}::uuid`
}

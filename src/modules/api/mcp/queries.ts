// All SQL of the MCP server.
import type { Context } from '../../../platform/context'

/** True for the one caller that uses the confirmation first. Takes along those of the project that are over, so that none pile up. */
export async function takeConfirmation(
  ctx: Context,
  projectId: string,
  { id, expiresAt }: { id: string; expiresAt: Date },
): Promise<boolean> {
  const rows = await ctx.sql`
    with gone as (
      delete from mcp_confirmations
       where project_id = ${projectId}::uuid and expires_at < ${ctx.clock.now()}::timestamptz
    )
    insert into mcp_confirmations (project_id, id, expires_at)
    values (${projectId}::uuid, ${id}::uuid, ${expiresAt}::timestamptz)
    on conflict (project_id, id) do nothing
    returning 1`
  return rows.length > 0
}

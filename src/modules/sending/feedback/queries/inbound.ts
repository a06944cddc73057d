// Which projects inbound mail belongs to.
import type { Context } from '../../../../platform/context'

/** The projects that hold each of the domains: by proof, or as a sandbox domain where mail never leaves. */
export async function findHolders(
  ctx: Context,
  domains: readonly string[],
  withSandbox: boolean,
): Promise<Array<{ projectId: string; domain: string }>> {
  return await ctx.sql<Array<{ projectId: string; domain: string }>>`
    select project_id as "projectId", domain from domains
     where domain = any(${domains as string[]}::text[]) and verified and (not sandbox or ${withSandbox}::boolean)
     order by project_id`
}

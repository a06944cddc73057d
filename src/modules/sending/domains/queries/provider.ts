// What concerns a name across projects: who else claims it, what the provider wants published for it, and who may not have it.
import type { Context } from '../../../../platform/context'

/** Locks the name until the transaction ends, so that two claims made at once see each other. */
export async function lockName(ctx: Context, domain: string): Promise<void> {
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`domain ${domain}`}, 0))`
}

/** Marks the unproven claims of a name as contested; returns whether there are others at all. */
export async function contest(ctx: Context, projectId: string, domain: string): Promise<boolean> {
  const [row] = await ctx.sql<{ others: boolean }[]>`
    with marked as (
      update domains set contested = true where domain = ${domain} and project_id <> ${projectId}::uuid and not verified
    )
    select exists (select from domains where domain = ${domain} and project_id <> ${projectId}::uuid) as others`
  return row!.others
}

export async function isClaimed(ctx: Context, domain: string): Promise<boolean> {
  const rows = await ctx.sql`select 1 from domains where domain = ${domain} limit 1`
  return rows.length > 0
}

/** Keeps what the provider wants published. What was once contested stays so. */
export async function saveTokens(
  ctx: Context,
  { projectId, id }: { projectId: string; id: string },
  provided: { tokens: string[]; zone: string; contested: boolean },
): Promise<void> {
  await ctx.sql`
    update domains
       set dkim_tokens = ${JSON.stringify(provided.tokens)}::text::jsonb, dkim_zone = ${provided.zone},
           contested = contested or ${provided.contested}::boolean, updated_at = ${ctx.clock.now()}::timestamptz
     where project_id = ${projectId}::uuid and id = ${id}::uuid`
}

/** Whether a disabled project holds a name under the same registered domain: it must not come back in another way. */
export async function isBarred(ctx: Context, projectId: string, organisation: string): Promise<boolean> {
  const rows = await ctx.sql`
    select 1 from domains d join projects p on p.id = d.project_id
     where p.disabled and d.verified and not d.sandbox and d.project_id <> ${projectId}::uuid
       and (d.domain = ${organisation} or right(d.domain, char_length(${organisation}::text) + 1) = '.' || ${organisation}::text)
     limit 1`
  return rows.length > 0
}

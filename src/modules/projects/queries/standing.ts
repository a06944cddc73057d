// Whether a project may send, and whom that concerns.
import type { Context } from '../../../platform/context'
import type { DisabledReason } from '../schema'

/** Its name, for the one caller that disabled it. */
export async function disableProject(
  ctx: Context,
  projectId: string,
  reason: DisabledReason,
): Promise<string | undefined> {
  const [row] = await ctx.sql<{ name: string }[]>`
    update projects set disabled = true, disabled_reason = ${reason}, updated_at = ${ctx.clock.now()}::timestamptz
     where id = ${projectId}::uuid and not disabled
    returning name`
  return row?.name
}

/** Its name, for the one caller that enabled it; with `only`, where it was disabled for that reason. */
export async function enableProject(
  ctx: Context,
  projectId: string,
  only?: DisabledReason,
): Promise<string | undefined> {
  const [row] = await ctx.sql<{ name: string }[]>`
    update projects set disabled = false, disabled_reason = null, updated_at = ${ctx.clock.now()}::timestamptz
     where id = ${projectId}::uuid and disabled and (${only ?? null}::text is null or disabled_reason = ${only ?? null}::text)
    returning name`
  return row?.name
}

export async function isDisabled(ctx: Context, projectId: string): Promise<boolean> {
  const rows = await ctx.sql`select 1 from projects where id = ${projectId}::uuid and disabled`
  return rows.length > 0
}

export async function selectMemberAddresses(ctx: Context, projectId: string): Promise<string[]> {
  const rows = await ctx.sql<{ email: string }[]>`
    select u.email from memberships m join users u on u.id = m.user_id
     where m.project_id = ${projectId}::uuid order by m.created_at, m.user_id`
  return rows.map(row => row.email)
}

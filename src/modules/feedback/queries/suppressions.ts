// The list of suppressed addresses as people see and change it.
import type { Context } from '../../../platform/context'

export interface SuppressionRow {
  email: string
  reason: 'bounce' | 'complaint' | 'manual'
  source: string
  emailId: string | null
  createdAt: Date
}

export interface SuppressionFilter {
  reason: SuppressionRow['reason'] | null
  email: string | null
}

/** Newest first, behind the given position. */
export async function pageOfSuppressions(
  ctx: Context,
  projectId: string,
  { reason, email }: SuppressionFilter,
  after: { createdAt: Date; email: string } | undefined,
  limit: number,
): Promise<SuppressionRow[]> {
  const { sql } = ctx
  const behind = after
    ? sql`and created_at <= ${after.createdAt} and (created_at < ${after.createdAt} or email > ${after.email})`
    : sql``
  return await sql<SuppressionRow[]>`
    select email, reason, source, email_id as "emailId", created_at as "createdAt" from suppressions
     where project_id = ${projectId}::uuid ${reason === null ? sql`` : sql`and reason = ${reason}`}
       ${email === null ? sql`` : sql`and email = ${email}`} ${behind}
     order by created_at desc, email limit ${limit}`
}

/** Counted up to this; who has more suppressed addresses does not look at the number. */
const mostCounted = 100_000

export async function countSuppressions(
  ctx: Context,
  projectId: string,
  { reason, email }: SuppressionFilter,
): Promise<number> {
  const { sql } = ctx
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total
      from (select from suppressions
             where project_id = ${projectId}::uuid ${reason === null ? sql`` : sql`and reason = ${reason}`}
               ${email === null ? sql`` : sql`and email = ${email}`}
             limit ${mostCounted}) as counted`
  return row?.total ?? 0
}

/** Adds addresses by hand; answers those that were not there. */
export async function addSuppressions(
  ctx: Context,
  projectId: string,
  emails: readonly string[],
  source: string,
): Promise<string[]> {
  const rows = await ctx.sql<{ email: string }[]>`
    insert into suppressions (project_id, email, reason, source, created_at)
    select ${projectId}::uuid, email, 'manual', ${source}, ${ctx.clock.now()}::timestamptz
      from unnest(${emails as string[]}::text[]) as email
     order by email
    on conflict do nothing
    returning email`
  return rows.map(row => row.email)
}

/** Answers the reason that it had; undefined where it was not there. */
export async function deleteSuppression(
  ctx: Context,
  projectId: string,
  email: string,
): Promise<SuppressionRow['reason'] | undefined> {
  const [row] = await ctx.sql<{ reason: SuppressionRow['reason'] }[]>`
    delete from suppressions where project_id = ${projectId}::uuid and email = ${email} returning reason`
  return row?.reason
}

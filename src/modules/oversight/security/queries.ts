// All SQL about a project's standing: its figures, and its suspensions.

import { desc, eq } from 'drizzle-orm'
import type { Context } from '../../../platform/context'
import type { DisabledReason } from '../../accounts/projects'
import type { Counted } from './rules'
import { type SuspensionRow, suspensions } from './schema'

export interface AssessedProject {
  id: string
  name: string
  disabled: boolean
  disabledReason: DisabledReason | null
  createdAt: Date
  /** When it was last resumed. */
  liftedAt: Date | null
}

export async function selectAssessed(ctx: Context, projectId: string): Promise<AssessedProject | undefined> {
  const [row] = await ctx.sql<AssessedProject[]>`
    select p.id, p.name, p.disabled, p.disabled_reason as "disabledReason", p.created_at as "createdAt",
           (select max(lifted_at) from project_suspensions s where s.project_id = p.id) as "liftedAt"
      from projects p where p.id = ${projectId}::uuid`
  return row
}

/** The next projects of the instance in the order in which they were made. */
export async function pageOfProjects(
  ctx: Context,
  after: string | undefined,
  limit: number,
): Promise<AssessedProject[]> {
  return await ctx.sql<AssessedProject[]>`
    select id, name, disabled, disabled_reason as "disabledReason", created_at as "createdAt", null::timestamptz as "liftedAt"
      from projects where ${after ?? null}::uuid is null or id > ${after ?? null}::uuid order by id limit ${limit}`
}

/** Messages made on the days after `day` (null: ever), in UTC, and their hard bounces and complaints. */
export async function selectLongRun(ctx: Context, projectId: string, day: string | null): Promise<Counted> {
  const [row] = await ctx.sql<Counted[]>`
    select coalesce(sum(created), 0)::bigint as total, coalesce(sum(bounced), 0)::bigint as bounces,
           coalesce(sum(complained), 0)::bigint as complaints
      from (select created, bounced, complained from email_days
             where project_id = ${projectId}::uuid and not is_simulated and (${day}::text is null or day > ${day}::text::date)
             union all
            select created, bounced, complained from email_day_deltas
             where project_id = ${projectId}::uuid and not is_simulated
               and (${day}::text is null or (hour at time zone 'UTC')::date > ${day}::text::date)) as parts`
  return row!
}

export async function selectSuspensions(ctx: Context, projectId: string): Promise<SuspensionRow[]> {
  return await ctx.db
    .select()
    .from(suspensions)
    .where(eq(suspensions.projectId, projectId))
    .orderBy(desc(suspensions.at), desc(suspensions.id))
    .limit(20)
}

export async function insertSuspension(ctx: Context, row: Omit<SuspensionRow, 'liftedAt'>): Promise<void> {
  await ctx.sql`
    insert into project_suspensions (id, project_id, reason, findings, at)
    values (${row.id}::uuid, ${row.projectId}::uuid, ${row.reason}, ${JSON.stringify(row.findings)}::jsonb, ${row.at})`
}

/** Notes that the project's suspensions are over. */
export async function liftSuspensions(ctx: Context, projectId: string): Promise<void> {
  await ctx.sql`
    update project_suspensions set lifted_at = greatest(at, ${ctx.clock.now()}::timestamptz)
     where project_id = ${projectId}::uuid and lifted_at is null`
}

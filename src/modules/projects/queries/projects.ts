// Rows of projects.
import { and, eq, sql } from 'drizzle-orm'
import type { Context } from '../../../platform/context'
import { type DefaultSender, projects } from '../schema'

export type ProjectRow = typeof projects.$inferSelect
/** Leaves out what has a default. */
export type NewProjectRow = Omit<
  ProjectRow,
  | 'disabled'
  | 'disabledReason'
  | 'tracking'
  | 'language'
  | 'closing'
  | 'closedAt'
  | 'defaultSender'
  | 'secondFactorRequired'
  | 'keepsOptOuts'
  | 'keepsClients'
  | 'offersData'
  | 'timeZone'
  | 'timeZoneField'
  | 'quietHours'
  | 'mailCap'
>

export async function insertProject(ctx: Context, row: NewProjectRow): Promise<ProjectRow> {
  const [inserted] = await ctx.db.insert(projects).values(row).returning()
  return inserted!
}

export type ProjectChanges = Partial<Omit<ProjectRow, 'id' | 'createdAt' | 'updatedAt'>>

/** Undefined if there is none, or if it was changed since `expected`. */
export async function updateProject(
  ctx: Context,
  projectId: string,
  changes: ProjectChanges,
  expected?: Date,
): Promise<ProjectRow | undefined> {
  const isExpected =
    expected &&
    sql`date_trunc('milliseconds', ${projects.updatedAt}) = ${expected.toISOString()}::timestamptz`
  const [row] = await ctx.db
    .update(projects)
    .set({ ...changes, updatedAt: ctx.clock.now() })
    .where(and(eq(projects.id, projectId), isExpected))
    .returning()
  return row
}

export async function selectProject(ctx: Context, projectId: string): Promise<ProjectRow | undefined> {
  const [row] = await ctx.db.select().from(projects).where(eq(projects.id, projectId))
  return row
}

/** The sender for sends that name none. */
export async function selectDefaultSender(ctx: Context, projectId: string): Promise<DefaultSender | null> {
  const [row] = await ctx.db
    .select({ defaultSender: projects.defaultSender })
    .from(projects)
    .where(eq(projects.id, projectId))
  return row?.defaultSender ?? null
}

// Rows of memberships: which user belongs to which project.
import { eq } from 'drizzle-orm'
import type { Context } from '../../../platform/context'
import { memberships, projects, type Role } from '../schema'
import type { ProjectRow } from './projects'

/** The projects of a user in the order of joining. */
export async function selectProjectsOfUser(
  ctx: Context,
  userId: string,
): Promise<{ project: ProjectRow; role: Role }[]> {
  return await ctx.db
    .select({ project: projects, role: memberships.role })
    .from(memberships)
    .innerJoin(projects, eq(projects.id, memberships.projectId))
    .where(eq(memberships.userId, userId))
    .orderBy(memberships.createdAt, memberships.projectId)
}

/** Whether one of the user's projects is disabled. */
export async function hasDisabledProject(ctx: Context, userId: string): Promise<boolean> {
  const rows = await ctx.sql`
    select 1 from memberships m join projects p on p.id = m.project_id
     where m.user_id = ${userId} and p.disabled limit 1`
  return rows.length > 0
}

export async function insertMembership(
  ctx: Context,
  membership: { projectId: string; userId: string; role: Role },
): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.insert(memberships).values({ ...membership, createdAt: now, updatedAt: now })
}

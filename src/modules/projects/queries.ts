// All SQL of projects and memberships. The two look-ups that every request makes are fixed statements on a unique index.
import { eq } from 'drizzle-orm'
import type { Context } from '../../platform/context'
import type { KeyKind } from './keys'
import { memberships, projects, type Role, type Tracking } from './schema'

/** What a request needs to know of its project. */
export interface ProjectAccessRow {
  id: string
  name: string
  disabled: boolean
  language: string
  tracking: Tracking
}

export type ProjectRow = typeof projects.$inferSelect
export type NewProjectRow = Omit<ProjectRow, 'disabled' | 'disabledReason' | 'tracking' | 'language'>

export interface KeyedProject extends ProjectAccessRow {
  keyHash: string
}

/** The projects of some keys of one kind, each probed in the unique index. */
export async function selectProjectsByKeyHash(
  ctx: Context,
  kind: KeyKind,
  hashes: string[],
): Promise<KeyedProject[]> {
  return kind === 'secret'
    ? await ctx.sql<KeyedProject[]>`
        select id, name, disabled, language, tracking, secret_key_hash as "keyHash"
          from projects where secret_key_hash = any(${hashes}::text[])`
    : await ctx.sql<KeyedProject[]>`
        select id, name, disabled, language, tracking, public_key_hash as "keyHash"
          from projects where public_key_hash = any(${hashes}::text[])`
}

export async function selectMembership(
  ctx: Context,
  userId: string,
  projectId: string,
): Promise<(ProjectAccessRow & { role: Role }) | undefined> {
  const [row] = await ctx.sql<(ProjectAccessRow & { role: Role })[]>`
    select p.id, p.name, p.disabled, p.language, p.tracking, m.role
      from memberships m join projects p on p.id = m.project_id
     where m.project_id = ${projectId} and m.user_id = ${userId}`
  return row
}

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

export async function insertProject(ctx: Context, row: NewProjectRow): Promise<ProjectRow> {
  const [inserted] = await ctx.db.insert(projects).values(row).returning()
  return inserted!
}

export async function insertMembership(
  ctx: Context,
  membership: { projectId: string; userId: string; role: Role },
): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.insert(memberships).values({ ...membership, createdAt: now, updatedAt: now })
}

export type ProjectChanges = Partial<Omit<ProjectRow, 'id' | 'createdAt' | 'updatedAt'>>

export async function updateProject(
  ctx: Context,
  projectId: string,
  changes: ProjectChanges,
): Promise<ProjectRow | undefined> {
  const [row] = await ctx.db
    .update(projects)
    .set({ ...changes, updatedAt: ctx.clock.now() })
    .where(eq(projects.id, projectId))
    .returning()
  return row
}

// Rows of memberships: which user belongs to which project.
import { and, eq, sql } from 'drizzle-orm'
import type { Context } from '../../../../platform/context'
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
    .where(and(eq(memberships.userId, userId), sql`${projects.closing} is distinct from 'DELETE'`))
    .orderBy(memberships.createdAt, memberships.projectId)
}

/** Names of the user's projects that ask for a second factor, a few of them. */
export async function selectRequiringProjects(ctx: Context, userId: string): Promise<string[]> {
  const rows = await ctx.sql<{ name: string }[]>`
    select p.name from memberships m join projects p on p.id = m.project_id
     where m.user_id = ${userId}::uuid and p.second_factor_required and p.closing is distinct from 'DELETE'
     order by m.created_at, m.project_id limit 10`
  return rows.map(row => row.name)
}

/** Whether one of the user's projects is disabled. */
export async function hasDisabledProject(ctx: Context, userId: string): Promise<boolean> {
  const rows = await ctx.sql`
    select 1 from memberships m join projects p on p.id = m.project_id
     where m.user_id = ${userId} and p.disabled limit 1`
  return rows.length > 0
}

/** Lets a user create projects only one at a time until the transaction ends, so that counting them is reliable. */
export async function lockProjectsOf(tx: Context, userId: string): Promise<void> {
  await tx.sql`select pg_advisory_xact_lock(hashtextextended(${`projects ${userId}`}::text, 0))`
}

/** How many projects the user owns; one that is being deleted counts until it is gone. */
export async function countOwnedProjects(ctx: Context, userId: string): Promise<number> {
  const [row] = await ctx.sql<{ count: number }[]>`
    select count(*)::int as count from memberships where user_id = ${userId} and role = 'OWNER'`
  return row!.count
}

export async function insertMembership(
  ctx: Context,
  membership: { projectId: string; userId: string; role: Role },
): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.insert(memberships).values({ ...membership, createdAt: now, updatedAt: now })
}

export interface MemberRow {
  userId: string
  email: string
  role: Role
  createdAt: Date
  /** `PROVIDER`: whoever signs in that way proves there what the provider asks for. */
  secondFactor: 'ON' | 'OFF' | 'PROVIDER'
}

/** A list is returned as a whole, so it is bounded. */
const maxMembers = 10_000

/** Everybody in the project, in the order of joining. */
export async function selectMembers(ctx: Context, projectId: string): Promise<MemberRow[]> {
  return await ctx.sql<MemberRow[]>`
    select m.user_id as "userId", u.email, m.role, m.created_at as "createdAt",
           case when u.type <> 'PASSWORD' then 'PROVIDER' when f.user_id is null then 'OFF' else 'ON' end as "secondFactor"
      from memberships m join users u on u.id = m.user_id
      left join second_factors f on f.user_id = m.user_id and f.confirmed_at is not null
     where m.project_id = ${projectId}
     order by m.created_at, m.user_id limit ${maxMembers}`
}

/** False if the user belongs to the project already. */
export async function insertMember(
  ctx: Context,
  member: { projectId: string; userId: string; role: Role },
): Promise<boolean> {
  const now = ctx.clock.now()
  const rows = await ctx.sql`
    insert into memberships (project_id, user_id, role, created_at, updated_at)
    values (${member.projectId}, ${member.userId}, ${member.role}, ${now}, ${now})
    on conflict (project_id, user_id) do nothing returning 1`
  return rows.length > 0
}

/** Changes a role; undefined for the owner and for a stranger. */
export async function updateRole(
  ctx: Context,
  projectId: string,
  userId: string,
  role: Role,
): Promise<{ email: string } | undefined> {
  const [row] = await ctx.sql<{ email: string }[]>`
    update memberships m set role = ${role}, updated_at = ${ctx.clock.now()}
      from users u
     where m.project_id = ${projectId} and m.user_id = ${userId} and m.role <> 'OWNER' and u.id = m.user_id
    returning u.email`
  return row
}

/** Takes somebody out of the project; undefined for the owner and for a stranger. */
export async function deleteMembership(
  ctx: Context,
  projectId: string,
  userId: string,
): Promise<{ email: string } | undefined> {
  const [row] = await ctx.sql<{ email: string }[]>`
    delete from memberships m using users u
     where m.project_id = ${projectId} and m.user_id = ${userId} and m.role <> 'OWNER' and u.id = m.user_id
    returning u.email`
  return row
}

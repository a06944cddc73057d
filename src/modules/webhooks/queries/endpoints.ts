// SQL of the endpoints themselves.
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Context } from '../../../platform/context'
import { webhookEndpoints } from '../schema'

export type EndpointRow = typeof webhookEndpoints.$inferSelect
export type NewEndpoint = typeof webhookEndpoints.$inferInsert

const one = (projectId: string, id: string) =>
  and(eq(webhookEndpoints.projectId, projectId), eq(webhookEndpoints.id, id))

export async function insertEndpoint(ctx: Context, row: NewEndpoint): Promise<EndpointRow> {
  const [made] = await ctx.db.insert(webhookEndpoints).values(row).returning()
  return made!
}

/** In the order in which they were made; there are never many. */
export async function selectEndpoints(ctx: Context, projectId: string): Promise<EndpointRow[]> {
  return await ctx.db
    .select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.projectId, projectId))
    .orderBy(asc(webhookEndpoints.id))
}

export async function findEndpoint(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<EndpointRow | undefined> {
  const [row] = await ctx.db.select().from(webhookEndpoints).where(one(projectId, id))
  return row
}

export async function updateEndpoint(
  ctx: Context,
  projectId: string,
  id: string,
  changes: Partial<NewEndpoint>,
): Promise<EndpointRow | undefined> {
  const [row] = await ctx.db
    .update(webhookEndpoints)
    .set({ ...changes, updatedAt: ctx.clock.now() })
    .where(one(projectId, id))
    .returning()
  return row
}

export async function deleteEndpoint(ctx: Context, projectId: string, id: string): Promise<boolean> {
  const rows = await ctx.db
    .delete(webhookEndpoints)
    .where(one(projectId, id))
    .returning({ id: webhookEndpoints.id })
  return rows.length > 0
}

/** Notes that it fails, or that it works again; where it fails, returns since when. */
export async function noteHealth(
  ctx: Context,
  projectId: string,
  id: string,
  works: boolean,
): Promise<Date | null> {
  const now = ctx.clock.now().toISOString()
  const failingSince = works
    ? sql`null`
    : sql`coalesce(${webhookEndpoints.failingSince}, ${now}::timestamptz)`
  const [row] = await ctx.db
    .update(webhookEndpoints)
    .set({ failingSince })
    .where(works ? and(one(projectId, id), sql`failing_since is not null`) : one(projectId, id))
    .returning({ at: webhookEndpoints.failingSince })
  return row?.at ?? null
}

/** True for the call that did it. */
export async function switchOff(
  ctx: Context,
  projectId: string,
  id: string,
  reason: string,
): Promise<boolean> {
  const rows = await ctx.db
    .update(webhookEndpoints)
    .set({ enabled: false, disabledReason: reason, updatedAt: ctx.clock.now() })
    .where(and(one(projectId, id), eq(webhookEndpoints.enabled, true)))
    .returning({ id: webhookEndpoints.id })
  return rows.length > 0
}

// SQL of the endpoints themselves.
import { and, asc, eq } from 'drizzle-orm'
import type { Context } from '../../../../platform/context'
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

interface EndpointName {
  projectId: string
  endpointId: string
}

/** If it failed before, it works again. */
export async function noteWorking(ctx: Context, { projectId, endpointId }: EndpointName): Promise<void> {
  await ctx.sql`
    update webhook_endpoints set failing_since = null
     where project_id = ${projectId}::uuid and id = ${endpointId}::uuid and failing_since is not null`
}

export interface FailingEndpoint {
  id: string
  projectId: string
  url: string
  since: Date
}

/** Notes that it fails, and returns since when. */
export async function noteFailing(
  ctx: Context,
  { projectId, endpointId }: EndpointName,
): Promise<FailingEndpoint | undefined> {
  const [endpoint] = await ctx.sql<[FailingEndpoint?]>`
    update webhook_endpoints set failing_since = coalesce(failing_since, ${ctx.clock.now()}::timestamptz)
     where project_id = ${projectId}::uuid and id = ${endpointId}::uuid
    returning id, project_id as "projectId", url, failing_since as since`
  return endpoint
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

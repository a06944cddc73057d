// SQL of the endpoints themselves.
import { and, asc, eq } from 'drizzle-orm'
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

interface EndpointName {
  projectId: string
  endpointId: string
}

/** Those that failed before work again. */
export async function noteWorking(ctx: Context, endpoints: readonly EndpointName[]): Promise<void> {
  if (endpoints.length === 0) return
  await ctx.sql`
    update webhook_endpoints w set failing_since = null
      from json_to_recordset(${JSON.stringify(endpoints)}::json) as r("projectId" uuid, "endpointId" uuid)
     where w.project_id = r."projectId" and w.id = r."endpointId" and w.failing_since is not null`
}

export interface FailingEndpoint {
  id: string
  projectId: string
  url: string
  since: Date
}

/** Notes that they fail, and returns since when. */
export async function noteFailing(
  ctx: Context,
  endpoints: readonly EndpointName[],
): Promise<FailingEndpoint[]> {
  if (endpoints.length === 0) return []
  return await ctx.sql<FailingEndpoint[]>`
    update webhook_endpoints w set failing_since = coalesce(w.failing_since, ${ctx.clock.now()}::timestamptz)
      from json_to_recordset(${JSON.stringify(endpoints)}::json) as r("projectId" uuid, "endpointId" uuid)
     where w.project_id = r."projectId" and w.id = r."endpointId"
    returning w.id, w.project_id as "projectId", w.url, w.failing_since as since`
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

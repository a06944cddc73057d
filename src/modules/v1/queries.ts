// SQL of idempotency keys.
import type { Context } from '../../platform/context'

export interface Claim {
  projectId: string
  key: string
  path: string
  result: Record<string, unknown>
}

/**
 * Claims keys for requests that are about to succeed, in their transaction. Returns those that were free, or had expired; a
 * claim that is being made by another transaction is waited for. Keys must be distinct within a call.
 */
export async function claimKeys(
  ctx: Context,
  claims: Claim[],
  ttlMs: number,
): Promise<Array<{ projectId: string; key: string }>> {
  const now = ctx.clock.now()
  return await ctx.sql<Array<{ projectId: string; key: string }>>`
    insert into idempotency_keys as k (project_id, key, method, path, status_code, result, created_at, expires_at)
    select r."projectId", r.key, 'POST', r.path, 200, r.result, ${now}, ${new Date(now.getTime() + ttlMs)}
      from json_to_recordset(${JSON.stringify(claims)}::json) as r("projectId" uuid, key text, path text, result jsonb)
     order by 1, 2
    on conflict (project_id, key) do update
       set method = excluded.method, path = excluded.path, status_code = excluded.status_code, result = excluded.result,
           created_at = excluded.created_at, expires_at = excluded.expires_at
     where k.expires_at <= ${now}
    returning k.project_id as "projectId", k.key`
}

/** Gives back what was claimed in this very transaction. */
export async function releaseKeys(
  ctx: Context,
  claims: ReadonlyArray<Pick<Claim, 'projectId' | 'key'>>,
): Promise<void> {
  await ctx.sql`
    delete from idempotency_keys k
     using json_to_recordset(${JSON.stringify(claims)}::json) as r("projectId" uuid, key text)
     where k.project_id = r."projectId" and k.key = r.key`
}

/** Writes down what became of requests whose keys were claimed in this very transaction. */
export async function noteResults(ctx: Context, claims: Omit<Claim, 'path'>[]): Promise<void> {
  await ctx.sql`
    update idempotency_keys k set result = r.result
      from json_to_recordset(${JSON.stringify(claims)}::json) as r("projectId" uuid, key text, result jsonb)
     where k.project_id = r."projectId" and k.key = r.key`
}

export interface EarlierRequest {
  method: string
  path: string
  statusCode: number
  result: Record<string, unknown>
  createdAt: Date
}

export async function findClaim(
  ctx: Context,
  projectId: string,
  key: string,
): Promise<EarlierRequest | undefined> {
  const [row] = await ctx.sql<EarlierRequest[]>`
    select method, path, status_code as "statusCode", result, created_at as "createdAt"
      from idempotency_keys where project_id = ${projectId}::uuid and key = ${key}`
  return row
}

/** Forgets up to `limit` expired keys; returns how many. */
export async function deleteExpiredKeys(ctx: Context, limit: number): Promise<number> {
  const rows = await ctx.sql`
    delete from idempotency_keys
     where (project_id, key) in (select project_id, key from idempotency_keys
                                  where expires_at <= ${ctx.clock.now()} limit ${limit})
    returning 1`
  return rows.length
}

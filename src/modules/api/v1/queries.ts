// SQL of idempotency keys.
import type { Context } from '../../../platform/context'
import type { EarlierRequest } from './idempotency'

/** What a key is unique within: a project has one namespace for its public key and one for everybody else. */
export interface ClaimName {
  projectId: string
  byPublicKey: boolean
  key: string
}

export interface Claim extends ClaimName {
  path: string
  /** By `fingerprintOf`. */
  requestHash: string
  result: Record<string, unknown>
}

/**
 * Claims keys for requests that are about to succeed, in their transaction. Returns those that were free, or had expired; a
 * claim that is being made by another transaction is waited for. Keys must be distinct within a call.
 */
export async function claimKeys(ctx: Context, claims: Claim[], ttlMs: number): Promise<ClaimName[]> {
  const now = ctx.clock.now()
  return await ctx.sql<ClaimName[]>`
    insert into idempotency_keys as k (project_id, by_public_key, key, method, path, request_hash, status_code, result, created_at, expires_at)
    select r."projectId", r."byPublicKey", r.key, 'POST', r.path, r."requestHash", 200, r.result, ${now}, ${new Date(now.getTime() + ttlMs)}
      from json_to_recordset(${JSON.stringify(claims)}::json) as r("projectId" uuid, "byPublicKey" boolean, key text, path text, "requestHash" text, result jsonb)
     order by 1, 2, 3
    on conflict (project_id, by_public_key, key) do update
       set method = excluded.method, path = excluded.path, request_hash = excluded.request_hash, status_code = excluded.status_code, result = excluded.result,
           created_at = excluded.created_at, expires_at = excluded.expires_at
     where k.expires_at <= ${now}
    returning k.project_id as "projectId", k.by_public_key as "byPublicKey", k.key`
}

/** Releases what was claimed in this very transaction. */
export async function releaseKeys(ctx: Context, claims: readonly ClaimName[]): Promise<void> {
  await ctx.sql`
    delete from idempotency_keys k
     using json_to_recordset(${JSON.stringify(claims)}::json) as r("projectId" uuid, "byPublicKey" boolean, key text)
     where k.project_id = r."projectId" and k.by_public_key = r."byPublicKey" and k.key = r.key`
}

/** Records the results of requests whose keys were claimed in this very transaction. */
export async function noteResults(
  ctx: Context,
  claims: Omit<Claim, 'path' | 'requestHash'>[],
): Promise<void> {
  await ctx.sql`
    update idempotency_keys k set result = r.result
      from json_to_recordset(${JSON.stringify(claims)}::json) as r("projectId" uuid, "byPublicKey" boolean, key text, result jsonb)
     where k.project_id = r."projectId" and k.by_public_key = r."byPublicKey" and k.key = r.key`
}

export async function findClaim(
  ctx: Context,
  { projectId, byPublicKey, key }: ClaimName,
): Promise<EarlierRequest | undefined> {
  const [row] = await ctx.sql<EarlierRequest[]>`
    select method, path, request_hash as "requestHash", status_code as "statusCode", result, created_at as "createdAt"
      from idempotency_keys where project_id = ${projectId}::uuid and by_public_key = ${byPublicKey} and key = ${key}`
  return row
}

/** Deletes up to `limit` expired keys; returns how many. */
export async function deleteExpiredKeys(ctx: Context, limit: number): Promise<number> {
  const rows = await ctx.sql`
    delete from idempotency_keys
     where (project_id, by_public_key, key) in (
       select project_id, by_public_key, key from idempotency_keys where expires_at <= ${ctx.clock.now()} limit ${limit})
    returning 1`
  return rows.length
}

/** A statement that waits longer for what another transaction holds gives up, and undoes this one. */
export const lockPatienceMs = 50

/** From the next statement to the end of the transaction. Nobody waits for its answer: what breaks it breaks the next one too. */
export function boundLockWaits(tx: Context): void {
  tx.sql`select set_config('lock_timeout', ${`${lockPatienceMs}ms`}, true)`.catch(() => {})
}

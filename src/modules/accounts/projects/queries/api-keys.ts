// SQL of the keys besides the pair: named ones, and those of a pair that was replaced and goes on working for a while.
import { and, asc, eq, gt, lte, ne, or } from 'drizzle-orm'
import type { KeyScope } from '../../../../http/route'
import type { Context } from '../../../../platform/context'
import { apiKeys, projects, type StoredKeyKind } from '../schema'
import type { ProjectAccessRow } from './access'
import type { ProjectRow } from './projects'

export type ApiKeyRow = typeof apiKeys.$inferSelect

export interface StoredKey extends ProjectAccessRow {
  keyHash: string
  keyId: string
  kind: StoredKeyKind
  scopes: KeyScope[]
  domains: string[] | null
  expiresAt: Date | null
  lastUsedAt: Date | null
}

/** Like `selectProjectsByKeyHash`; those that have expired are among them. */
export async function selectStoredKeys(ctx: Context, hashes: string[]): Promise<StoredKey[]> {
  return await ctx.sql<StoredKey[]>`
    select p.id, p.name, p.disabled, p.closing is not null as resetting, p.language, p.tracking,
               p.keeps_opt_outs as "keepsOptOuts", p.keeps_clients as "keepsClients",
           k.hash as "keyHash", k.id as "keyId", k.kind, k.scopes, k.domains,
           k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt"
      from unnest(${hashes}::text[]) as asked(hash)
      join api_keys k on k.hash = asked.hash
      join projects p on p.id = k.project_id
     where p.closing is distinct from 'DELETE'`
}

/** Locks no key for long: a use that was noted a moment ago is not noted again. */
export async function noteKeyUses(
  ctx: Context,
  keys: readonly { projectId: string; id: string }[],
  olderThan: Date,
): Promise<void> {
  const projectIds = keys.map(key => key.projectId)
  const ids = keys.map(key => key.id)
  await ctx.sql`
    update api_keys k set last_used_at = ${ctx.clock.now()}::timestamptz
      from unnest(${projectIds}::uuid[], ${ids}::uuid[]) as used(project_id, id)
     where k.project_id = used.project_id and k.id = used.id
       and (k.last_used_at is null or k.last_used_at <= ${olderThan}::timestamptz)`
}

const ofProject = (projectId: string) => eq(apiKeys.projectId, projectId)

/** In the order in which they were made; there are never many. Of a replaced pair only while it works. */
export async function selectApiKeys(ctx: Context, projectId: string): Promise<ApiKeyRow[]> {
  const isShown = or(eq(apiKeys.kind, 'NAMED'), gt(apiKeys.expiresAt, ctx.clock.now()))
  return await ctx.db
    .select()
    .from(apiKeys)
    .where(and(ofProject(projectId), isShown))
    .orderBy(asc(apiKeys.id))
}

export async function insertApiKeys(ctx: Context, rows: ApiKeyRow[]): Promise<void> {
  await ctx.db.insert(apiKeys).values(rows)
}

export async function deleteApiKey(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<ApiKeyRow | undefined> {
  const [row] = await ctx.db
    .delete(apiKeys)
    .where(and(ofProject(projectId), eq(apiKeys.id, id)))
    .returning()
  return row
}

/** Ends all pairs before the current one. */
export async function deleteFormerPairs(ctx: Context, projectId: string): Promise<void> {
  await ctx.db.delete(apiKeys).where(and(ofProject(projectId), ne(apiKeys.kind, 'NAMED')))
}

/** Those of a replaced pair that have expired, of all projects. */
export async function deleteExpiredPairs(ctx: Context): Promise<void> {
  await ctx.db.delete(apiKeys).where(and(ne(apiKeys.kind, 'NAMED'), lte(apiKeys.expiresAt, ctx.clock.now())))
}

/** Until the transaction ends nobody else replaces or adds keys. */
export async function lockProjectKeys(ctx: Context, projectId: string): Promise<ProjectRow | undefined> {
  const [row] = await ctx.db.select().from(projects).where(eq(projects.id, projectId)).for('no key update')
  return row
}

// Claims of domains: making, finding, proving and dropping them.
import { and, asc, desc, eq, gt } from 'drizzle-orm'
import type { Context } from '../../../../platform/context'
import type { Statuses } from '../records'
import { type DomainRow, domains } from '../schema'

/** A project's list is returned as a whole, so it is bounded. */
export const maxDomainsPerProject = 1_000

/** Undefined when the project has this domain already or has no room for another. */
export async function insertDomain(ctx: Context, row: DomainRow): Promise<DomainRow | undefined> {
  const inserted = await ctx.sql<[{ id: string }?]>`
    insert into domains (id, project_id, domain, verified, sandbox, selector, public_key, private_key,
                         relay_signs, dkim_tokens, dkim_zone, contested, dkim_status, spf_status, dmarc_status, pending_since, checked_at,
                         created_at, updated_at)
    select ${row.id}::uuid, ${row.projectId}::uuid, ${row.domain}, ${row.verified}::boolean, ${row.sandbox}::boolean,
           ${row.selector}, ${row.publicKey}, ${row.privateKey}, ${row.relaySigns}::boolean,
           ${row.dkimTokens && JSON.stringify(row.dkimTokens)}::text::jsonb, ${row.dkimZone}, ${row.contested}::boolean, ${row.dkimStatus}, ${row.spfStatus}, ${row.dmarcStatus},
           ${row.pendingSince}::timestamptz, ${row.checkedAt}::timestamptz, ${row.createdAt}::timestamptz,
           ${row.updatedAt}::timestamptz
     where (select count(*) from domains where project_id = ${row.projectId}) < ${maxDomainsPerProject}::integer
    on conflict (project_id, domain) do nothing
    returning id`
  return inserted[0] && row
}

export async function selectDomains(ctx: Context, projectId: string): Promise<DomainRow[]> {
  return ctx.db
    .select()
    .from(domains)
    .where(eq(domains.projectId, projectId))
    .orderBy(desc(domains.createdAt), desc(domains.id))
    .limit(maxDomainsPerProject)
}

export async function findDomain(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<DomainRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(domains)
    .where(and(eq(domains.projectId, projectId), eq(domains.id, id)))
  return row
}

/** Whether the project has claimed the name, verified or not. */
export async function hasDomain(ctx: Context, projectId: string, domain: string): Promise<boolean> {
  const rows = await ctx.sql`select 1 from domains where project_id = ${projectId} and domain = ${domain}`
  return rows.length > 0
}

/** Whether another project holds the name by DNS. */
export async function isHeldByAnother(ctx: Context, projectId: string, domain: string): Promise<boolean> {
  const rows = await ctx.sql`
    select 1 from domains where domain = ${domain} and verified and not sandbox and project_id <> ${projectId}`
  return rows.length > 0
}

export interface SenderClaim {
  verified: boolean
  sandbox: boolean
}

/** The claims that some projects have on some names; asked for every message that is sent. */
export async function findSenderClaims(
  ctx: Context,
  asked: ReadonlyArray<{ projectId: string; domain: string }>,
): Promise<Array<SenderClaim & { projectId: string; domain: string }>> {
  return await ctx.sql<Array<SenderClaim & { projectId: string; domain: string }>>`
    select d.project_id as "projectId", d.domain, d.verified, d.sandbox
      from unnest(${asked.map(one => one.projectId)}::uuid[], ${asked.map(one => one.domain)}::text[]) as a(project_id, domain)
      join domains d on d.project_id = a.project_id and d.domain = a.domain`
}

export interface SealedKey extends SenderClaim {
  /** Instead of us. */
  relaySigns: boolean
  selector: string
  privateKey: string
}

export async function findSealedKey(
  ctx: Context,
  projectId: string,
  domain: string,
): Promise<SealedKey | undefined> {
  const [key] = await ctx.sql<[SealedKey?]>`
    select verified, sandbox, relay_signs as "relaySigns", selector, private_key as "privateKey"
      from domains where project_id = ${projectId} and domain = ${domain}`
  return key
}

/** The key of whichever project holds the name by DNS, unless the relay signs its mail. */
export async function findHolderKey(
  ctx: Context,
  domain: string,
): Promise<Pick<SealedKey, 'selector' | 'privateKey'> | undefined> {
  const [key] = await ctx.sql<[Pick<SealedKey, 'selector' | 'privateKey'>?]>`
    select selector, private_key as "privateKey" from domains where domain = ${domain} and verified and not sandbox and not relay_signs`
  return key
}

/** All projects' domains, a page at a time. */
export async function pageOfDomains(
  ctx: Context,
  after: string | undefined,
  limit: number,
): Promise<DomainRow[]> {
  return ctx.db
    .select()
    .from(domains)
    .where(after === undefined ? undefined : gt(domains.id, after))
    .orderBy(asc(domains.id))
    .limit(limit)
}

export interface DomainState {
  verified: boolean
  sandbox: boolean
  statuses: Statuses
}

/**
 * Writes what a check found, unless another check has written since `before` was read, or the key was replaced: the later answer stands. Fails on the
 * index domains_holder when another project holds the name.
 */
export async function storeDomainState(
  ctx: Context,
  before: DomainRow,
  finding: DomainState,
): Promise<DomainRow | undefined> {
  const now = ctx.clock.now()
  const { dkim: dkimStatus, spf: spfStatus, dmarc: dmarcStatus } = finding.statuses
  const pendingSince = finding.verified ? null : (before.pendingSince ?? now)
  const { verified, sandbox } = finding
  const rows = await ctx.sql<Array<{ id: string }>>`
    update domains
       set verified = ${verified}, sandbox = ${sandbox}, dkim_status = ${dkimStatus}, spf_status = ${spfStatus},
           dmarc_status = ${dmarcStatus}, pending_since = ${pendingSince}, checked_at = ${now}, updated_at = ${now}
     where project_id = ${before.projectId} and id = ${before.id} and selector = ${before.selector}
       and checked_at is not distinct from ${before.checkedAt}::timestamptz
    returning id`
  const changes = { verified, sandbox, dkimStatus, spfStatus, dmarcStatus, pendingSince }
  return rows.length === 0 ? undefined : { ...before, ...changes, checkedAt: now, updatedAt: now }
}

/** Notes that a check found these unchanged. */
export async function touchChecked(ctx: Context, ids: string[]): Promise<void> {
  await ctx.sql`update domains set checked_at = ${ctx.clock.now()} where id = any(${ids}::uuid[])`
}

/**
 * Deletes the domain unless a template or an unfinished campaign sends from it, under any of its spellings. Mail of workflow steps
 * is sent with templates, so those cover it. Returns whether it is gone.
 */
export async function deleteUnused(
  ctx: Context,
  projectId: string,
  id: string,
  domainSpellings: string[],
): Promise<boolean> {
  const deleted = await ctx.sql`
    delete from domains
     where project_id = ${projectId} and id = ${id}
       and not exists (select 1 from templates
                        where project_id = ${projectId}
                          and lower(split_part(from_email, '@', 2)) = any(${domainSpellings}::text[]))
       and not exists (select 1 from campaigns
                        where project_id = ${projectId} and finished_at is null
                          and lower(split_part(from_email, '@', 2)) = any(${domainSpellings}::text[]))`
  return deleted.count > 0
}

/** Drops claims that were never proven, or lost their proof, before `before`. Returns their names. */
export async function deletePendingSince(ctx: Context, before: Date): Promise<string[]> {
  const rows = await ctx.sql<{ domain: string }[]>`
    delete from domains where not verified and pending_since < ${before} returning domain`
  return rows.map(row => row.domain)
}

/** A project's domains are few enough for one statement. Returns their names. */
export async function deleteDomainsOf(ctx: Context, projectId: string): Promise<string[]> {
  const rows = await ctx.sql<{ domain: string }[]>`
    delete from domains where project_id = ${projectId}::uuid returning domain`
  return rows.map(row => row.domain)
}

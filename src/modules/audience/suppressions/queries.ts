// All SQL of the list of suppressed addresses.
import { type SQL, sql } from 'drizzle-orm'
import { containsPattern } from '../../../lib/like'
import type { Context } from '../../../platform/context'
import type { Fragment } from '../../../platform/db/cte'
import type { SuppressionReason } from './schema'

export interface NewSuppression {
  projectId: string
  email: string
  reason: SuppressionReason
  /** What the other side said. */
  source: string
  emailId: string | null
}

/**
 * The first reason stays, except that a complaint outweighs a bounce. Locks are taken in one order, so that two batches with the same
 * addresses can't deadlock. Returns how many are new or have another reason now.
 */
export async function insertSuppressions(ctx: Context, rows: readonly NewSuppression[]): Promise<number> {
  if (rows.length === 0) return 0
  const { count } = await ctx.sql`
    insert into suppressions (project_id, email, reason, source, email_id, created_at)
    select distinct on (r."projectId", r.email) r."projectId", r.email, r.reason, r.source, r."emailId",
           ${ctx.clock.now()}::timestamptz
      from json_to_recordset(${JSON.stringify(rows)}::json) as r(
           "projectId" uuid, email text, reason text, source text, "emailId" uuid)
     order by 1, 2, r.reason = 'complaint' desc
    on conflict (project_id, email) do update
       set reason = excluded.reason, source = excluded.source, email_id = excluded.email_id
     where suppressions.reason in ('bounce', 'repeated') and excluded.reason = 'complaint'`
  return count
}

export interface SuppressionRow {
  email: string
  reason: SuppressionReason
  source: string
  emailId: string | null
  createdAt: Date
}

export interface SuppressionFilter {
  reason: SuppressionRow['reason'] | null
  email: string | null
  /** Part of the address, in its stored spelling. */
  search: string | null
}

/** Newest first, after the given position. */
export async function pageOfSuppressions(
  ctx: Context,
  projectId: string,
  filter: SuppressionFilter,
  after: { createdAt: Date; email: string } | undefined,
  limit: number,
): Promise<SuppressionRow[]> {
  const { sql } = ctx
  const behind = after
    ? sql`and created_at <= ${after.createdAt} and (created_at < ${after.createdAt} or email > ${after.email})`
    : sql``
  return await sql<SuppressionRow[]>`
    select email, reason, source, email_id as "emailId", created_at as "createdAt" from suppressions
     where project_id = ${projectId}::uuid ${matching(ctx, filter)} ${behind}
     order by created_at desc, email limit ${limit}`
}

function matching({ sql }: Context, { reason, email, search }: SuppressionFilter) {
  return sql`
    ${reason === null ? sql`` : sql`and reason = ${reason}`} ${email === null ? sql`` : sql`and email = ${email}`}
    ${search === null ? sql`` : sql`and email like ${containsPattern(search)}`}`
}

/** Counted up to this; with more suppressed addresses nobody needs the exact number. */
const maxCounted = 100_000

export async function countSuppressions(
  ctx: Context,
  projectId: string,
  filter: SuppressionFilter,
): Promise<number> {
  const { sql } = ctx
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total
      from (select from suppressions
             where project_id = ${projectId}::uuid ${matching(ctx, filter)}
             limit ${maxCounted}) as counted`
  return row?.total ?? 0
}

/** Adds addresses by hand; returns those that were not there. */
export async function addSuppressions(
  ctx: Context,
  projectId: string,
  emails: readonly string[],
  source: string,
): Promise<string[]> {
  const rows = await ctx.sql<{ email: string }[]>`
    insert into suppressions (project_id, email, reason, source, created_at)
    select ${projectId}::uuid, email, 'manual', ${source}, ${ctx.clock.now()}::timestamptz
      from unnest(${emails as string[]}::text[]) as email
     order by email
    on conflict do nothing
    returning email`
  return rows.map(row => row.email)
}

/** Returns the reason that it had; undefined if it was not there. */
export async function deleteSuppression(
  ctx: Context,
  projectId: string,
  email: string,
): Promise<SuppressionRow['reason'] | undefined> {
  const [row] = await ctx.sql<{ reason: SuppressionRow['reason'] }[]>`
    delete from suppressions where project_id = ${projectId}::uuid and email = ${email} returning reason`
  return row?.reason
}

/** Why nothing may be sent to an address, as a scalar expression of two others; null where mail may go. */
export function whySuppressed(ctx: Context, of: Record<'projectId' | 'email', Fragment>): Fragment {
  return ctx.sql`
    coalesce((select s.reason from suppressions s where s.project_id = ${of.projectId} and s.email = ${of.email}),
             (select 'erased' from erased_addresses x where x.project_id = ${of.projectId} and x.hash = any(${erasedHashes(ctx, of)})))`
}

/**
 * The same as a condition on many rows, in the dialect of drizzle. EXISTS, so that the planner may look all of them up at once; addresses are
 * hashed only in a project that has erased some.
 */
export function isSuppressed({ vault }: Context, projectId: string, email: SQL): SQL {
  const [inner, outer] = [vault.addressKey.inner, vault.addressKey.outer].map(key => key.toString('hex'))
  const hashOf = (spelled: SQL): SQL => sql`
    sha256(decode(${outer}::text, 'hex') || sha256(decode(${inner}::text, 'hex') || convert_to(${projectId}::text || ' ' || ${spelled}, 'UTF8')))`
  return sql`(
    exists (select from suppressions s where s.project_id = ${projectId}::uuid and s.email = ${email})
    or case when exists (select from erased_addresses where project_id = ${projectId}::uuid)
       then exists (select from erased_addresses x where x.project_id = ${projectId}::uuid
                       and x.hash in (${hashOf(email)}, ${hashOf(sql`punycode_address(${email})`)}))
       else false end)`
}

const given = ({ sql }: Context, projectId: string, email: string) => ({
  projectId: sql`${projectId}::uuid`,
  email: sql`${email}::text`,
})

export async function insertErased(ctx: Context, projectId: string, email: string): Promise<void> {
  await ctx.sql`
    insert into erased_addresses (project_id, hash, created_at)
    select ${projectId}::uuid, ${keyedHash(ctx, given(ctx, projectId, email))}, ${ctx.clock.now()}::timestamptz
    on conflict do nothing`
}

export async function deleteErased(ctx: Context, projectId: string, email: string): Promise<boolean> {
  const gone = await ctx.sql`
    delete from erased_addresses
     where project_id = ${projectId}::uuid and hash = any(${erasedHashes(ctx, given(ctx, projectId, email))})`
  return gone.count > 0
}

/** Those of a project whose addresses may have been stored before they had one spelling, after a position. */
export async function selectStraySuppressions(
  ctx: Context,
  after: { projectId: string; email: string },
  limit: number,
): Promise<Array<{ projectId: string; email: string }>> {
  return await ctx.sql<Array<{ projectId: string; email: string }>>`
    select s.project_id as "projectId", s.email from suppressions s
     where (s.project_id, s.email) > (${after.projectId}::uuid, ${after.email}::text)
       and (octet_length(s.email) <> char_length(s.email) or strpos(s.email, 'xn--') > 0)
     order by s.project_id, s.email limit ${limit}`
}

/** Moves one to its spelling; where that is suppressed already, it keeps its reason, unless the other one is a complaint. */
export async function respellSuppression(
  ctx: Context,
  projectId: string,
  before: string,
  email: string,
): Promise<void> {
  await ctx.sql`
    with gone as (
      delete from suppressions where project_id = ${projectId}::uuid and email = ${before} returning *
    )
    insert into suppressions (project_id, email, reason, source, email_id, created_at)
    select project_id, ${email}, reason, source, email_id, created_at from gone
    on conflict (project_id, email) do update
       set reason = excluded.reason, source = excluded.source, email_id = excluded.email_id
     where excluded.reason = 'complaint'`
}

/** Of two expressions: the project, and an address in its stored spelling. Hashes of one address differ between projects. */
export function keyedHash(
  { sql, vault }: Context,
  { projectId, email }: Record<'projectId' | 'email', Fragment>,
): Fragment {
  const { inner, outer } = vault.addressKey
  return sql`
    sha256(${outer}::bytea || sha256(${inner}::bytea || convert_to(${projectId}::text || ' ' || ${email}, 'UTF8')))`
}

/**
 * The hashes under which an address may have been erased, as an array: that of its spelling, and beyond ASCII that of its form in Punycode,
 * which addresses had before they had one spelling. A hash can't be spelled again.
 */
export function erasedHashes(
  ctx: Context,
  { projectId, email }: Record<'projectId' | 'email', Fragment>,
): Fragment {
  return ctx.sql`
    array[${keyedHash(ctx, { projectId, email })},
          case when octet_length(${email}) <> char_length(${email})
               then ${keyedHash(ctx, { projectId, email: ctx.sql`punycode_address(${email})` })} end]`
}

// Lists and look-ups of contacts. Their shape varies with the filters, and a search must be planned for the text that is searched for:
// a rare one wants the trigram index, a common one the order of the list. So they go through the builder, which does not prepare.
import { and, asc, count, desc, eq, gt, isNotNull, isNull, like, lt, or, type SQL, sql } from 'drizzle-orm'
import { containsPattern } from '../../../../lib/like'
import type { Context } from '../../../../platform/context'
import type { ContactListing } from '../listing'
import { contacts } from '../schema'
import type { ContactRow } from './rows'

/** A page and one contact more, which shows the caller whether there is a next page. */
export async function selectPage(
  ctx: Context,
  projectId: string,
  listing: ContactListing & Filters,
  condition?: SQL,
): Promise<ContactRow[]> {
  const column = listing.sort === 'email' ? contacts.email : contacts.id
  const [order, beyond] = listing.dir === 'asc' ? [asc, gt] : [desc, lt]
  const position = listing.after === null ? undefined : beyond(column, listing.after)
  return await ctx.db
    .select()
    .from(contacts)
    .where(and(eq(contacts.projectId, projectId), ...filters(listing), condition, position))
    .orderBy(order(column))
    .limit(listing.limit + 1)
}

/** What JavaScript takes away from the ends of a text. */
const blanks =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'

/**
 * Of the next contacts of a listing, in the order of their ids: the names of custom fields with a value that is not of the field's type, is a
 * list or an object, or has blanks around it. `last` is the contact to go on after, null when all are done.
 */
export async function selectUnplainFields(
  ctx: Context,
  projectId: string,
  listing: Filters & { after: string; limit: number },
  condition?: SQL,
): Promise<{ names: string[]; last: string | null }> {
  const where = and(...filters(listing), condition) ?? sql`true`
  const [row] = await ctx.db.execute<{ names: string[]; last: string | null }>(sql`
    with page as materialized (
      select contacts.id, contacts.data from contacts
       where contacts.project_id = ${projectId}::uuid and contacts.id > ${listing.after}::uuid and ${where}
       order by contacts.id limit ${listing.limit}
    )
    select array(select distinct k.key
                   from page cross join lateral jsonb_each(page.data) k
                   join contact_fields f on f.project_id = ${projectId}::uuid and f.name = k.key
                  where case when f.type in ('number', 'boolean') then jsonb_typeof(k.value) <> f.type
                             else jsonb_typeof(k.value) <> 'string' or btrim(k.value #>> '{}', ${blanks}) <> k.value #>> '{}'
                        end) as names,
           (select id from page offset ${listing.limit - 1} limit 1) as last`)
  return row ?? { names: [], last: null }
}

/**
 * How many contacts match the filters of a listing; `most` where there are more. Without that bound a search for what everybody
 * has would go through all addresses: 60 ms among 200,000. The order finds common matches soonest: by address they are clustered,
 * with long stretches between them.
 */
export async function countMatches(
  ctx: Context,
  projectId: string,
  listing: Filters,
  most: number,
): Promise<number> {
  const found = ctx.db
    .select({ one: sql`1` })
    .from(contacts)
    .where(and(eq(contacts.projectId, projectId), ...filters(listing)))
    .orderBy(desc(contacts.id))
    .limit(most)
    .as('found')
  const [row] = await ctx.db.select({ matches: count() }).from(found)
  return row?.matches ?? 0
}

/** How many contacts match a listing and a condition on the table contacts: all are counted, since that is what is asked. */
export async function countMatching(
  ctx: Context,
  projectId: string,
  listing: Filters,
  condition: SQL,
): Promise<number> {
  const [row] = await ctx.db
    .select({ matches: count() })
    .from(contacts)
    .where(and(eq(contacts.projectId, projectId), ...filters(listing), condition))
  return row?.matches ?? 0
}

/** The oldest contacts that match a listing and, where there is one, a condition on the table contacts. */
export async function selectMatchingIds(
  ctx: Context,
  projectId: string,
  listing: Filters,
  condition: SQL | undefined,
  most: number,
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(eq(contacts.projectId, projectId), ...filters(listing), condition))
    .orderBy(asc(contacts.id))
    .limit(most)
  return rows.map(({ id }) => id)
}

/** How many contacts are unsubscribed for a while only. An index knows them; a constraint of the table says that they are unsubscribed. */
export async function countSnoozed(ctx: Context, projectId: string): Promise<number> {
  const [row] = await ctx.sql<{ snoozed: number }[]>`
    select count(*) as snoozed from contacts where project_id = ${projectId}::uuid and snoozed_until is not null`
  return row?.snoozed ?? 0
}

type Filters = Pick<ContactListing, 'search' | 'subscribed' | 'status'> & {
  /** Contacts that the search has found by name. */
  named?: readonly string[]
}

function filters(listing: Filters): (SQL | undefined)[] {
  return [
    listing.search === null ? undefined : searched(listing.search, listing.named),
    listing.subscribed === null ? undefined : eq(contacts.subscribed, listing.subscribed),
    statusFilter(listing.status),
  ]
}

function searched(text: string, named: readonly string[] = []): SQL | undefined {
  const byAddress = like(contacts.email, containsPattern(text))
  if (named.length === 0) return byAddress
  return or(
    byAddress,
    sql`${contacts.id} = any(array(select jsonb_array_elements_text(${JSON.stringify(named)}::jsonb)::uuid))`,
  )
}

/**
 * The newest contacts that have the text in their name, at most `most`, among the newest `sample` contacts. No index covers names, which are
 * in fields that each project calls as it likes, so the number of contacts that are read is what bounds it.
 */
export async function selectNamed(
  ctx: Context,
  projectId: string,
  { text, fields }: { text: string; fields: readonly string[] },
  sample: number,
  most: number,
): Promise<string[]> {
  const name = fields
    .map(field => ctx.sql`data ->> ${field}::text`)
    .reduce((all, one) => ctx.sql`${all}, ${one}`)
  const rows = await ctx.sql<{ id: string }[]>`
    select id from (select id, data from contacts where project_id = ${projectId}::uuid order by id desc limit ${sample}) as newest
     where lower(concat_ws(' ', ${name})) like ${containsPattern(text)}
     order by id desc limit ${most}`
  return rows.map(({ id }) => id)
}

function statusFilter(status: ContactListing['status']): SQL | undefined {
  switch (status) {
    case null:
      return undefined
    case 'subscribed':
      return eq(contacts.subscribed, true)
    case 'snoozed':
      return and(eq(contacts.subscribed, false), isNotNull(contacts.snoozedUntil))
    case 'unsubscribed':
      return and(eq(contacts.subscribed, false), isNull(contacts.snoozedUntil))
  }
}

/** Which of the addresses, in their stored spelling, are contacts of the project. */
export async function selectKnownEmails(
  ctx: Context,
  projectId: string,
  emails: readonly string[],
): Promise<string[]> {
  const rows = await ctx.sql<{ email: string }[]>`
    select email from contacts where project_id = ${projectId}::uuid and email = any(${emails as string[]}::text[])`
  return rows.map(row => row.email)
}

/** The custom fields of these contacts, by their ids. */
export async function selectDataOf(
  ctx: Context,
  projectId: string,
  contactIds: readonly string[],
): Promise<Map<string, Record<string, unknown>>> {
  const rows = await ctx.sql<{ id: string; data: Record<string, unknown> }[]>`
    select id, data from contacts where project_id = ${projectId}::uuid and id = any(${contactIds as string[]}::uuid[])`
  return new Map(rows.map(({ id, data }) => [id, data]))
}

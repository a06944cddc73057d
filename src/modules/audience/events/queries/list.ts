// Pages of events, newest first. Each kind of list reads one index from its newest end, however many rows there are.
import type { Context } from '../../../../platform/context'
import { readRecentFirst } from '../../../../platform/db/partition/recent'
import { changeReasons, subscriptionEvent } from '../names'

/** Which events, and from where on. A name and a contact can't be combined: no index serves both. */
export interface EventListing {
  of: { name: string } | { contactId: string } | 'all'
  /** The last event of the previous page. */
  after: { createdAt: Date; id: string } | null
  limit: number
}

export interface ListedEvent extends EventRow {
  /** The address of its contact; null if it has no contact, or no longer has one. */
  email: string | null
}

/** A page and one event more, which shows the caller whether there is a next page. */
export async function selectEvents(
  ctx: Context,
  projectId: string,
  listing: EventListing,
): Promise<ListedEvent[]> {
  const { sql } = ctx
  const { of, after } = listing
  // Ids are made from the time of the event, so the primary key is also the order of time.
  const order = of === 'all' ? sql`id desc` : sql`created_at desc, id desc`
  const position = after && (of === 'all' ? sql`and id < ${after.id}::uuid` : beyond(ctx, after))
  const limit = listing.limit + 1
  return await readRecentFirst(
    ctx,
    'events',
    { newest: after?.createdAt, limit },
    async ({ from, to }) =>
      await sql<ListedEvent[]>`
    select ${eventColumns(ctx)}, c.email
      from (select * from events where project_id = ${projectId}::uuid ${filter(ctx, of)} ${position ?? sql``}
                   ${from ? sql`and id >= ${from}::uuid` : sql``} ${to ? sql`and id < ${to}::uuid` : sql``}
             order by ${order} limit ${limit}) e
      left join contacts c on c.project_id = e.project_id and c.id = e.contact_id
     order by e.created_at desc, e.id desc`,
  )
}

function filter({ sql }: Context, of: EventListing['of']) {
  if (of === 'all') return sql``
  return 'name' in of ? sql`and name = ${of.name}` : sql`and contact_id = ${of.contactId}::uuid`
}

function beyond({ sql }: Context, after: { createdAt: Date; id: string }) {
  return sql`and (created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`
}

/** How many events a contact has; `most` where there are more. */
export async function countContactEvents(
  ctx: Context,
  projectId: string,
  contactId: string,
  most: number,
): Promise<number> {
  const [row] = await ctx.sql<{ found: number }[]>`
    select count(*) as found
      from (select from events where project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid
             limit ${most}) as counted`
  return row?.found ?? 0
}

/** How many different contacts the newest `most` events of a name belong to. */
export async function countNameContacts(
  ctx: Context,
  projectId: string,
  name: string,
  most: number,
): Promise<number> {
  const [row] = await ctx.sql<{ found: number }[]>`
    select count(distinct contact_id) as found
      from (select contact_id from events where project_id = ${projectId}::uuid and name = ${name}
             order by created_at desc, id desc limit ${most}) as newest`
  return row?.found ?? 0
}

export interface EventRow {
  id: string
  projectId: string
  name: string
  contactId: string | null
  emailId: string | null
  data: Record<string, unknown> | null
  createdAt: Date
}

/** The columns of an EventRow, from a table or expression named `e`. */
export function eventColumns(ctx: Context) {
  return ctx.sql`
    e.id, e.project_id as "projectId", e.name, e.contact_id as "contactId", e.email_id as "emailId", e.data,
    e.created_at as "createdAt"`
}

/** Which of the contacts have events besides those that an import of them causes: the change of their subscription, and of segments. */
export async function contactsWithEvents(
  ctx: Context,
  projectId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    select a.id from unnest(${contactIds as string[]}::uuid[]) as a(id)
     where exists (
           select from events e
            where e.project_id = ${projectId}::uuid and e.contact_id = a.id
              and not (e.name like 'segment.%.entry' or e.name like 'segment.%.exit'
                       or (e.name in (${subscriptionEvent(true)}, ${subscriptionEvent(false)})
                           and coalesce(e.data ->> 'reason', '') = ${changeReasons.import})))`
  return rows.map(({ id }) => id)
}

// The cap of marketing mail for a contact: places that messages book, in one row for each contact.

import { and, eq, gt, sql } from 'drizzle-orm'
import { day, hour } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import type { MailCap } from '../../projects'
import { mailBookings } from '../schema'

export interface Place {
  contactId: string
  emailId: string
}

export interface BookedMails {
  contactId: string
  /** The messages that have a place, with the moments of their bookings. */
  booked: Record<string, number>
}

/**
 * Books a place for each message whose contact has one left; `booked` tells which. Whoever comes second for a contact waits for the row, and
 * sees what the first one booked. A message that has a place keeps it, from now on. Contacts must be different.
 */
export async function bookMails(
  ctx: Context,
  projectId: string,
  { messages, days }: Pick<MailCap, 'messages' | 'days'>,
  asked: readonly Place[],
): Promise<BookedMails[]> {
  const now = ctx.clock.now()
  const since = now.getTime() - days * day
  return await ctx.sql<BookedMails[]>`
    insert into mail_bookings as b (project_id, contact_id, booked, latest_at)
    select ${projectId}::uuid, a.contact_id, jsonb_build_object(a.email_id::text, ${now.getTime()}::bigint), ${now}::timestamptz
      from unnest(${asked.map(each => each.contactId)}::uuid[], ${asked.map(each => each.emailId)}::uuid[]) as a(contact_id, email_id)
     order by a.contact_id
    on conflict (project_id, contact_id) do update
       set booked = (select case when count(*) < ${messages}::integer
                                 then coalesce(jsonb_object_agg(k.key, k.value), '{}') || excluded.booked
                                 else jsonb_object_agg(k.key, k.value) end
                       from jsonb_each(b.booked) k
                      where k.value::bigint > ${since}::bigint and not excluded.booked ? k.key),
           latest_at = excluded.latest_at
    returning contact_id as "contactId", booked`
}

/**
 * Whom a cap holds at `from`, as things are booked, and the hour in which it lets each of them have another mail, in milliseconds since 1970.
 * Counting by a path takes a tenth of the time that unfolding the object takes, which is left for those who are held.
 */
export function whenFree(
  ctx: Context,
  projectId: string,
  { messages, days }: Pick<MailCap, 'messages' | 'days'>,
  from: Date,
) {
  const since = from.getTime() - days * day
  const recent = sql`jsonb_path_query_array(${mailBookings.booked}, '$.* ? (@ > $since)', ${JSON.stringify({ since })}::jsonb)`
  const freeAt = sql`(
    select floor((k.value::float8 + ${days * day}::float8) / ${hour}::float8) * ${hour}::float8
      from jsonb_array_elements_text(${recent}) k order by k.value::bigint desc offset ${messages - 1}::int limit 1)`.mapWith(
    Number,
  )
  return ctx.db
    .select({ contactId: mailBookings.contactId, freeAt: freeAt.as('free_at') })
    .from(mailBookings)
    .where(
      and(
        eq(mailBookings.projectId, projectId),
        gt(mailBookings.latestAt, new Date(since)),
        sql`jsonb_array_length(${recent}) >= ${messages}::int`,
      ),
    )
    .as('capped')
}

/** Gives back the places of messages that did not leave. */
export async function releaseMails(ctx: Context, projectId: string, given: readonly Place[]): Promise<void> {
  await ctx.sql`
    with given as (
      select contact_id, array_agg(email_id) as ids
        from unnest(${given.map(each => each.contactId)}::uuid[], ${given.map(each => each.emailId)}::text[]) as g(contact_id, email_id)
       group by contact_id
    ), locked as (
      select b.contact_id, g.ids from mail_bookings b join given g using (contact_id)
       where b.project_id = ${projectId}::uuid order by b.contact_id for update of b
    )
    update mail_bookings b set booked = b.booked - l.ids
      from locked l where b.project_id = ${projectId}::uuid and b.contact_id = l.contact_id`
}

/** Deletes up to `limit` rows in which nothing counts any more; returns how many there were. */
export async function deleteBookings(ctx: Context, before: Date, limit: number): Promise<number> {
  const { count } = await ctx.sql`
    delete from mail_bookings
     where (project_id, contact_id) in (select project_id, contact_id from mail_bookings
                                         where latest_at < ${before}::timestamptz order by latest_at limit ${limit} for update skip locked)`
  return count
}

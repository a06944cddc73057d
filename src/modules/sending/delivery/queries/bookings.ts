// The cap of marketing mail for a contact: places that messages book, in one row for each contact.

import { and, eq, gt, sql } from 'drizzle-orm'
import { day, hour } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import type { MailCap } from '../../../accounts/projects'
import { mailBookings } from '../schema'

export interface Place {
  contactId: string
  emailId: string
}

/**
 * Books a place for the email if its contact has one left; returns the emails that have a place, with the times of their bookings. Whoever
 * comes second for a contact waits for the row, and sees what the first one booked. An email that has a place keeps it, from now on.
 */
export async function bookMail(
  ctx: Context,
  projectId: string,
  { messages, days }: Pick<MailCap, 'messages' | 'days'>,
  { contactId, emailId }: Place,
): Promise<Record<string, number>> {
  const now = ctx.clock.now()
  const since = now.getTime() - days * day
  const [row] = await ctx.sql<[{ booked: Record<string, number> }]>`
    insert into mail_bookings as b (project_id, contact_id, booked, latest_at)
    values (${projectId}, ${contactId}, jsonb_build_object(${emailId}::text, ${now.getTime()}::bigint), ${now})
    on conflict (project_id, contact_id) do update
       set booked = (select case when count(*) < ${messages}::integer
                                 then coalesce(jsonb_object_agg(k.key, k.value), '{}') || excluded.booked
                                 else jsonb_object_agg(k.key, k.value) end
                       from jsonb_each(b.booked) k
                      where k.value::bigint > ${since}::bigint and not excluded.booked ? k.key),
           latest_at = excluded.latest_at
    returning booked`
  return row.booked
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
export async function releaseMail(
  ctx: Context,
  projectId: string,
  { contactId, emailId }: Place,
): Promise<void> {
  await ctx.sql`
    update mail_bookings set booked = booked - ${emailId}::text
     where project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid`
}

/** Deletes up to `limit` rows in which nothing counts any more; returns how many there were. */
export async function deleteBookings(ctx: Context, before: Date, limit: number): Promise<number> {
  const { count } = await ctx.sql`
    delete from mail_bookings
     where (project_id, contact_id) in (select project_id, contact_id from mail_bookings
                                         where latest_at < ${before}::timestamptz order by latest_at limit ${limit} for update skip locked)`
  return count
}

// Emptying old messages. Ids are UUID v7, so the primary key is the order of age: a run continues after the last id that it cleared, up
// to the age that is kept, and reads no row twice. That needs no index, which would cost every message that is sent.
import type { Context } from '../../../../platform/context'

const mark = 'email.bodies'

/** The id up to which messages are emptied. */
export async function selectClearedTo(ctx: Context): Promise<string | undefined> {
  const [row] = await ctx.sql<{ doneTo: string }[]>`
    select done_to as "doneTo" from retention_marks where name = ${mark}`
  return row?.doneTo
}

export interface EmptiedPage {
  /** Messages that were looked at; fewer than the limit at the end. */
  looked: number
  emptied: number
  last: string | null
}

/**
 * Removes the bodies, what they were rendered from, and the attachments from the next messages; what they were, to whom they went and
 * what became of them stays. The mark moves in the same statement.
 */
export async function clearBodies(
  ctx: Context,
  after: string,
  before: string,
  limit: number,
): Promise<EmptiedPage> {
  const [page] = await ctx.sql<[EmptiedPage]>`
    with page as materialized (
      select id from emails where id > ${after}::uuid and id < ${before}::uuid order by id limit ${limit}
    ), emptied as (
      update emails set html = '', text = '', variables = null, given_links = null, attachment_set = null,
              submitted_set = null
       where id = any(array(select id from page)) and status not in ('PENDING', 'SENDING')
         and (html <> '' or text <> '' or variables is not null or attachment_set is not null
              or submitted_set is not null)
      returning 1
    ), last as (
      select id from page order by id desc limit 1
    ), moved as (
      insert into retention_marks (name, done_to) select ${mark}, id from last
      on conflict (name) do update set done_to = greatest(retention_marks.done_to, excluded.done_to)
    )
    select (select count(*)::int from page) as looked, (select count(*)::int from emptied) as emptied,
           (select id from last) as last`
  return page
}

/** Deletes attachments of requests before an id; the smallest ids are the oldest, so a run that finds nothing costs one probe. */
export async function deleteAttachments(ctx: Context, before: string, limit: number): Promise<number> {
  const deleted = await ctx.sql`
    delete from attachments where (set_id, position) in (
      select set_id, position from attachments where set_id < ${before}::uuid order by set_id, position limit ${limit})`
  return deleted.count
}

// Emptying the messages of people who were erased: what remains is that there was a message, when, and what became of it.
import type { Context } from '../../../../platform/context'
import { type Cte, cte } from '../../../../platform/db/cte'
import { keyedHash } from '../../../audience/suppressions'

/** What stands where the address was. */
export const erasedAddress = 'erased'

export interface ErasedPage {
  /** The last message that was looked at; null at the end. */
  last: { createdAt: Date; id: string } | null
  /** Messages that wait or are on their way: they are emptied when that is over. */
  open: number
}

/** Takes from the emails what says to whom and about what they were, unless they are still to be sent. */
const emptied = ({ sql, clock }: Context, theirs: Cte<'project_id' | 'id' | 'is_open'>) => sql`
  ${theirs.as}, emptied as (
    update emails e
       set to_email = ${erasedAddress}, to_name = null, from_name = case when e.source_type = 'INBOUND' then null else e.from_name end,
           reply_to = null, subject = '', html = '', text = '', headers = '{}', variables = null, given_links = null, attachment_set = null,
           submitted_set = null,
           copies = null, tags = null, metadata = null, reason_detail = case when e.reason is not null then '{"erased": true}'::jsonb end,
           updated_at = ${clock.now()}::timestamptz
      from ${theirs.name} t where e.project_id = t.project_id and e.id = t.id and not t.is_open
    returning e.project_id, e.id
  ), answers as (
    update email_attempts a set response = 'erased' from emptied e
     where a.project_id = e.project_id and a.email_id = e.id
  )`

/** Empties those of the next messages of the project, newest first, that went to an erased address. */
export async function erasePage(
  ctx: Context,
  projectId: string,
  after: ErasedPage['last'],
  limit: number,
): Promise<ErasedPage> {
  const { sql } = ctx
  const behind = after
    ? sql`and (created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`
    : sql``
  const of = { projectId: sql`p.project_id`, email: sql`p.to_email` }
  const theirs = cte(
    sql,
    'theirs',
    {
      project_id: sql`p.project_id`,
      id: sql`p.id`,
      is_open: sql`p.status in ('PENDING', 'SENDING')`,
      message_id: sql`p.message_id`,
      submitted_set: sql`p.submitted_set`,
    },
    columns => sql`
      select ${columns} from page p
        join erased_addresses x on x.project_id = p.project_id and x.hash = ${keyedHash(ctx, of)}`,
  )
  const [page] = await sql<[{ createdAt: Date | null; id: string | null; open: number }]>`
    with page as materialized (
      select id, project_id, to_email, status, created_at, message_id, submitted_set from emails
       where project_id = ${projectId}::uuid ${behind} order by created_at desc, id desc limit ${limit}
    ), ${emptied(ctx, theirs)}, files as (
      -- What a program submitted names everybody it went to. Whoever else has still to get it gets it.
      delete from attachments
       where project_id = ${projectId}::uuid and set_id in (
             select t.submitted_set from ${theirs.name} t
              where not t.is_open and not exists (
                    select from emails o
                     where o.project_id = t.project_id and o.message_id = t.message_id
                       and o.submitted_set = t.submitted_set and o.status in ('PENDING', 'SENDING')))
    ), last as (
      select created_at, id from page order by created_at, id limit 1
    )
    select (select created_at from last) as "createdAt", (select id from last) as id,
           (select count(*)::int from ${theirs.name} where is_open) as open`
  return {
    last: page.createdAt && page.id ? { createdAt: page.createdAt, id: page.id } : null,
    open: page.open,
  }
}

export interface AgedPage {
  looked: number
  /** The last message that was looked at. */
  last: { createdAt: Date; id: string } | null
  /** The oldest that waits or is on its way. */
  openSince: Date | null
}

/** Empties the next messages of the project that are older than `before`, oldest first, with the attachments that were theirs. */
export async function emptyAged(
  ctx: Context,
  projectId: string,
  { after, before }: { after: { createdAt: Date; id: string }; before: Date },
  limit: number,
): Promise<AgedPage> {
  const { sql } = ctx
  const is_open = sql`status in ('PENDING', 'SENDING')`
  const theirs = cte(
    sql,
    'theirs',
    { project_id: sql`project_id`, id: sql`id`, attachment_set: sql`attachment_set`, is_open },
    columns => sql`select ${columns} from page where to_email <> ${erasedAddress}`,
  )
  const [page] = await sql<
    [{ looked: number; createdAt: Date | null; id: string | null; openSince: Date | null }]
  >`
    with page as materialized (
      select project_id, id, status, created_at, to_email, coalesce(submitted_set, attachment_set) as attachment_set from emails
       where project_id = ${projectId}::uuid and (created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)
         and created_at < ${before}::timestamptz
       order by created_at, id limit ${limit}
    ), ${emptied(ctx, theirs)}, files as (
      delete from attachments
       where project_id = ${projectId}::uuid and set_id in (select attachment_set from ${theirs.name} where not is_open)
    ), last as (
      select created_at, id from page order by created_at desc, id desc limit 1
    )
    select (select count(*)::int from page) as looked, (select created_at from last) as "createdAt", (select id from last) as id,
           (select min(p.created_at) from page p join ${theirs.name} t on t.id = p.id and t.is_open) as "openSince"`
  const { looked, createdAt, id, openSince } = page
  return { looked, last: createdAt && id ? { createdAt, id } : null, openSince }
}

/** How many messages from one moment up to another still say to whom they went; `most` where there are more. */
export async function countEmailsBefore(
  ctx: Context,
  projectId: string,
  { since, before }: { since: Date; before: Date },
  most: number,
): Promise<number> {
  const [row] = await ctx.sql<{ found: number }[]>`
    select count(*) as found
      from (select from emails
             where project_id = ${projectId}::uuid and created_at >= ${since}::timestamptz and created_at < ${before}::timestamptz
               and to_email <> ${erasedAddress} and status not in ('PENDING', 'SENDING') limit ${most}) as counted`
  return row?.found ?? 0
}

/** The addresses that contacts have now. */
export async function selectAddressesOf(
  ctx: Context,
  asked: ReadonlyArray<{ projectId: string; contactId: string }>,
): Promise<Array<{ id: string; email: string }>> {
  return await ctx.sql<Array<{ id: string; email: string }>>`
    select id, email from contacts
     where (project_id, id) in (
           select * from unnest(${asked.map(one => one.projectId)}::uuid[], ${asked.map(one => one.contactId)}::uuid[]))`
}

// Emptying the messages of people who were erased: what remains is that there was a message, when, and what became of it.
import type { Context } from '../../../platform/context'
import { keyedHash } from '../../suppressions'

export interface ErasedPage {
  /** The last message that was looked at; null at the end. */
  last: { createdAt: Date; id: string } | null
  /** Messages that wait or are on their way: they are emptied when that is over. */
  open: number
}

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
  const [page] = await sql<[{ createdAt: Date | null; id: string | null; open: number }]>`
    with page as materialized (
      select id, project_id, to_email, status, created_at from emails
       where project_id = ${projectId}::uuid ${behind} order by created_at desc, id desc limit ${limit}
    ), theirs as materialized (
      select p.id, p.status in ('PENDING', 'SENDING') as is_open
        from page p
        join erased_addresses x on x.project_id = p.project_id and x.hash = ${keyedHash(ctx, of)}
    ), emptied as (
      update emails e
         set to_email = 'erased', to_name = null, from_name = case when e.source_type = 'INBOUND' then null else e.from_name end,
             reply_to = null, subject = '', html = '', text = '', headers = '{}', variables = null, attachment_set = null,
             copies = null, tags = null, metadata = null, error = case when e.error is not null then 'erased' end,
             updated_at = ${ctx.clock.now()}::timestamptz
        from theirs t where e.id = t.id and not t.is_open
      returning e.id
    ), answers as (
      update email_attempts a set response = 'erased' from emptied e where a.email_id = e.id
    ), last as (
      select created_at, id from page order by created_at, id limit 1
    )
    select (select created_at from last) as "createdAt", (select id from last) as id,
           (select count(*)::int from theirs where is_open) as open`
  return {
    last: page.createdAt && page.id ? { createdAt: page.createdAt, id: page.id } : null,
    open: page.open,
  }
}

// Deleting requests: those whose time is over, those of a form or a contact that is gone; and what mailboxes had more than a day ago.
import type { Context } from '../../../../platform/context'

/** Whom mail went to without their ever becoming a contact. */
export interface Stranger {
  projectId: string
  contactId: string
}

export interface Pruned {
  deleted: number
  strangers: Stranger[]
}

/** Deletes a batch of what is over, and adds it to the figures of the forms. */
export async function deleteExpired(ctx: Context, now: Date, limit: number): Promise<Pruned> {
  const [row] = await ctx.sql<Pruned[]>`
    with due as (
      select project_id, id from form_requests where expires_at <= ${now} order by expires_at limit ${limit} for update skip locked
    ), gone as (
      delete from form_requests r using due where r.project_id = due.project_id and r.id = due.id
      returning r.project_id, r.form_id, r.contact_id, r.asked, r.confirmed
    ), counted as (
      update forms f set asked = f.asked + g.asked, confirmed = f.confirmed + g.confirmed
        from (select project_id, form_id, sum(asked) as asked, sum(confirmed) as confirmed from gone group by 1, 2) g
       where f.project_id = g.project_id and f.id = g.form_id
    )
    select (select count(*) from gone)::int as deleted,
           (select coalesce(jsonb_agg(jsonb_build_object('projectId', project_id, 'contactId', contact_id)), '[]') from gone g
             where contact_id is not null
               and not exists (select from contacts c where c.project_id = g.project_id and c.id = g.contact_id)) as strangers`
  return row!
}

/** Deletes a batch of the requests of a form; returns how many. */
export async function deleteRequestsOf(
  ctx: Context,
  projectId: string,
  formId: string,
  limit: number,
): Promise<Pruned> {
  const [row] = await ctx.sql<Pruned[]>`
    with gone as (
      delete from form_requests
       where (project_id, id) in (
         select project_id, id from form_requests where project_id = ${projectId}::uuid and form_id = ${formId}::uuid limit ${limit})
      returning project_id, contact_id
    )
    select (select count(*) from gone)::int as deleted,
           (select coalesce(jsonb_agg(jsonb_build_object('projectId', project_id, 'contactId', contact_id)), '[]') from gone g
             where contact_id is not null
               and not exists (select from contacts c where c.project_id = g.project_id and c.id = g.contact_id)) as strangers`
  return row!
}

/** Whoever is deleted leaves nothing behind in forms either. */
export async function deleteRequestsOfContacts(
  ctx: Context,
  projectId: string,
  contactIds: readonly string[],
): Promise<void> {
  await ctx.sql`
    delete from form_requests
     where project_id = ${projectId}::uuid and contact_id = any(${contactIds as string[]}::uuid[])`
}

/** Of somebody who is erased, whether they confirmed or not. */
export async function deleteRequestsTo(
  ctx: Context,
  projectId: string,
  { email, mailbox }: { email: string; mailbox: string },
): Promise<void> {
  await ctx.sql`
    with gone as (delete from form_requests where project_id = ${projectId}::uuid and email = ${email})
    delete from form_mailboxes where project_id = ${projectId}::uuid and mailbox = ${mailbox}`
}

/** Deletes a batch of what means nothing any more; returns how many. */
export async function deleteOldMailboxes(ctx: Context, before: Date, limit: number): Promise<number> {
  const rows = await ctx.sql`
    delete from form_mailboxes
     where (project_id, mailbox) in (
       select project_id, mailbox from form_mailboxes where mailed_at <= ${before} order by mailed_at limit ${limit})
    returning 1`
  return rows.length
}

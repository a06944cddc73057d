// Statements that change or delete contacts by id, and those that read single ones.
import type { Context } from '../../../../platform/context'
import { cte } from '../../../../platform/db/cte'
import type { ContactData } from '../patch'
import { countedContacts, updatedContacts } from './changed'
import type { PlacedOrigin } from './consent'
import { mayBeUndone, undoableWork } from './held'
import { type ContactRow, contactColumns } from './rows'

export async function selectContact(
  ctx: Context,
  projectId: string,
  contactId: string,
): Promise<ContactRow | undefined> {
  const [row] = await ctx.sql<ContactRow[]>`
    select ${contactColumns(ctx)} from contacts c
     where c.project_id = ${projectId}::uuid and c.id = ${contactId}::uuid`
  return row
}

export interface ContactChange {
  email: string | null
  subscribed: boolean | null
  /** Nobody who opted out or is taking a break is subscribed. */
  keepsOptOuts: boolean
  set: ContactData
  remove: string[]
  /** Whether to drop all stored data before `set` is applied. */
  clear: boolean
}

export interface ChangedContact extends ContactRow {
  hasChanged: boolean
}

/** Applies a change to one contact and returns it; undefined if there is none. Writes only what changes, and a no that undoing an import would take back. */
export async function updateRow(
  ctx: Context,
  projectId: string,
  contactId: string,
  change: ContactChange,
  origin: PlacedOrigin,
  now: Date,
): Promise<ChangedContact | undefined> {
  const { sql } = ctx
  const changed = updatedContacts(ctx, now, {
    of: sql`where project_id = ${projectId}::uuid and id = ${contactId}::uuid for update`,
    update: locked => sql`
      update contacts c
         set email = w.new_email, subscribed = w.new_subscribed, snoozed_until = w.new_snoozed_until,
             opted_out_at = w.new_opted_out_at, data = w.new_data, updated_at = ${now}::timestamptz,
             version = w.version + 1
        from (select l.*, coalesce(${change.email}::text, l.email) as new_email,
                     coalesce(a.subscribed, l.subscribed) as new_subscribed,
                     case when a.subscribed is null then l.snoozed_until end as new_snoozed_until,
                     case when a.subscribed is null then l.opted_out_at
                          when not a.subscribed then coalesce(l.opted_out_at, ${now}::timestamptz)
                     end as new_opted_out_at,
                     (case when ${change.clear}::boolean then '{}' else l.data end || ${JSON.stringify(change.set)}::jsonb)
                       - ${change.remove}::text[] as new_data
                from ${locked} l
               cross join lateral (
                     select case when not (${change.keepsOptOuts}::boolean and ${change.subscribed}::boolean
                                           and (l.opted_out_at is not null or l.snoozed_until is not null))
                                 then ${change.subscribed}::boolean end as subscribed) a) w
       where c.project_id = ${projectId}::uuid and c.id = ${contactId}::uuid
         and ((w.new_email, w.new_subscribed, w.new_snoozed_until, w.new_opted_out_at, w.new_data)
                is distinct from (w.email, w.subscribed, w.snoozed_until, w.opted_out_at, w.data)
              or (not ${change.subscribed}::boolean and ${mayBeUndone(ctx, sql`w`)}))`,
    origins: [origin],
  })
  const [row] = await sql<ChangedContact[]>`
    with ${undoableWork(ctx, { projectIds: [projectId], now })}, ${changed.as}
    select ${contactColumns(ctx)}, l.subscribed <> c.subscribed as "hasChanged"
      from ${changed.written} c cross join ${changed.locked} l
     union all
    select ${contactColumns(ctx)}, false from ${changed.locked} c where not exists (select from ${changed.written})`
  return row
}

/** Which of the addresses, in their stored spelling, are contacts. */
export async function findContactIds(
  ctx: Context,
  projectId: string,
  emails: readonly string[],
): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    select id from contacts where project_id = ${projectId}::uuid and email = any(${emails as string[]}::text[])`
  return rows.map(({ id }) => id)
}

/** Deletes the contacts of the project among `contactIds`; returns the ids of those that were there. */
export async function deleteRows(
  ctx: Context,
  projectId: string,
  contactIds: readonly string[],
  now: Date,
): Promise<string[]> {
  const { sql } = ctx
  const gone = cte(
    sql,
    'gone',
    { id: sql`c.id`, project_id: sql`c.project_id`, data: sql`c.data`, subscribed: sql`c.subscribed` },
    columns => sql`
      delete from contacts c using locked l where c.project_id = ${projectId}::uuid and c.id = l.id returning ${columns}`,
  )
  const deleted = {
    ...{ project_id: sql`project_id`, before: sql`data`, after: sql`null::jsonb` },
    ...{ was_subscribed: sql`subscribed`, subscribed: sql`false` },
  }
  const rows = await sql<{ id: string }[]>`
    with locked as materialized (
      select id from contacts
       where project_id = ${projectId}::uuid and id = any(${contactIds as string[]}::uuid[])
       order by email for update
    ), ${gone.as}, ${countedContacts(ctx, now, deleted, gone.name)}
    select id from ${gone.name}`
  return rows.map(row => row.id)
}

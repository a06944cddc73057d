// The statement that finds, creates or patches many contacts at once. It is the hottest of the program: every send and every
// tracked event goes through it, so it is one round trip, and it writes only what changes.
import type { Context } from '../../../../platform/context'
import { cte, type Fragment } from '../../../../platform/db/cte'
import type { ContactData } from '../patch'
import type { ExistingMode } from '../schema'
import { changeOf, countedContacts } from './changed'
import { type PlacedOrigin, recordConsent } from './consent'
import { mayBeUndone, undoableWork } from './held'
import { recordImportChanges } from './import-changes'
import { type ContactRow, contactColumns, wholeContact } from './rows'

export interface UpsertRow {
  /** The id a new contact gets; null if none is to be created. */
  id: string | null
  projectId: string
  email: string
  set: ContactData
  remove: string[]
  /** Null keeps the state of an existing contact, and a new one gets `fallback`. */
  subscribed: boolean | null
  fallback: boolean
  /** Given, with `subscribed` false: the contact said no then, even if it was never subscribed here. */
  optedOutAt?: Date | undefined
  /** Who opted out or is taking a break is not subscribed: such a contact keeps its state. */
  keepsOptOuts: boolean
  /** A no leaves a contact that is taking a break as it is. */
  keepsSnoozes: boolean
  /** Place in the list of origins. */
  origin: number
}

export interface UpsertResult extends ContactRow {
  isNew: boolean
  /** An existing contact whose subscription state changed. */
  hasChanged: boolean
  /** It is new, or anything of it changed. */
  isWritten: boolean
}

/** The import that the rows are of, which records what it changes. */
export interface ImportedRows {
  importId: string
  existing: ExistingMode
}

/**
 * Applies every row and returns the contacts. A row whose contact another transaction created, moved or deleted since this
 * statement began is missing from the answer: apply it again, the next statement sees what happened. So is one without an id
 * whose contact is not there. No two rows may have the same project and address.
 *
 * `seen` reads without a lock and finds out who would change at all; `locked` holds the newest version of those, so what is
 * computed from it can't be overtaken; `patched` finds them again by the unique index, which no plan can turn into a scan.
 *
 * A contact that becomes unsubscribed has opted out. One that is created unsubscribed, or already is and is set so again, has not been asked:
 * a repeated request must not turn the one into the other. It is written again only where undoing an import would take the first no back.
 *
 * Two batches can't deadlock: locks on existing contacts are taken first (hence the count of `locked`
 * in `created`) and in the order of addresses, then new ones are inserted in that order, where only another insert is waited
 * for. "Do update" there would lock contacts that appeared meanwhile, out of order: such deadlocks were seen.
 */
export async function upsertRows(
  ctx: Context,
  rows: readonly UpsertRow[],
  origins: readonly PlacedOrigin[],
  now: Date,
  imported?: ImportedRows,
): Promise<UpsertResult[]> {
  const input = JSON.stringify(rows.map((row, position) => ({ ...row, position })))
  const { sql } = ctx
  const projectIds = [...new Set(rows.map(({ projectId }) => projectId))]
  const row = wholeContact(ctx)
  const dataOf = dataAfter(ctx, imported?.existing)
  const seen = cte(
    sql,
    'seen',
    { projectId: sql`i."projectId"`, email: sql`i.email`, origin: sql`i.origin` },
    columns => sql`
      select ${columns}, i.position, i.id, i.set, i.remove, i.subscribed, i.fallback, i."optedOutAt", i."keepsOptOuts",
             i."keepsSnoozes", c.id as contact_id, c.subscribed as is_subscribed, c.snoozed_until, c.opted_out_at, c.data, c.created_at,
             c.updated_at,
             coalesce(((i.subscribed <> c.subscribed or (i.subscribed is not null and c.snoozed_until is not null))
                       and not (i."keepsOptOuts" and i.subscribed
                                and (c.opted_out_at is not null or c.snoozed_until is not null))
                       and not (i."keepsSnoozes" and not i.subscribed and c.snoozed_until is not null))
                      or (i."optedOutAt" is not null and c.opted_out_at is null)
                      or (not i.subscribed and not c.subscribed and ${mayBeUndone(ctx, sql`c`)})
                      or ${dataOf(sql`c.data`, sql`i.set`)} - i.remove <> c.data, false) as changes
        from json_to_recordset(${input}::json) as i(
             position int, id uuid, "projectId" uuid, email text, set jsonb, remove text[], subscribed boolean, fallback boolean,
             "optedOutAt" timestamptz, "keepsOptOuts" boolean, "keepsSnoozes" boolean, origin int)
        left join lateral (
             select * from contacts c where c.project_id = i."projectId" and c.email = i.email limit 1) c on true
       order by i."projectId", i.email`,
  )
  const locked = cte(
    sql,
    'locked',
    row,
    columns => sql`
      select ${columns} from ${seen.name} s
       cross join lateral (
             select * from contacts c where c.project_id = s."projectId" and c.email = s.email for update) c
       where s.changes`,
  )
  const written = cte(
    sql,
    'written',
    row,
    columns => sql`select ${columns} from (select * from patched union all select * from created) c`,
  )
  const changed = sql`
    ${written.name} w join ${seen.name} s on s."projectId" = w.project_id and s.email = w.email
      left join ${locked.name} l on l.project_id = w.project_id and l.id = w.id`
  return await sql<UpsertResult[]>`
    with ${undoableWork(ctx, { projectIds, now, except: imported?.importId })}, ${seen.as}, ${locked.as}, patched as (
      insert into contacts (id, project_id, email, subscribed, snoozed_until, opted_out_at, data, keys_allowed, created_at, updated_at, version)
      select l.id, l.project_id, l.email, coalesce(w.subscribed, l.subscribed),
             case when w.subscribed is null then l.snoozed_until end,
             case when w.subscribed is null then l.opted_out_at
                  when not w.subscribed then
                    coalesce(l.opted_out_at, s."optedOutAt",
                             case when l.subscribed or l.snoozed_until is not null then ${now}::timestamptz end)
             end,
             ${dataOf(sql`l.data`, sql`s.set`)} - s.remove, l.keys_allowed, l.created_at, ${now}::timestamptz, l.version + 1
        from ${locked.name} l join ${seen.name} s on s."projectId" = l.project_id and s.email = l.email
       cross join lateral (
             select case when not (s."keepsOptOuts" and s.subscribed
                                   and (l.opted_out_at is not null or l.snoozed_until is not null))
                              and not (s."keepsSnoozes" and not s.subscribed and l.snoozed_until is not null)
                         then s.subscribed end as subscribed) w
      on conflict (project_id, email) do update
         set subscribed = excluded.subscribed, snoozed_until = excluded.snoozed_until, opted_out_at = excluded.opted_out_at,
             data = excluded.data, updated_at = excluded.updated_at, version = excluded.version
      returning *
    ), created as (
      insert into contacts (id, project_id, email, subscribed, opted_out_at, data, created_at, updated_at)
      select s.id, s."projectId", s.email, coalesce(s.subscribed, s.fallback), s."optedOutAt", s.set, ${now}::timestamptz,
             ${now}::timestamptz
        from ${seen.name} s
       where s.contact_id is null and s.id is not null and (select count(*) from ${locked.name}) >= 0
       order by s."projectId", s.email
      on conflict (project_id, email) do nothing
      returning *
    ), ${written.as}, ${countedContacts(ctx, now, { ...changeOf(ctx), position: sql`s.position` }, changed)},
    ${recordConsent(ctx, now, { locked, written, seen }, origins)}
    ${imported ? recordImportChanges(ctx, imported.importId, { locked, written }) : sql``}
    select ${contactColumns(ctx)}, l.id is null as "isNew", coalesce(l.subscribed <> c.subscribed, false) as "hasChanged",
           true as "isWritten"
      from ${written.name} c left join ${locked.name} l on l.project_id = c.project_id and l.id = c.id
     union all
    select c.contact_id, c."projectId", c.email, c.is_subscribed, c.snoozed_until, c.opted_out_at, c.data,
           c.created_at, c.updated_at, false, false, false
      from ${seen.name} c where c.contact_id is not null and not c.changes`
}

/** The data of a contact that is there, once it has taken what a row sets. */
function dataAfter({ sql }: Context, existing: ExistingMode = 'update') {
  return (own: Fragment, set: Fragment): Fragment => {
    if (existing === 'keep') return own
    return existing === 'fill' ? sql`(${set} || ${own})` : sql`(${own} || ${set})`
  }
}

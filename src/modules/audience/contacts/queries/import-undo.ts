// Undoing an import: contacts go back to how they were, as far as nobody changed them since.
import type { Context } from '../../../../platform/context'
import type { ConsentOrigin, ImportUndo } from '../schema'
import { updatedContacts } from './changed'
import type { ImportChange } from './import-changes'

export interface UndoableImport {
  id: string
  createdAt: Date
  finishedAt: Date | null
  /** False in those of older releases, which kept nothing. */
  keepsChanges: boolean
  segmentId: string | null
  undo: ImportUndo | null
}

/** Locks an import for the time of one step, so that neither it nor another run of the undo goes on. */
export async function lockUndoable(
  tx: Context,
  projectId: string,
  id: string,
): Promise<UndoableImport | undefined> {
  const [row] = await tx.sql<UndoableImport[]>`
    select id, created_at as "createdAt", finished_at as "finishedAt", options is not null as "keepsChanges",
           options ->> 'segmentId' as "segmentId", undo
      from contact_imports where project_id = ${projectId}::uuid and id = ${id}::uuid for update`
  return row
}

export async function writeUndo(tx: Context, projectId: string, id: string, undo: ImportUndo): Promise<void> {
  await tx.sql`
    update contact_imports set undo = ${JSON.stringify(undo)}::jsonb
     where project_id = ${projectId}::uuid and id = ${id}::uuid`
}

/** Those of the contacts that are as they were at that version, locked in the order of every other change. */
export async function lockUnchanged(
  tx: Context,
  projectId: string,
  asked: ReadonlyArray<{ contactId: string; version: number }>,
): Promise<{ there: string[]; unchanged: string[] }> {
  const rows = await tx.sql<{ id: string; isUnchanged: boolean }[]>`
    with locked as materialized (
      select id, version from contacts
       where project_id = ${projectId}::uuid and id = any(${asked.map(({ contactId }) => contactId)}::uuid[])
       order by email for update
    )
    select l.id, l.version = a.version as "isUnchanged" from locked l
      join unnest(${asked.map(({ contactId }) => contactId)}::uuid[], ${asked.map(({ version }) => version)}::int[]) as a(id, version)
           on a.id = l.id`
  return {
    there: rows.map(({ id }) => id),
    unchanged: rows.flatMap(({ id, isUnchanged }) => (isUnchanged ? [id] : [])),
  }
}

export interface RestoredContact {
  id: string
  projectId: string
  subscribed: boolean
  /** Its subscription changed. */
  hasChanged: boolean
  isWritten: boolean
  /** Something that the import changed was changed since, and stays. */
  keepsSome: boolean
}

/**
 * Puts fields back that still have the value of the import, and the subscription of contacts whose subscription nobody has changed since.
 * Nobody to whom anything at all was done since is subscribed again: they may have said no a second time.
 */
export async function restoreImported(
  tx: Context,
  projectId: string,
  changes: readonly ImportChange[],
  origin: ConsentOrigin,
  now: Date,
): Promise<RestoredContact[]> {
  const { sql } = tx
  const asked = changes.map(({ contactId, version, touched, fields, subscription }) => ({
    ...{ id: contactId, version, touched, subscription, was: fields?.was ?? {}, is: fields?.is ?? {} },
  }))
  const changed = updatedContacts(tx, now, {
    of: sql`where project_id = ${projectId}::uuid and id = any(array(select id from asked)) order by email for update`,
    update: locked => sql`
      update contacts c
         set data = n.new_data, subscribed = n.new_subscribed, snoozed_until = n.new_snoozed_until,
             opted_out_at = n.new_opted_out_at, updated_at = ${now}::timestamptz, version = n.version + 1
        from (select l.*,
                     (l.data - coalesce(f.own, '{}')) || coalesce(f.earlier, '{}') as new_data,
                     case when s.is_own then (a.subscription ->> 'subscribed')::boolean else l.subscribed end as new_subscribed,
                     case when s.is_own then (a.subscription ->> 'snoozedUntil')::timestamptz else l.snoozed_until end as new_snoozed_until,
                     case when s.is_own then (a.subscription ->> 'optedOutAt')::timestamptz else l.opted_out_at end as new_opted_out_at
                from ${locked} l join asked a on a.id = l.id
               cross join lateral (
                     select array_agg(k.key) as own,
                            jsonb_object_agg(k.key, a.was -> k.key) filter (where a.was ? k.key) as earlier
                       from jsonb_object_keys(a.was || a."is") as k(key)
                      where a.was -> k.key is distinct from a."is" -> k.key
                        and l.data -> k.key is not distinct from a."is" -> k.key) f
               cross join lateral (
                     select a.subscription is not null and not a.touched
                            and (l.version = a.version
                                 or (l.subscribed and not exists (
                                       select from consent_changes e
                                        where e.project_id = ${projectId}::uuid and e.contact_id = l.id
                                          and e.version > a.version and e.topic_id is null))) as is_own) s) n
       where c.project_id = ${projectId}::uuid and c.id = n.id
         and (n.new_data, n.new_subscribed, n.new_snoozed_until, n.new_opted_out_at)
             is distinct from (n.data, n.subscribed, n.snoozed_until, n.opted_out_at)`,
    origins: [origin],
  })
  return await sql<RestoredContact[]>`
    with asked as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as a(
             id uuid, version int, touched boolean, subscription jsonb, was jsonb, "is" jsonb)
    ), ${changed.as}
    select l.id, l.project_id as "projectId", coalesce(w.subscribed, l.subscribed) as subscribed,
           coalesce(w.subscribed <> l.subscribed, false) as "hasChanged", w.id is not null as "isWritten",
           exists (select from jsonb_object_keys(a.was || a."is") as k(key)
                    where a.was -> k.key is distinct from a."is" -> k.key
                      and l.data -> k.key is distinct from a."is" -> k.key)
             or (a.subscription is not null
                 and (coalesce(w.subscribed, l.subscribed), coalesce(w.opted_out_at, case when w.id is null then l.opted_out_at end))
                     is distinct from ((a.subscription ->> 'subscribed')::boolean, (a.subscription ->> 'optedOutAt')::timestamptz))
             as "keepsSome"
      from ${changed.locked} l join asked a on a.id = l.id
      left join ${changed.written} w on w.id = l.id`
}

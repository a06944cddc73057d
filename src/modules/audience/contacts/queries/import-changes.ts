// What an import did to each contact, so that it can be undone: recorded by the statement that does it, and read a batch at a time.
import type { Context } from '../../../../platform/context'
import type { Fragment } from '../../../../platform/db/cte'
import type { DecisionChange, FieldChanges, SubscriptionBefore } from '../schema'
import type { WrittenContacts } from './consent'

/**
 * A common table expression that records contacts as an import changes them. A contact that the file names again is one row: with what it
 * was first, and marked where somebody else wrote in between.
 */
export function recordImportChanges(
  { sql }: Context,
  importId: string,
  { locked, written }: Omit<WrittenContacts, 'seen'>,
): Fragment {
  return sql`, recorded as (
      insert into contact_import_changes as r (project_id, import_id, contact_id, created, version, fields, subscription)
      select w.project_id, ${importId}::uuid, w.id, l.id is null, w.version,
             case when l.data <> w.data then jsonb_build_object('was', l.data, 'is', w.data) end,
             case when (l.subscribed, l.snoozed_until, l.opted_out_at)
                       is distinct from (w.subscribed, w.snoozed_until, w.opted_out_at) and l.id is not null then
               jsonb_build_object('subscribed', l.subscribed, 'snoozedUntil', l.snoozed_until, 'optedOutAt', l.opted_out_at) end
        from ${written.name} w left join ${locked.name} l on l.project_id = w.project_id and l.id = w.id
      on conflict (project_id, import_id, contact_id) do update
         set version = excluded.version, touched = r.touched or excluded.version <> r.version + 1,
             fields = case when r.created then null when r.fields is null or excluded.fields is null
                           then coalesce(r.fields, excluded.fields)
                           else jsonb_build_object('is', excluded.fields -> 'is', 'was', case
                             when r.fields -> 'is' = excluded.fields -> 'was' then r.fields -> 'was' else ${earlierData(sql)} end) end,
             subscription = case when not r.created then coalesce(r.subscription, excluded.subscription) end
    )`
}

/** Where somebody else changed fields in between: what they wrote stays, and the rest is what it was at first. */
function earlierData(sql: Context['sql']): Fragment {
  return sql`(
    select (excluded.fields -> 'was') - coalesce(array_agg(k.key), '{}')
             || coalesce(jsonb_object_agg(k.key, r.fields -> 'was' -> k.key) filter (where r.fields -> 'was' ? k.key), '{}')
      from jsonb_each(excluded.fields -> 'was') k where r.fields -> 'is' -> k.key = k.value)`
}

/** Decisions that an import wrote for a contact. */
export interface WrittenTopics {
  contactId: string
  /** How many of them raised the contact's version. */
  entered: number
  topics: Record<string, DecisionChange>
}

/**
 * Adds decisions about topics to what is recorded, and how often these contacts have changed by now, which counts decisions too. Where
 * somebody else has decided since the import did, that is what undoing puts back.
 */
export async function recordImportTopics(
  tx: Context,
  projectId: string,
  importId: string,
  written: readonly WrittenTopics[],
): Promise<void> {
  const entered = JSON.stringify(written.map(({ contactId, entered }) => ({ contactId, entered })))
  await tx.sql`
    insert into contact_import_changes as r (project_id, import_id, contact_id, created, version, topics)
    select c.project_id, ${importId}::uuid, c.id, false, c.version, w.topics
      from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as w("contactId" uuid, entered int, topics jsonb)
      join contacts c on c.project_id = ${projectId}::uuid and c.id = w."contactId"
    on conflict (project_id, import_id, contact_id) do update
       set version = excluded.version,
           touched = r.touched or excluded.version <> r.version + (
             select w.entered from jsonb_to_recordset(${entered}::jsonb) as w("contactId" uuid, entered int)
              where w."contactId" = r.contact_id),
           topics = case when not r.created then (
             select jsonb_object_agg(k.key, k.value || case when r.topics -> k.key -> 'isAt' = excluded.topics -> k.key -> 'wasAt'
                      then jsonb_build_object('was', r.topics -> k.key -> 'was', 'wasAt', r.topics -> k.key -> 'wasAt') else '{}' end)
               from jsonb_each(coalesce(r.topics, '{}') || excluded.topics) k) end`
}

export interface ImportChange {
  contactId: string
  created: boolean
  version: number
  touched: boolean
  fields: FieldChanges | null
  subscription: SubscriptionBefore | null
  topics: Record<string, DecisionChange> | null
}

/** The next that are left. */
export async function selectImportChanges(
  tx: Context,
  projectId: string,
  importId: string,
  limit: number,
): Promise<ImportChange[]> {
  return await tx.sql<ImportChange[]>`
    select contact_id as "contactId", created, version, touched, fields, subscription, topics from contact_import_changes
     where project_id = ${projectId}::uuid and import_id = ${importId}::uuid order by contact_id limit ${limit}`
}

export async function countImportChanges(ctx: Context, projectId: string, importId: string): Promise<number> {
  const [row] = await ctx.sql<{ changes: number }[]>`
    select count(*)::int as changes from contact_import_changes
     where project_id = ${projectId}::uuid and import_id = ${importId}::uuid`
  return row?.changes ?? 0
}

/** Deletes those that are done. */
export async function deleteImportChanges(
  tx: Context,
  projectId: string,
  importId: string,
  contactIds: readonly string[],
): Promise<void> {
  await tx.sql`
    delete from contact_import_changes
     where project_id = ${projectId}::uuid and import_id = ${importId}::uuid and contact_id = any(${contactIds as string[]}::uuid[])`
}

/** Of contacts that are gone, in all imports. Imports without records are left out first: most have none, and each is looked up for each contact. */
export async function deleteChangesOfContacts(
  ctx: Context,
  projectId: string,
  contactIds: readonly string[],
): Promise<void> {
  await ctx.sql`
    delete from contact_import_changes
     where project_id = ${projectId}::uuid
       and import_id = any(array(
             select id from contact_imports i
              where project_id = ${projectId}::uuid
                and exists (select from contact_import_changes r where r.project_id = i.project_id and r.import_id = i.id)))
       and contact_id = any(${contactIds as string[]}::uuid[])`
}

/** Deletes up to `limit` of imports that ended before a moment and are not being undone, or ended a day before that; returns how many. */
export async function deleteOldImportChanges(ctx: Context, before: Date, limit: number): Promise<number> {
  const [row] = await ctx.sql<{ deleted: number }[]>`
    with gone as (
      delete from contact_import_changes
       where (project_id, import_id, contact_id) in (
             select r.project_id, r.import_id, r.contact_id from contact_imports i
               join contact_import_changes r on r.project_id = i.project_id and r.import_id = i.id
              where i.finished_at < ${before}::timestamptz
                and (i.undo is null or i.undo ->> 'finishedAt' is not null
                     or i.finished_at < ${before}::timestamptz - interval '1 day')
              limit ${limit})
      returning 1
    )
    select count(*)::int as deleted from gone`
  return row?.deleted ?? 0
}

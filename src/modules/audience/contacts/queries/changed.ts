// What every statement that changes contacts has in common: the counts of contacts and of their fields are kept, and new fields enter the
// registry, in that very statement. The old and the new data are compared inside the database, under the row's lock, because a value read
// before could be out of date when it is written.

import { datePattern } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { cte, type Fragment } from '../../../../platform/db/cte'
import { type PlacedOrigin, recordConsent } from './consent'
import { wholeContact } from './rows'

/** A contact that changes: its data before and after, null if it did not or does not exist, and whether it was and is subscribed. */
interface ContactChange {
  project_id: Fragment
  before: Fragment
  after: Fragment
  was_subscribed: Fragment
  subscribed: Fragment
  /** The order in which first values count. */
  position?: Fragment
}

/** Of the contact `w`, which was `l`. */
export function changeOf({ sql }: Context): ContactChange {
  return {
    ...{ project_id: sql`w.project_id`, before: sql`l.data`, after: sql`w.data` },
    ...{ was_subscribed: sql`l.subscribed`, subscribed: sql`w.subscribed` },
  }
}

/**
 * Common table expressions that count the changes of the contacts that `source`, behind `from`, gives.
 *
 * A field is registered when a contact gains it. That needs no memory of known fields in the process, which another process
 * that deletes a field would leave wrong; an existing contact that gains nothing costs nothing, and a known field one index probe.
 * Whoever deletes a field waits for the statements that found it there and are not committed yet (`holdFieldRegistry`).
 */
export function countedContacts(
  { sql }: Context,
  now: Date,
  change: ContactChange,
  source: Fragment,
): Fragment {
  const columns = { position: sql`0`, ...change }
  const changed = cte(sql, 'changed', columns, list => sql`select ${list} from ${source}`)
  return sql`
    ${changed.as}, moved as materialized (
      select c.project_id, k.key, k.value, c.position, 1 as step
        from ${changed.name} c cross join lateral jsonb_each(c.after) k
       where c.before is null or not c.before ? k.key
       union all
      select c.project_id, k.key, null, c.position, -1
        from ${changed.name} c cross join lateral jsonb_object_keys(c.before) as k(key)
       where c.after is null or not c.after ? k.key
    ), registry as materialized (
      select project_id, pg_advisory_xact_lock_shared(hashtextextended('contact fields ' || project_id::text, 0))
        from (select distinct project_id from moved where step = 1) as gaining
    ), learned as (
      insert into contact_fields (project_id, name, type, created_at)
      select distinct on (project_id, key) project_id, key,
             case jsonb_typeof(value)
               when 'number' then 'number'
               when 'boolean' then 'boolean'
               when 'string' then case when value #>> '{}' ~ ${datePattern} then 'date' else 'string' end
               else 'string'
             end, ${now}::timestamptz
        from moved join registry using (project_id) where step = 1
       order by project_id, key, position
      on conflict (project_id, name) do nothing
    ), counted as materialized (
      select project_id,
             sum((after is not null)::int - (before is not null)::int) as contacts,
             sum(coalesce(subscribed, false)::int - coalesce(was_subscribed, false)::int) as subscribed,
             (select jsonb_object_agg(f.key, f.steps)
                from (select m.key, sum(m.step) as steps from moved m
                       where m.project_id = c.project_id group by m.key having sum(m.step) <> 0) f) as fields
        from ${changed.name} c group by project_id
    ), tallied as (
      insert into contact_deltas (project_id, contacts, subscribed, fields)
      select project_id, contacts, subscribed, fields from counted
       where contacts <> 0 or subscribed <> 0 or fields is not null
    )`
}

interface Update {
  /** Which contacts `c` are locked, in which order, and how. */
  of: Fragment
  /** An update of contacts `c` by what was locked. */
  update: (locked: Fragment) => Fragment
  origins: readonly PlacedOrigin[]
}

/** Contacts that are locked and updated, with their counts and the record of their consent. */
export function updatedContacts(ctx: Context, now: Date, { of, update, origins }: Update) {
  const { sql } = ctx
  const row = wholeContact(ctx)
  const locked = cte(sql, 'locked', row, all => sql`select ${all} from contacts c ${of}`)
  const written = cte(sql, 'written', row, all => sql`${update(locked.name)} returning ${all}`)
  const both = sql`${written.name} w join ${locked.name} l on l.project_id = w.project_id and l.id = w.id`
  const as = sql`
    ${locked.as}, ${written.as}, ${countedContacts(ctx, now, changeOf(ctx), both)},
    ${recordConsent(ctx, now, { locked, written }, origins)}`
  return { as, locked: locked.name, written: written.name }
}

// What every statement that changes contacts has in common: the counts of contacts and of their fields are kept, and new fields enter the
// registry, in that very statement. The old and the new data are compared inside the database, under the row's lock, because a value read
// before could be out of date when it is written.

import { datePattern } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'

/**
 * Common table expressions to follow one named `changed` with the columns project_id, position (the order in which first
 * values count), before and after (data, null if the contact did not or does not exist), was_subscribed and subscribed.
 *
 * A field is registered when a contact gains it. That needs no memory of known fields in the process, which another process
 * that deletes a field would leave wrong; an existing contact that gains nothing costs nothing, and a known field one index probe.
 * Whoever deletes a field waits for the statements that found it there and are not committed yet (`holdFieldRegistry`).
 */
export function tally(ctx: Context, now: Date) {
  return ctx.sql`
    moved as materialized (
      select c.project_id, k.key, k.value, c.position, 1 as step
        from changed c cross join lateral jsonb_each(c.after) k
       where c.before is null or not c.before ? k.key
       union all
      select c.project_id, k.key, null, c.position, -1
        from changed c cross join lateral jsonb_object_keys(c.before) as k(key)
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
        from changed c group by project_id
    ), tallied as (
      insert into contact_deltas (project_id, contacts, subscribed, fields)
      select project_id, contacts, subscribed, fields from counted
       where contacts <> 0 or subscribed <> 0 or fields is not null
    )`
}

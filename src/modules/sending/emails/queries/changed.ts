// What all statements that change emails do: they keep the counts by day, and a row for each email with which something went wrong. Lists
// of troubled emails read those rows, and emails without trouble pay for no index on their state.
import type { Context } from '../../../../platform/context'
import { cte, type Fragment } from '../../../../platform/db/cte'
import { simulatedPatterns } from '../days'
import { ownSimulatorDomain } from '../simulator'

/** By how much an email changes the counts of its day. */
interface DayChanges {
  sent: Fragment
  delivered: Fragment
  opened: Fragment
  clicked: Fragment
  bounced: Fragment
  complained: Fragment
  failed: Fragment
  skipped: Fragment
}

interface Changes extends Partial<DayChanges> {
  /** What is wrong with it now: a kind of trouble, or null. */
  trouble: Fragment
  /** Whether there may have been trouble before. Emails without any then look nothing up. */
  had_trouble: Fragment
}

/**
 * The changed emails `e` with further columns, as `body` updates and returns them, and in the same statement their counts and troubles. What
 * fails or is skipped counts as no use; what was sent is charged, twice where something is attached. Each address that an email goes to
 * counts, for both.
 */
export function changedEmails<Column extends string = never>(
  { sql }: Pick<Context, 'sql'>,
  changes: Changes & Record<Column, Fragment>,
  body: (columns: Fragment) => Fragment,
) {
  const none = sql`0`
  const columns = {
    id: sql`e.id`,
    project_id: sql`e.project_id`,
    created_at: sql`e.created_at`,
    source_type: sql`e.source_type`,
    to_email: sql`e.to_email`,
    attachment_set: sql`e.attachment_set`,
    // None for one that is only simulated.
    addressees: sql`case when e.to_email like ${`%@${ownSimulatorDomain}`} then 0
                         else 1 + coalesce(jsonb_array_length(e.copies), 0) end`,
    ...{ sent: none, delivered: none, opened: none, clicked: none },
    ...{ bounced: none, complained: none, failed: none, skipped: none },
    ...changes,
  }
  const changed = cte(sql, 'changed', columns, body)
  const as = sql`
    ${changed.as}, counted as (
      insert into email_day_deltas (project_id, hour, source_type, is_simulated, sent, delivered, opened, clicked, bounced,
                                    complained, failed, used, units)
      select project_id, date_trunc('hour', created_at, 'UTC'), source_type, to_email like any(${simulatedPatterns}::text[]),
             sum(sent), sum(delivered), sum(opened), sum(clicked), sum(bounced), sum(complained), sum(failed),
             -sum((failed + skipped) * addressees),
             sum(sent * addressees * case when attachment_set is null then 1 else 2 end)
        from ${changed.name}
       group by 1, 2, 3, 4
      having bool_or((sent, delivered, opened, clicked, bounced, complained, failed, skipped)
                     is distinct from (0, 0, 0, 0, 0, 0, 0, 0))
    ), troubled as (
      insert into email_troubles (project_id, email_id, kind)
      select project_id, id, trouble from ${changed.name} where trouble is not null
      on conflict (project_id, email_id) do update set kind = excluded.kind where email_troubles.kind <> excluded.kind
    ), untroubled as (
      delete from email_troubles
       where project_id = any(array(select project_id from ${changed.name} where trouble is null and had_trouble))
         and email_id = any(array(select id from ${changed.name} where trouble is null and had_trouble))
    )`
  return { ...changed, as }
}

/** What is wrong with the row `e` as it is now; null if nothing is. One that waits for its first attempt, or is held, is in no trouble. */
export function troubleOf({ sql }: Context): Fragment {
  return sql`
    case when e.complained_at is not null then 'complained'
         when e.bounced_at is not null or e.status = 'BOUNCED' then 'bounced'
         when e.status = 'FAILED' then case when e.reason = 'suppressed' then 'suppressed' else 'failed' end
         when e.status = 'PENDING' and e.reason = 'deferred' then 'waiting' end`
}

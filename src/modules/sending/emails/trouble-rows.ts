// Emails with which something went wrong have a row of their own, written in the statement that changes them. Lists of troubled emails read
// those rows, and emails without trouble pay for no index on their state.
import type postgres from 'postgres'
import type { Context } from '../../../platform/context'

type Fragment = postgres.PendingQuery<postgres.Row[]>

/** What is wrong with the row `e` as it is now; null if nothing is. One that waits for its first attempt, or is held, is in no trouble. */
export function troubleOf({ sql }: Context): Fragment {
  return sql`
    case when e.complained_at is not null then 'complained'
         when e.bounced_at is not null or e.status = 'BOUNCED' then 'bounced'
         when e.status = 'FAILED' then case when e.reason = 'suppressed' then 'suppressed' else 'failed' end
         when e.status = 'PENDING' and e.reason = 'deferred' then 'waiting' end`
}

/** Emails that a statement changed. */
export interface ChangedRows {
  /** A common table expression with their `project_id` and `id`. */
  rows: Fragment
  /** What is wrong with each now, as an expression over `rows`: a kind of trouble, or null. */
  trouble: Fragment
  /** Whether there may have been trouble before: an expression over `rows`. Emails without any then look nothing up. */
  hadTrouble: Fragment
}

/** Common table expressions that write what is wrong with the rows, and delete what no longer is. */
export function noteTroubles({ sql }: Context, { rows, trouble, hadTrouble }: ChangedRows): Fragment {
  return sql`
    troubled as (
      insert into email_troubles (project_id, email_id, kind)
      select project_id, id, ${trouble} from ${rows} where ${trouble} is not null
      on conflict (project_id, email_id) do update set kind = excluded.kind where email_troubles.kind <> excluded.kind
    ), untroubled as (
      delete from email_troubles
       where project_id = any(array(select project_id from ${rows} where ${trouble} is null and ${hadTrouble}))
         and email_id = any(array(select id from ${rows} where ${trouble} is null and ${hadTrouble}))
    )`
}

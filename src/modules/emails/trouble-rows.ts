// What statements of several modules that change e-mail rows have in common: a message with which something went wrong has a row of its
// own, written in that very statement. Lists of troubled messages read those rows, and messages without trouble pay for no index on their
// state.

import type { Context } from '../../platform/context'
import { suppressedSentence } from '../suppressions'
import { heldBy } from './held'

/** What is wrong with the row `e` as it is now; null if nothing is. One that waits for its first attempt, or is held by a rule, is in no trouble. */
export function troubleOf({ sql }: Context) {
  return sql`
    case when e.complained_at is not null then 'complained'
         when e.bounced_at is not null or e.status = 'BOUNCED' then 'bounced'
         when e.status = 'FAILED' then case when starts_with(e.error, ${suppressedSentence}) then 'suppressed' else 'failed' end
         when e.status = 'PENDING' and e.error is not null and not starts_with(e.error, ${heldBy}) then 'waiting' end`
}

/**
 * To follow a common table expression `changed` with the columns project_id, id, trouble and has_left, which says for a row without
 * trouble whether it may have had some: an ordinary message then looks nothing up.
 */
export function noteTroubles({ sql }: Context) {
  return sql`
    troubled as (
      insert into email_troubles (project_id, email_id, kind)
      select project_id, id, trouble from changed where trouble is not null
      on conflict (project_id, email_id) do update set kind = excluded.kind where email_troubles.kind <> excluded.kind
    ), untroubled as (
      delete from email_troubles
       where project_id = any(array(select project_id from changed where trouble is null and has_left))
         and email_id = any(array(select id from changed where trouble is null and has_left))
    )`
}

// What statements of several modules that change e-mail rows have in common: the counts by day move along, in that very statement.
import type { Context } from '../../platform/context'
import { simulatorDomain } from './days'

/**
 * To stand after a common table expression `changed` with the columns project_id,
 * created_at, source_type, to_email and, as numbers, sent, delivered, opened, clicked, bounced, complained and failed.
 */
export function tallyDays({ sql }: Context) {
  return sql`
    counted as (
      insert into email_day_deltas (project_id, hour, source_type, is_simulated, sent, delivered, opened, clicked, bounced,
                                    complained, failed)
      select project_id, date_trunc('hour', created_at, 'UTC'), source_type, to_email like ${`%@${simulatorDomain}`},
             sum(sent), sum(delivered), sum(opened), sum(clicked), sum(bounced), sum(complained), sum(failed)
        from changed
       group by 1, 2, 3, 4
      having bool_or((sent, delivered, opened, clicked, bounced, complained, failed) is distinct from (0, 0, 0, 0, 0, 0, 0))
    )`
}

// What statements of several modules that change e-mail rows have in common: the counts by day are kept in that very statement.
import type { Context } from '../../../platform/context'
import { simulatedPatterns } from './days'
import { ownSimulatorDomain } from './simulator'

/** Of the row `e`: how many addresses it goes to; none for one that is only simulated. */
export function addressees({ sql }: Pick<Context, 'sql'>) {
  return sql`case when e.to_email like ${`%@${ownSimulatorDomain}`} then 0
                  else 1 + coalesce(jsonb_array_length(e.copies), 0) end as addressees`
}

/**
 * To follow a common table expression `changed` with the columns project_id, created_at, source_type, to_email, attachment_set and, as
 * numbers, addressees, sent, delivered, opened, clicked, bounced, complained, failed and skipped. What fails or is skipped counts as no
 * use; what has left is charged, twice where something is attached. Each address that a message goes to counts, for both.
 */
export function tallyDays({ sql }: Context) {
  return sql`
    counted as (
      insert into email_day_deltas (project_id, hour, source_type, is_simulated, sent, delivered, opened, clicked, bounced,
                                    complained, failed, used, units)
      select project_id, date_trunc('hour', created_at, 'UTC'), source_type, to_email like any(${simulatedPatterns}::text[]),
             sum(sent), sum(delivered), sum(opened), sum(clicked), sum(bounced), sum(complained), sum(failed),
             -sum((failed + skipped) * addressees),
             sum(sent * addressees * case when attachment_set is null then 1 else 2 end)
        from changed
       group by 1, 2, 3, 4
      having bool_or((sent, delivered, opened, clicked, bounced, complained, failed, skipped)
                     is distinct from (0, 0, 0, 0, 0, 0, 0, 0))
    )`
}

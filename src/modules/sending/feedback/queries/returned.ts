// How many mails came back, by day and by what became of them.
import type { Context } from '../../../../platform/context'
import type { ReturnedOutcome } from '../schema'

/** Counts one. Mails that come at the same moment wait for each other, which is no matter at their number. */
export async function addReturned(ctx: Context, outcome: ReturnedOutcome): Promise<void> {
  await ctx.sql`
    insert into returned_mail_days as d (day, outcome, mails)
    values (${ctx.clock.now()}::timestamptz at time zone 'UTC', ${outcome}, 1)
    on conflict (day, outcome) do update set mails = d.mails + 1`
}

/** The counts since a moment. */
export async function sumReturned(
  ctx: Context,
  since: Date,
): Promise<Array<{ outcome: ReturnedOutcome; mails: number }>> {
  return await ctx.sql<Array<{ outcome: ReturnedOutcome; mails: number }>>`
    select outcome, sum(mails)::int as mails from returned_mail_days
     where day >= (${since}::timestamptz at time zone 'UTC')::date group by 1 order by 1`
}

// What receivers refused for the sender's sake, by day.
import type { Context } from '../../../../platform/context'
import type { DaySpan } from './days'

export interface RefusalByReceiver {
  projectId: string
  receiver: string
  messages: number
  /** Of the newest. */
  words: string
}

/** Adds to the counts of today; in one order, so that two batches can't deadlock. */
export async function addRefusals(ctx: Context, refusals: readonly RefusalByReceiver[]): Promise<void> {
  const now = ctx.clock.now()
  await ctx.sql`
    insert into receiver_refusals as r (project_id, receiver, day, messages, words, last_at)
    select n."projectId", n.receiver, ${now}::timestamptz at time zone 'UTC', n.messages, n.words, ${now}
      from json_to_recordset(${JSON.stringify(refusals)}::json) as n(
           "projectId" uuid, receiver text, messages int, words text)
     order by 1, 2
    on conflict (project_id, day, receiver) do update
       set messages = r.messages + excluded.messages, words = excluded.words, last_at = excluded.last_at`
}

export interface ReceiverRefusals {
  receiver: string
  messages: number
  words: string
  lastAt: Date
}

/** Who refused most in these days (UTC). */
export async function selectRefusals(
  ctx: Context,
  projectId: string,
  { first, last }: DaySpan,
  limit: number,
): Promise<ReceiverRefusals[]> {
  return await ctx.sql<ReceiverRefusals[]>`
    select receiver, sum(messages)::int as messages, coalesce((array_agg(words order by last_at desc))[1], '') as words,
           max(last_at) as "lastAt"
      from receiver_refusals
     where project_id = ${projectId}::uuid and day between ${first}::date and ${last}::date
     group by 1 order by 2 desc, 1 limit ${limit}`
}

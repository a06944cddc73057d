// SQL of the counters against guessing and flooding. Counting is one statement, so that attempts that arrive together can't slip through
// between a read and a write.
import type { Context } from '../../../../platform/context'
import type { AttemptKind } from '../schema'

export type { AttemptKind }

/** Counts an attempt if there are fewer than `limit` in the open window; false if the window is full. */
export async function takeAttempt(
  ctx: Context,
  attempt: { kind: AttemptKind; subject: string; limit: number; closesAt: Date },
): Promise<boolean> {
  const now = ctx.clock.now()
  const rows = await ctx.sql`
    insert into account_attempts as a (kind, subject, failures, closes_at)
    values (${attempt.kind}, ${attempt.subject}, 1, ${attempt.closesAt})
    on conflict (kind, subject) do update
       set failures = case when a.closes_at <= ${now} then 1 else a.failures + 1 end,
           closes_at = case when a.closes_at <= ${now} then excluded.closes_at else a.closes_at end
     where a.closes_at <= ${now} or a.failures < ${attempt.limit}
    returning 1`
  return rows.length > 0
}

/** When the window of a subject ends. */
export async function selectWindowEnd(
  ctx: Context,
  kind: AttemptKind,
  subject: string,
): Promise<Date | undefined> {
  const [row] = await ctx.sql<{ closesAt: Date }[]>`
    select closes_at as "closesAt" from account_attempts where kind = ${kind} and subject = ${subject}`
  return row?.closesAt
}

/** Takes one counted attempt back. */
export async function giveAttemptBack(ctx: Context, kind: AttemptKind, subject: string): Promise<void> {
  await ctx.sql`
    update account_attempts set failures = failures - 1
     where kind = ${kind} and subject = ${subject} and failures > 0`
}

export async function deleteAttempts(ctx: Context, kind: AttemptKind, subject: string): Promise<void> {
  await ctx.sql`delete from account_attempts where kind = ${kind} and subject = ${subject}`
}

/** Deletes some windows that are over. Run with each attempt, it deletes faster than attempts can add. */
export async function deleteClosedWindows(ctx: Context): Promise<void> {
  await ctx.sql`
    delete from account_attempts
     where (kind, subject) in (
       select kind, subject from account_attempts where closes_at <= ${ctx.clock.now()}
        order by closes_at limit 20 for update skip locked)`
}

// Copies of messages that have left, while some of them still wait: taken for another attempt, and stored.
import type { Context } from '../../../../platform/context'
import type { StoredCopy } from '../copies'
import { type TakenEmail, takenColumns, withTracking } from './delivery'

type TakenCopies = Omit<TakenEmail, 'wasSending' | 'contactState' | 'suppressed' | 'triedSince' | 'holds'>

/** Counts an attempt at the copies; undefined if the message has not left, or is gone. */
export async function takeCopies(ctx: Context, id: string): Promise<TakenCopies | undefined> {
  const [row] = await ctx.sql<Array<Parameters<typeof withTracking>[0] & Omit<TakenCopies, 'tracked'>>>`
    update emails e
       set attempts = e.attempts + 1, updated_at = ${ctx.clock.now()}::timestamptz
      from projects p
     where e.id = ${id}::uuid and p.id = e.project_id and p.closing is null and e.copies is not null
       and e.status not in ('PENDING', 'SENDING', 'FAILED', 'SKIPPED')
    returning ${takenColumns(ctx)}, e.hops`
  return row && withTracking(row)
}

/** Only the latest attempt may say what became of them: false for any other. `attempts`: the number of its last try, where it made more than one. */
export async function storeCopies(
  ctx: Context,
  {
    email,
    copies,
    attempts = email.attempts,
  }: { email: Pick<TakenEmail, 'id' | 'attempts'>; copies: readonly StoredCopy[]; attempts?: number },
): Promise<boolean> {
  const { count } = await ctx.sql`
    update emails
       set copies = ${JSON.stringify(copies)}::text::jsonb, attempts = ${attempts}, updated_at = ${ctx.clock.now()}::timestamptz
     where id = ${email.id}::uuid and attempts = ${email.attempts}`
  return count > 0
}

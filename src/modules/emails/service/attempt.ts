// One attempt at a message of the ledger: handed over, measured and interpreted.
import type { Context } from '../../../platform/context'
import { handOver, type OutgoingMessage } from '../../../platform/mail/hand-over'
import { outcomeOfResult } from '../../../platform/mail/outcome'
import { retryTimeFor } from '../policy'
import type { DueEmail, EmailSettlement, Try } from '../queries'

/** A settlement with its attempt. */
export interface Attempted extends EmailSettlement {
  tries: [Try]
}

/** Never rejects. `since` is when the message was tried first, or made. */
export async function attempt(
  ctx: Context,
  email: DueEmail,
  since: Date,
  prepare: () => Promise<OutgoingMessage>,
): Promise<Attempted> {
  const transport = ctx.mail.name
  const startedAt = ctx.clock.now()
  const result = await handOver(ctx, email.id, prepare)
  const finishedAt = ctx.clock.now()
  ctx.metrics.deliveries.inc({ transport, outcome: result.outcome })
  const tried = { attempts: email.attempts, since, retryForMs: retryTimeFor(email) }
  const outcome = outcomeOfResult(result, tried, finishedAt, ctx.random.fraction())
  return { email, outcome, tries: [{ attempt: email.attempts, transport, startedAt, finishedAt, result }] }
}

// One attempt at a message of the ledger: handed over, measured and interpreted. Where there are several transports, one attempt may try more
// than one of them; each has its own row.
import type { Context } from '../../../platform/context'
import { type HandedOver, handOver, type OutgoingMessage } from '../../../platform/mail/hand-over'
import { failed, outcomeOfResult, putBack } from '../../../platform/mail/outcome'
import type { MailFacts } from '../../../platform/mail/ways/conditions'
import { suppressionSentence } from '../../suppressions'
import { retryTimeFor } from '../policy'
import type { DueEmail, EmailSettlement } from '../queries'
import { isOwnSimulator, simulatedResult } from '../simulator'
import type { PaceClass } from './pace'
import { takeReceiverTurn } from './receiver-turn'
import { wayPaceFor } from './way-turn'

/**
 * Never rejects. `since` is when the message was tried first, or made. Without tries: it waits for the pace of its way, or of its receiver.
 */
export async function attempt(
  ctx: Context,
  email: DueEmail,
  since: Date,
  prepare: () => Promise<OutgoingMessage>,
): Promise<EmailSettlement> {
  if (isOwnSimulator(email.toEmail)) return simulated(ctx, email, since)
  const paceClass = paceClasses[email.sourceType]
  const turn = await takeReceiverTurn(ctx, email, paceClass)
  if (turn instanceof Date) return settlementOf(ctx, email, since, { tries: [], heldUntil: turn })
  const pace = ctx.mail.ways && wayPaceFor(ctx, paceClass)
  const handedOver = await handOver(ctx, factsOf(email), prepare, pace)
  turn(handedOver)
  return settlementOf(ctx, email, since, handedOver)
}

/** Nothing is sent, and no pace is kept. */
function simulated(ctx: Context, email: DueEmail, since: Date): EmailSettlement {
  const result = simulatedResult(email.toEmail, email.attempts)
  if (result === 'suppressed')
    return { email, outcome: failed(suppressionSentence('simulated'), 'suppressed'), tries: [] }
  const at = ctx.clock.now()
  const tried = { transport: 'simulator', startedAt: at, finishedAt: at, result }
  return settlementOf(ctx, email, since, { tries: [tried] })
}

function settlementOf(
  ctx: Context,
  email: DueEmail,
  since: Date,
  { tries: given, heldUntil }: HandedOver,
): EmailSettlement {
  const tries = given.map((tried, index) => ({ ...tried, attempt: email.attempts + index }))
  for (const { transportName, transport, result } of tries)
    ctx.metrics.deliveries.inc({ transport: transportName ?? transport, outcome: result.outcome })
  const last = tries.at(-1)
  if (!last) return { email, outcome: { ...putBack, nextAttemptAt: heldUntil ?? null }, tries }
  const tried = { attempts: email.attempts, since, retryForMs: retryTimeFor(email) }
  const outcome = outcomeOfResult(last.result, tried, last.finishedAt, ctx.random.fraction())
  const isWaiting = heldUntil !== undefined && outcome.nextAttemptAt !== null
  return { email, outcome: isWaiting ? { ...outcome, nextAttemptAt: heldUntil } : outcome, tries }
}

const paceClasses: Record<DueEmail['sourceType'], PaceClass> = {
  TRANSACTIONAL: 'transactional',
  WORKFLOW: 'workflow',
  CAMPAIGN: 'campaign',
  INBOUND: 'transactional',
}

/** A message of the ledger, as far as it matters for the choice of a transport. */
export function factsOf({ id, projectId, mailClass, campaignId, fromEmail, toEmail }: DueEmail): MailFacts {
  // The same rule as for the headers of bulk mail.
  const kind = mailClass === 'marketing' || campaignId !== null ? 'marketing' : 'transactional'
  return { id, kind, projectId, from: fromEmail, to: toEmail }
}

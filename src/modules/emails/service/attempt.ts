// One attempt at a message of the ledger: handed over, measured and interpreted. Where there are several transports, one attempt may try more
// than one of them; each has its own row.
import type { Context } from '../../../platform/context'
import { type HandedOver, handOver, type OutgoingMessage } from '../../../platform/mail/hand-over'
import { outcomeOfResult, putBack } from '../../../platform/mail/outcome'
import type { MailFacts } from '../../../platform/mail/ways/conditions'
import { perContext } from '../../../platform/per-context'
import { retryTimeFor } from '../policy'
import type { DueEmail, EmailSettlement } from '../queries'
import { makeWayPacer, type PaceClass } from './pace'

const wayPacer = perContext(makeWayPacer)

/** Never rejects. `since` is when the message was tried first, or made. Without tries: the message waits for the pace of its way. */
export async function attempt(
  ctx: Context,
  email: DueEmail,
  since: Date,
  prepare: () => Promise<OutgoingMessage>,
): Promise<EmailSettlement> {
  const pace = ctx.mail.ways && wayPacer(ctx)
  const paceClass = paceClasses[email.sourceType]
  const handedOver = await handOver(ctx, factsOf(email), prepare, pace && (way => pace(way, paceClass)))
  return settlementOf(ctx, email, since, handedOver)
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

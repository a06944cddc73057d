// One attempt: the email is handed over, and the answer is measured and interpreted. With several transports one attempt may try more than
// one of them; each has a row of its own. What is reserved at each of them is in transport-turn.ts.
import type { Context } from '../../../../../platform/context'
import { type HandedOver, handOver } from '../../../../../platform/transports/hand-over'
import { failed, outcomeOfResult, putBack, waiting } from '../../../../../platform/transports/outcome'
import { isOwnSimulator, settleCopies, simulatedResult } from '../../../emails'
import { retryTimeFor } from '../../policy'
import { factsOf, paceClasses } from '../facts'
import { type Delivery, type EmailStep, type Make, type Result, untried } from '../step'
import { transportTurnFor } from '../transport-turn'

/** Never rejects. Without tries: it waits for the pace of its transport, or its run is over. */
export const makeHandOver: Make<EmailStep> =
  ctx =>
  async (delivery, { signal }) => {
    const result = await attempt(ctx, delivery, signal)
    const { copies } = delivery
    return copies ? { ...result, copied: settleCopies(copies, result.tries.at(-1)?.result) } : result
  }

async function attempt(ctx: Context, delivery: Delivery, signal: AbortSignal): Promise<Result> {
  const { email, message } = delivery
  if (isOwnSimulator(email.toEmail)) return simulated(ctx, delivery)
  const pace = ctx.mail.routes && transportTurnFor(ctx, paceClasses[email.sourceType])
  return resultOf(ctx, delivery, await handOver(ctx, factsOf(email), message!, { pace, signal }))
}

/** Nothing is sent, and no pace is kept. */
function simulated(ctx: Context, delivery: Delivery): Result {
  const result = simulatedResult(delivery.email.toEmail, delivery.email.attempts)
  if (result === 'suppressed') return untried(failed('suppressed', { suppression: 'simulated' }))
  const at = ctx.clock.now()
  return resultOf(ctx, delivery, {
    tries: [{ transport: 'simulator', startedAt: at, finishedAt: at, result }],
  })
}

function resultOf(ctx: Context, { email, since }: Delivery, { tries: given, heldUntil }: HandedOver): Result {
  const tries = given.map((tried, index) => ({ ...tried, attempt: email.attempts + index }))
  for (const { transportName, transport, result } of tries)
    ctx.metrics.deliveries.inc({ transport: transportName ?? transport, outcome: result.outcome })
  const last = tries.at(-1)
  if (!last) return { outcome: heldUntil ? waiting('pace', heldUntil) : putBack, tries }
  const tried = { attempts: email.attempts, since, retryForMs: retryTimeFor(email) }
  const outcome = outcomeOfResult(last.result, tried, last.finishedAt, ctx.random.fraction())
  const isWaiting = heldUntil !== undefined && outcome.nextAttemptAt !== null
  return { outcome: isWaiting ? { ...outcome, nextAttemptAt: heldUntil } : outcome, tries }
}

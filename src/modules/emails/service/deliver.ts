// Delivers one message at a time as far as the caller sees, and in batches as far as the database sees: taking rows and writing
// outcomes are shared by all deliveries that run at the moment.
import { collector, type Settled } from '../../../lib/collect'
import { second } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { Snooze } from '../../../platform/jobs/outcome'
import { judge, leftOut, suppressionSentence, type Verdict, withheld } from '../outcome'
import type { DueEmail, Settlement, TakenEmail, Try } from '../queries'
import * as queries from '../queries'
import { handOver } from './handover'
import { type KeyRing, makeKeyRing } from './keys'
import { makePacer, type PaceClass } from './pace'
import { type Outcome, settleBatch, settlePersistently } from './settle'

export interface Delivery {
  /**
   * Sends the message, or throws Snooze with the time of the next try. Returns quietly when the message is done already.
   * `isLastRun`: the job will not come back, so a message that took down its process every time is given up.
   */
  deliver(emailId: string, projectId: string, isLastRun?: boolean, paceClass?: PaceClass): Promise<void>
}

/** One for each process: it owns the batches that its deliveries share. */
export function makeDelivery(ctx: Context): Delivery {
  const take = collector<string, TakenEmail | undefined>(ids => takeBatch(ctx, ids), {
    maxItems: 100,
    slots: 1,
  })
  const settle = collector<Outcome, void>(outcomes => settleBatch(ctx, outcomes), { maxItems: 100, slots: 1 })
  const pace = makePacer(ctx)
  const keys = makeKeyRing(ctx)

  return {
    async deliver(emailId, projectId, isLastRun = false, paceClass = 'transactional') {
      await pace(projectId, paceClass)
      const email = await take(emailId)
      if (!email) return
      const outcome = await attempt(ctx, keys, email, isLastRun)
      await settlePersistently(settle, outcome)
      const { nextAttemptAt } = outcome.settlement
      if (nextAttemptAt) throw new Snooze(nextAttemptAt)
    },
  }
}

/** A row is for one caller; a second one in the same batch comes back when the first has settled it. */
async function takeBatch(ctx: Context, ids: string[]): Promise<Settled<TakenEmail | undefined>[]> {
  const rows = new Map((await queries.takeForSending(ctx, [...new Set(ids)])).map(row => [row.id, row]))
  const given = new Set<string>()
  return ids.map(id => {
    if (given.has(id)) return { error: new Snooze(5 * second) }
    given.add(id)
    return { value: rows.get(id) }
  })
}

/** Sends, unless the message may not leave, and says what came of it. */
async function attempt(ctx: Context, keys: KeyRing, email: TakenEmail, isLastRun: boolean): Promise<Outcome> {
  const refusal = whyWithheld(email, isLastRun)
  if (refusal) return outcomeOf(email, refusal, [])
  const startedAt = ctx.clock.now()
  const result = await handOver(ctx, keys, email)
  const finishedAt = ctx.clock.now()
  ctx.metrics.deliveries.inc({ transport: ctx.mail.name, outcome: result.outcome })
  const verdict = judge(email, result, finishedAt, ctx.random.fraction())
  return outcomeOf(email, verdict, [
    { attempt: email.attempts, transport: ctx.mail.name, startedAt, finishedAt, result },
  ])
}

/** What a workflow sends to those who subscribed is left out like a campaign's; the rest has failed. */
function whyWithheld(email: TakenEmail, isLastRun: boolean): Verdict | undefined {
  const withhold = email.sourceType === 'WORKFLOW' ? leftOut : withheld
  if (email.contactState === 'gone') return leftOut('contact was deleted')
  if (email.contactState === 'unsubscribed') return leftOut('contact is unsubscribed')
  if (email.suppressed) return withhold(suppressionSentence(email.suppressed))
  if (email.projectDisabled) return withhold('project is disabled')
  if (isLastRun && email.wasSending) return withheld('gave up: the process that sent it ended each time')
  return undefined
}

function outcomeOf(email: DueEmail, { suppress, ...verdict }: Verdict, tried: Try[]): Outcome {
  const settlement: Settlement = {
    ...verdict,
    id: email.id,
    projectId: email.projectId,
    attempt: email.attempts,
    attempts: tried.length > 0 ? email.attempts : email.attempts - 1,
    tried,
  }
  return { email, settlement, suppress }
}

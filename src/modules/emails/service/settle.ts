// Writes what came of many tries: rows, attempts, suppressed addresses, opt-outs and events in one transaction.
import type { Settled } from '../../../lib/collect'
import { sleep } from '../../../lib/time'
import { type Context, inTransaction } from '../../../platform/context'
import { violates } from '../../../platform/db/errors'
import { callHook } from '../../../platform/hooks'
import { recordProjectEvents } from '../../events/service'
import { isSimulated } from '../days'
import { deliveryEvents } from '../events'
import { messagesSettled } from '../hooks'
import type { DueEmail, Settlement } from '../queries'
import * as queries from '../queries'
import { enqueueReviews } from './reviews'
import { findWornOut } from './soft-bounces'
import { type Stop, stopWriting } from './stop-writing'

export interface Outcome {
  email: DueEmail
  settlement: Settlement
  /** The address gets nothing more, because of this answer. */
  suppress: boolean
}

type Settle = (outcome: Outcome) => Promise<void>

/** Twenty seconds, half a second apart: longer than a restart of the database takes. */
const mostTries = 40

/** The statement itself was refused (data, constraint, syntax), so repeating it is of no use. */
function isRefusal(error: unknown): boolean {
  return /^(22|23|42)/.test(String((error as { code?: unknown }).code ?? ''))
}

/**
 * The message has left, so its outcome must not be lost to a database that is away for a moment: that would send it twice. Writing
 * an outcome again is harmless, because only the try that took the row may settle it.
 */
export async function settlePersistently(settle: Settle, outcome: Outcome): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await settle(outcome)
    } catch (error) {
      // An id that is not unique identifies nothing; to keep it would mean to lose the outcome.
      if (violates(error, 'emails_provider_id')) outcome = withoutProviderId(outcome)
      else if (tries >= mostTries || isRefusal(error)) throw error
      else await sleep(500)
    }
  }
}

function withoutProviderId({ settlement, ...rest }: Outcome): Outcome {
  return { ...rest, settlement: { ...settlement, providerId: null } }
}

export async function settleBatch(ctx: Context, outcomes: Outcome[]): Promise<Settled<void>[]> {
  await inTransaction(ctx, async tx => {
    const settlements = outcomes.map(outcome => outcome.settlement).sort((a, b) => (a.id < b.id ? -1 : 1))
    const [settled] = await Promise.all([
      queries.settleEmails(tx, settlements),
      queries.insertAttempts(tx, settlements),
    ])
    const changed = new Map(settled.map(row => [row.id, row]))
    const mine = outcomes.flatMap(outcome => whatIsNew(outcome, changed.get(outcome.email.id)))
    await Promise.all([callHook(tx, messagesSettled, mine), recordProjectEvents(tx, deliveryEvents(mine))])
    const refused = mine.filter(outcome => outcome.suppress)
    await stopWriting(tx, [...refused, ...(await wornOut(tx, mine))].map(toStop))
    const judged = refused.filter(({ email }) => !isSimulated(email.toEmail))
    await enqueueReviews(
      tx,
      judged.map(({ email }) => email.projectId),
    )
  })
  return outcomes.map(() => ({ value: undefined }))
}

/** The outcome without what a report had told before, so that it neither counts nor happens again; none where nothing was settled. */
function whatIsNew({ settlement, ...rest }: Outcome, row: queries.SettledRow | undefined): Outcome[] {
  if (!row) return []
  const { sentAt, deliveredAt, bouncedAt } = settlement
  return [
    {
      ...rest,
      settlement: {
        ...settlement,
        sentAt: row.isSent ? sentAt : null,
        deliveredAt: row.isDelivered ? deliveredAt : null,
        bouncedAt: row.isBounced ? bouncedAt : null,
        gaveUp: row.isSoftBounced,
      },
    },
  ]
}

/** Those whose address has bounced softly so often that it counts as gone. */
async function wornOut(tx: Context, outcomes: Outcome[]): Promise<Outcome[]> {
  const givenUp = outcomes.filter(outcome => outcome.settlement.gaveUp)
  const found = await findWornOut(
    tx,
    givenUp.map(outcome => outcome.email),
  )
  return givenUp.filter(outcome => found.includes(outcome.email))
}

function toStop({ email, settlement }: Outcome): Stop {
  const { projectId, contactId, toEmail, id: emailId, hops } = email
  const detail = settlement.error ?? ''
  const suppress = !isSimulated(toEmail)
  return { projectId, contactId, toEmail, emailId, hops, detail, reason: 'bounce', suppress }
}

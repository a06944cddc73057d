// Writes the outcome of many attempts: rows, attempts, suppressed addresses, opt-outs and events in one transaction.

import type { Settled } from '../../../../lib/batcher'
import { sleep } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { violates } from '../../../../platform/db/errors'
import { callHook } from '../../../../platform/hooks'
import { sentenceOf } from '../../../../platform/transports/reason'
import { recordProjectEvents } from '../../../audience/events'
import { isSimulated } from '../days'
import type { EmailSettlement } from '../events'
import { deliveryEvents } from '../events'
import { messagesSettled } from '../hooks'
import * as queries from '../queries'
import { enqueueCopies, goneCopies } from './copies'
import { noteRecovery } from './deferred'
import { noteRefusals, type SenderRefusal } from './refusals'
import { enqueueReviews } from './reviews'
import { findRefusedOften, findWornOut } from './soft-bounces'
import { type MailingStop, stopMailing } from './stop-mailing'

type Settle = (settlement: EmailSettlement) => Promise<boolean>

/** Twenty seconds, half a second apart: longer than a restart of the database takes. */
const maxTries = 40

/** The statement itself was refused (data, constraint, syntax), so repeating it is of no use. */
function isRefusal(error: unknown): boolean {
  return /^(22|23|42)/.test(String((error as { code?: unknown }).code ?? ''))
}

/**
 * The message has left, so its outcome must not be lost to a database that is away for a moment: that would send it twice. Writing an
 * outcome again is harmless, because only the attempt that took the row may settle it. Returns as `settleBatch` does.
 */
export async function settlePersistently(settle: Settle, settlement: EmailSettlement): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      return await settle(settlement)
    } catch (error) {
      // An id that is not unique identifies nothing; keeping it would mean losing the outcome.
      if (violates(error, 'emails_provider_id')) settlement = withoutProviderId(settlement)
      else if (tries >= maxTries || isRefusal(error)) throw error
      else await sleep(500)
    }
  }
}

function withoutProviderId(settlement: EmailSettlement): EmailSettlement {
  return { ...settlement, outcome: { ...settlement.outcome, providerId: null } }
}

/** For each, whether this attempt settled the message; if not, it is in other hands, or was settled before. */
export async function settleBatch(ctx: Context, settlements: EmailSettlement[]): Promise<Settled<boolean>[]> {
  const changed = await inTransaction(ctx, async tx => {
    const sorted = settlements.toSorted((a, b) => (a.email.id < b.email.id ? -1 : 1))
    const [rows] = await Promise.all([queries.settleEmails(tx, sorted), queries.insertAttempts(tx, sorted)])
    const changed = new Map(rows.map(row => [row.id, row]))
    const settled = settlements.flatMap(settlement => whatIsNew(settlement, changed.get(settlement.email.id)))
    await Promise.all([
      callHook(tx, messagesSettled, settled),
      recordProjectEvents(tx, deliveryEvents(settled, tx.clock.now())),
    ])
    const dead = settled.filter(({ outcome }) => outcome.suppress)
    const gone = settled.flatMap(goneCopies)
    const repeated = (await refusedOften(tx, settled)).map(one => ({
      ...toStop(one),
      isRepeated: true as const,
    }))
    await stopMailing(tx, [...[...dead, ...(await wornOut(tx, settled))].map(toStop), ...repeated, ...gone])
    await enqueueCopies(
      tx,
      settled.filter(({ copied }) => copied?.isOpen).map(({ email }) => email),
    )
    await noteRefusals(tx, settled.flatMap(refusedFor))
    await noteRecovery(tx)
    const real = dead.filter(({ email }) => !isSimulated(email.toEmail))
    await enqueueReviews(
      tx,
      real.map(({ email }) => email.projectId),
    )
    return changed
  })
  return settlements.map(({ email }) => ({ value: changed.has(email.id) }))
}

/** Leaves out what a report had said before, so that it neither counts nor happens again; none where nothing was settled. */
function whatIsNew(
  { outcome, ...rest }: EmailSettlement,
  row: queries.SettledRow | undefined,
): EmailSettlement[] {
  if (!row) return []
  const { sentAt, deliveredAt, bouncedAt } = outcome
  return [
    {
      ...rest,
      outcome: {
        ...outcome,
        sentAt: row.isSent ? sentAt : null,
        deliveredAt: row.isDelivered ? deliveredAt : null,
        bouncedAt: row.isBounced ? bouncedAt : null,
        gaveUp: row.isSoftBounced,
      },
    },
  ]
}

/** Those whose address has soft-bounced so often that it counts as gone. */
async function wornOut(tx: Context, settlements: EmailSettlement[]): Promise<EmailSettlement[]> {
  const givenUp = settlements.filter(({ outcome }) => outcome.gaveUp)
  const found = await findWornOut(
    tx,
    givenUp.map(({ email }) => email),
  )
  return givenUp.filter(({ email }) => found.includes(email))
}

/** Those whose address has refused messages so often, and nobody says why, that it counts as gone. */
async function refusedOften(tx: Context, settlements: EmailSettlement[]): Promise<EmailSettlement[]> {
  const unexplained = settlements.filter(({ outcome }) => outcome.reason === 'unknown')
  const found = await findRefusedOften(
    tx,
    unexplained.map(({ email }) => email),
  )
  return unexplained.filter(({ email }) => found.includes(email))
}

/** Rejected because of the sender, or by policy. */
function refusedFor({ email, outcome }: EmailSettlement): SenderRefusal[] {
  if (outcome.reason !== 'refused') return []
  return [{ projectId: email.projectId, toEmail: email.toEmail, words: sentenceOf(outcome) ?? '' }]
}

function toStop({ email, outcome }: EmailSettlement): MailingStop {
  const { projectId, contactId, toEmail, id: emailId, hops } = email
  const detail = sentenceOf(outcome) ?? ''
  const suppress = !isSimulated(toEmail)
  return { projectId, contactId, toEmail, emailId, hops, detail, reason: 'bounce', suppress }
}

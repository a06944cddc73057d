// Writes what came of many tries: rows, attempts, suppressed addresses, opt-outs and events in one transaction.
import type { Settled } from '../../../lib/collect'
import { after, day, sleep } from '../../../lib/time'
import { type Context, inTransaction } from '../../../platform/context'
import { violates } from '../../../platform/db/errors'
import { type CountChange, countsOfSettled } from '../../campaigns/counts'
import { appendCounts } from '../../campaigns/queries'
import { selectContact, updateRow } from '../../contacts/queries'
import { recordFlips } from '../../contacts/service'
import { recordProjectEvents } from '../../events/service'
import { deliveryEvents } from '../events'
import type { DueEmail, Settlement } from '../queries'
import * as queries from '../queries'

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
    const changed = new Set(settled)
    const mine = outcomes.filter(outcome => changed.has(outcome.email.id))
    await appendCounts(tx, campaignChanges(mine))
    await recordProjectEvents(tx, deliveryEvents(mine))
    await stopWriting(tx, [...mine.filter(outcome => outcome.suppress), ...(await wornOut(tx, mine))])
  })
  return outcomes.map(() => ({ value: undefined }))
}

function campaignChanges(outcomes: Outcome[]): CountChange[] {
  return outcomes.flatMap(({ email: { projectId, campaignId }, settlement }) =>
    campaignId ? [{ projectId, campaignId, ...countsOfSettled(settlement) }] : [],
  )
}

const softBouncesInARow = 5
const softBounceSpan = 30 * day

/** Those whose address has bounced softly so often that it counts as gone. */
async function wornOut(tx: Context, outcomes: Outcome[]): Promise<Outcome[]> {
  const givenUp = outcomes.filter(outcome => outcome.settlement.gaveUp)
  if (givenUp.length === 0) return []
  const since = after(tx.clock.now(), -softBounceSpan)
  const asked = givenUp.map(outcome => outcome.email)
  const found = await queries.findSoftBounced(tx, asked, softBouncesInARow, since)
  const name = (one: { projectId: string; toEmail: string }): string => `${one.projectId} ${one.toEmail}`
  const names = new Set(found.map(name))
  return givenUp.filter(outcome => names.has(name(outcome.email)))
}

/** Suppresses the addresses and unsubscribes their contacts. */
async function stopWriting(tx: Context, outcomes: Outcome[]): Promise<void> {
  await queries.insertSuppressions(
    tx,
    outcomes.map(({ email, settlement }) => ({
      projectId: email.projectId,
      email: email.toEmail,
      source: settlement.error ?? '',
      emailId: email.id,
    })),
  )
  // In the order in which batches of contacts take their locks.
  const sorted = outcomes.map(outcome => outcome.email).sort(byAddress)
  for (const email of sorted) await unsubscribe(tx, email)
}

function byAddress(a: DueEmail, b: DueEmail): number {
  if (a.projectId !== b.projectId) return a.projectId < b.projectId ? -1 : 1
  return a.toEmail === b.toEmail ? 0 : a.toEmail < b.toEmail ? -1 : 1
}

/** A contact that was deleted, or has another address by now, is left alone. */
async function unsubscribe(tx: Context, email: DueEmail): Promise<void> {
  const { projectId, contactId, toEmail } = email
  const contact = await selectContact(tx, projectId, contactId)
  if (contact?.email !== toEmail) return
  const change = { email: null, subscribed: false, set: {}, remove: [], clear: false }
  const changed = await updateRow(tx, projectId, contactId, change, tx.clock.now())
  if (changed?.flipped) await recordFlips(tx, [changed], { data: { reason: 'bounce' }, emailId: email.id })
}

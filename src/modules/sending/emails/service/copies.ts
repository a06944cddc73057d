// Copies that the other side deferred when it accepted their message: what became of each further attempt, which is recorded among those of the
// message.

import { retryDelayMs } from '../../../../lib/backoff'
import { after } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { enqueueMany } from '../../../../platform/jobs/enqueue'
import { sentenceOf } from '../../../../platform/transports/reason'
import { recordProjectEvents } from '../../../audience/events'
import { giveUpCopies, nextTryOfCopies, openAddresses, type StoredCopy, settleCopies } from '../copies'
import { isSimulated } from '../days'
import type { DueEmail } from '../due-email'
import type { EmailSettlement } from '../events'
import { copyEvents } from '../events'
import { emailKinds } from '../kinds'
import * as queries from '../queries'
import { type MailingStop, stopMailing } from './stop-mailing'

/** To be called in the transaction that settles their messages. */
export async function enqueueCopies(tx: Context, emails: readonly DueEmail[]): Promise<void> {
  const now = tx.clock.now()
  const jobs = emails.map(({ id, projectId, attempts }) => ({
    args: { emailId: id, projectId },
    projectId,
    runAt: after(now, retryDelayMs(attempts, tx.random.fraction())),
  }))
  await enqueueMany(tx, emailKinds.copies, jobs)
}

/** Addresses of copies that are gone get nothing more; the contact of the message is somebody else. */
export function goneCopies({ email, copied }: Pick<EmailSettlement, 'email' | 'copied'>): MailingStop[] {
  const { projectId, contactId, id: emailId, hops } = email
  return (copied?.gone ?? []).map(({ email: toEmail, detail }) => ({
    ...{ projectId, contactId, toEmail, emailId, hops, detail },
    ...{ reason: 'bounce' as const, suppress: !isSimulated(toEmail) },
  }))
}

/** Without tries: they wait for their turn, or end with their message's content. */
interface TriedCopies {
  email: DueEmail
  outcome?: EmailSettlement['outcome']
  tries?: EmailSettlement['tries']
}

/** Writes what became of the copies of a message; returns when those that still wait are tried again. */
export async function writeCopies(
  ctx: Context,
  { email, outcome, tries = [] }: TriedCopies,
): Promise<Date | undefined> {
  const copies = email.copies ?? []
  const last = tries.at(-1)
  if (!last) {
    if (outcome?.nextAttemptAt) return outcome.nextAttemptAt
    const left = outcome ? giveUpCopies(copies, sentenceOf(outcome)) : copies
    await inTransaction(ctx, async tx => storeWithEvents(tx, email, left))
    return undefined
  }
  const [first, ...others] = openAddresses(copies)
  const { result } = last
  // The transport's result is about the first of them.
  const answer = result.outcome === 'accepted' ? result : takenByNobody(first!, result, others)
  const copied = settleCopies(copies, answer)
  const since = email.scheduledFor ?? email.createdAt
  const next = nextTryOfCopies({ since, tries: email.attempts }, ctx.clock.now(), ctx.random.fraction())
  const settled = next ? copied.copies : giveUpCopies(copied.copies)
  await inTransaction(ctx, async tx => {
    await storeWithEvents(tx, email, settled, last.attempt)
    await queries.insertAttempts(tx, [{ email, tries }])
    await stopMailing(tx, goneCopies({ email, copied }))
  })
  return copied.isOpen ? next : undefined
}

type Answer = NonNullable<Parameters<typeof settleCopies>[1]>
type Refused = Exclude<Answer, { outcome: 'accepted' }>

async function storeWithEvents(
  tx: Context,
  email: DueEmail,
  copies: StoredCopy[],
  attempts?: number,
): Promise<void> {
  const isStored = await queries.storeCopies(tx, {
    email,
    copies,
    ...(attempts === undefined ? {} : { attempts }),
  })
  if (!isStored) return
  const copied = { copies, gone: [], isOpen: false }
  await recordProjectEvents(tx, copyEvents({ email, copied }, tx.clock.now()))
}

/** Nothing was reported about the others, so they wait. */
function takenByNobody(first: string, result: Refused, others: readonly string[]): Answer {
  const later = others.map(address => ({ address, outcome: 'deferred' as const, response: result.response }))
  return {
    outcome: 'accepted',
    delivered: true,
    response: result.response,
    untaken: [{ address: first, ...result }, ...later],
  }
}

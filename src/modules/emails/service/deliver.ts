// Delivers one message at a time as the caller sees it, and in batches as the database sees it: taking rows and writing outcomes are
// shared by all deliveries that run at the same time.
import { batcher, type Settled } from '../../../lib/batcher'
import { after, minute, second } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { Snooze } from '../../../platform/jobs/outcome'
import { type DeliveryOutcome, failed, skipped } from '../../../platform/mail/outcome'
import { openAddresses, settleCopies, withholdCopies } from '../copies'
import { zoneOf } from '../hold'
import { whyWithheld } from '../policy'
import type { EmailSettlement, TakenEmail } from '../queries'
import * as queries from '../queries'
import { attempt } from './attempt'
import { deliverCopies } from './copies'
import { makeMailHold } from './hold'
import { type KeyRing, makeKeyRing } from './keys'
import { outgoingMessage } from './outgoing'
import { makePacer, type PaceClass } from './pace'
import { furthestAhead } from './scheduled'
import { settleBatch, settlePersistently } from './settle'
import { makeWarmUpGate } from './warm-up'

export interface Delivery {
  /**
   * Sends the message, or throws Snooze with the time of the next attempt. Returns quietly when the message is done already. `isLastRun`:
   * the job will not come back, so a message that brought down its process every time is given up.
   */
  deliver(emailId: string, projectId: string, isLastRun?: boolean, paceClass?: PaceClass): Promise<void>
  /** The same for its copies that nobody took yet, once the message itself has left. */
  deliverCopies(emailId: string): Promise<void>
}

/** Rows are taken when so many are wanted, or so long after the last ones: a password mail waits no longer than that. */
const takeCrowd = 16
const takeMs = 8
/**
 * The same for outcomes: a transaction has a cost of its own. Each waits in its job's slot, so when the process dies, no more messages than
 * there are slots have left without one. Where half of the slots wait, the other half would soon have nothing to do.
 */
const settleCrowd = (slots: number): number => Math.max(1, Math.min(24, Math.floor(slots / 2)))
const settleMs = 20

/** One for each process: it owns the batches that its deliveries share. */
export function makeDelivery(ctx: Context): Delivery {
  const take = batcher<string, TakenEmail | undefined>(ids => takeBatch(ctx, ids), {
    maxItems: 100,
    slots: 2,
    crowd: takeCrowd,
    freshMs: takeMs,
    staysFresh: true,
    afterTurn: true,
  })
  const settle = batcher<EmailSettlement, boolean>(batch => settleBatch(ctx, batch), {
    maxItems: 100,
    slots: 2,
    crowd: settleCrowd(ctx.config.jobConcurrency),
    freshMs: settleMs,
    staysFresh: true,
  })
  const pace = makePacer(ctx)
  const keys = makeKeyRing(ctx)
  const inWarmUp = makeWarmUpGate(ctx)
  const unlessHeld = makeHoldGate(ctx)
  const send = (email: TakenEmail): Promise<EmailSettlement> =>
    inWarmUp(email, () => unlessHeld(email, () => sendWithCopies(ctx, keys, email)))

  return {
    async deliver(emailId, projectId, isLastRun = false, paceClass = 'transactional') {
      await pace(projectId, paceClass)
      const email = await take(emailId)
      if (!email) return await awaitTurn(ctx, emailId)
      const settlement = withhold(email, isLastRun) ?? (await send(email))
      const isSettled = await settlePersistently(settle, settlement)
      const { nextAttemptAt } = settlement.outcome
      if (nextAttemptAt) throw new Snooze(nextAttemptAt)
      if (!isSettled) await seeEnd(ctx, emailId)
    },
    deliverCopies: emailId => deliverCopies(ctx, keys, emailId),
  }
}

/** Sends the message, unless the rules of its project hold it back or skip it. */
function makeHoldGate(ctx: Context) {
  const hold = makeMailHold(ctx)
  return async (email: TakenEmail, send: () => Promise<EmailSettlement>): Promise<EmailSettlement> => {
    const { holds } = email
    const held = holds && (await hold.enter(email, holds, zoneOf(holds.zone, holds.timeZone)))
    if (held) return { email, outcome: keptLongEnough(ctx, email, held), tries: [] }
    const settlement = await send()
    if (holds) await hold.leave(holds, settlement)
    return settlement
  }
}

/** A message that would leave after its body is emptied for its age does not leave. */
function keptLongEnough(ctx: Context, { createdAt }: TakenEmail, held: DeliveryOutcome): DeliveryOutcome {
  const { nextAttemptAt } = held
  if (!nextAttemptAt || nextAttemptAt <= after(createdAt, furthestAhead(ctx.config))) return held
  return skipped(held.error!.replace(/^held/, 'skipped'), 'held')
}

async function sendWithCopies(ctx: Context, keys: KeyRing, email: TakenEmail): Promise<EmailSettlement> {
  const since = email.triedSince
  if (!email.copies) return await attempt(ctx, email, since, () => outgoingMessage(ctx, keys, email))
  const copies = withholdCopies(email.copies, email.suppressedCopies ?? {})
  const recipients = [email.toEmail, ...openAddresses(copies)]
  const tried = await attempt(ctx, email, since, async () => ({
    ...(await outgoingMessage(ctx, keys, email)),
    recipients: [...new Set(recipients)] as [string, ...string[]],
  }))
  return { ...tried, copied: settleCopies(copies, tried.tries.at(-1)?.result) }
}

/** A message that is done needs nothing more; one that was rescheduled meanwhile is tried at its time. */
async function awaitTurn(ctx: Context, emailId: string): Promise<void> {
  const at = await queries.selectScheduledFor(ctx, emailId)
  if (at) throw new Snooze(at)
}

/**
 * Another process took the message while this one sent it, because it held the job before and does not know yet that it lost it. Its
 * attempt counts now, and it has no job that would come back if it fails: this one's stays until the message has ended.
 */
async function seeEnd(ctx: Context, emailId: string): Promise<void> {
  if (await queries.isOpen(ctx, emailId)) throw new Snooze(minute)
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

const lostEachTime = failed('gave up: the process that sent it ended each time')

/** Undefined if the message may leave. */
function withhold(email: TakenEmail, isLastRun: boolean): EmailSettlement | undefined {
  const outcome = whyWithheld(email) ?? (isLastRun && email.wasSending ? lostEachTime : undefined)
  return outcome && { email, outcome, tries: [] }
}

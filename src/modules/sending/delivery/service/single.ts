// Single emails as a source, those of workflows included: one at a time for the caller, in batches for the database. Deliveries that run at the
// same time share the statements that take rows and write outcomes.
import { batcher, type Settled } from '../../../../lib/batcher'
import { minute, second } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import type { JobRun } from '../../../../platform/jobs/kind'
import { Snooze } from '../../../../platform/jobs/outcome'
import {
  type EmailSettlement,
  isOpen,
  makeKeyRing,
  selectScheduledFor,
  settleBatch,
  settlePersistently,
  type TakenEmail,
  takeForSending,
  withholdCopies,
} from '../../emails'
import { zoneOf } from '../hold'
import { deliverCopies } from './copies'
import type { PaceClass } from './pace'
import { makePipeline } from './pipeline'
import type { Batch, Delivery } from './step'
import { composeRow } from './steps/compose'

/** Rows are taken when so many are wanted, or so long after the last ones: a password mail waits no longer than that. */
const taking = { size: 16, delayMs: 8 }
/**
 * The same for outcomes: a transaction has a cost of its own. Each waits in its job's slot, so when the process dies, no more messages than
 * there are slots have left without one. If half of the slots waited, the other half would soon have nothing to do.
 */
const settling = (slots: number) => ({ size: Math.max(1, Math.min(24, Math.floor(slots / 2))), delayMs: 20 })

interface EmailIds {
  emailId: string
  projectId: string
}

type Run = Pick<JobRun, 'signal' | 'isLastAttempt'>

/** One for each process: it owns the batches that its deliveries share. */
export function makeDelivery(ctx: Context) {
  const take = batcher<string, TakenEmail | undefined>(ids => takeBatch(ctx, ids), taking)
  const settle = batcher<EmailSettlement, boolean>(
    batch => settleBatch(ctx, batch),
    settling(ctx.config.jobConcurrency),
  )
  const pipeline = makePipeline(ctx)
  const keys = makeKeyRing(ctx)
  const rows: Pick<Batch, 'count' | 'compose' | 'settle'> = {
    count: 1,
    async compose(delivery) {
      composeRow(ctx, keys, delivery)
      return undefined
    },
    settle: settlement => settlePersistently(settle, settlement),
  }

  return {
    /**
     * Sends the email, or throws Snooze with the time of the next attempt. Returns quietly if it's done already. A run that is the last one
     * of its job will not come back, so an email that brought down its process every time is given up.
     */
    async deliver(
      { emailId, projectId }: EmailIds,
      run: Run,
      paceClass: PaceClass = 'transactional',
    ): Promise<void> {
      const { signal, isLastAttempt } = run
      const results = await pipeline.deliver({
        ...{ ...rows, projectId, paceClass, signal },
        take: async () => {
          const email = await take(emailId)
          return email ? [deliveryOf(email, isLastAttempt)] : []
        },
      })
      if (results instanceof Date) throw new Snooze(results)
      const [result] = results
      if (!result) return await awaitSchedule(ctx, emailId)
      const { status, nextAttemptAt } = result.outcome
      if (nextAttemptAt) throw new Snooze(nextAttemptAt)
      // Put back because the run is over: the email needs its job.
      if (status === 'PENDING') signal.throwIfAborted()
      if (!result.isSettled) await awaitEnd(ctx, emailId)
    },
    /** The same for its copies that were deferred, once the email itself has been sent. */
    deliverCopies: ({ emailId, projectId }: EmailIds, { signal }: Pick<JobRun, 'signal'>): Promise<void> =>
      deliverCopies(ctx, pipeline, { ...rows, projectId, paceClass: 'transactional', signal }, emailId),
  }
}

function deliveryOf(email: TakenEmail, isLastRun: boolean): Delivery {
  const { triedSince: since, wasSending, holds, copies } = email
  return {
    email,
    facts: email,
    since,
    isLost: isLastRun && wasSending,
    rules: holds && { ...holds, zone: zoneOf(holds.zone, holds.timeZone) },
    ...(copies ? { copies: withholdCopies(copies, email.suppressedCopies ?? {}) } : {}),
  }
}

/** A message that is done needs nothing more; one that was rescheduled meanwhile is tried at its time. */
async function awaitSchedule(ctx: Context, emailId: string): Promise<void> {
  const at = await selectScheduledFor(ctx, emailId)
  if (at) throw new Snooze(at)
}

/**
 * Another process took the message while this one sent it: it had the job before this one, and doesn't know yet that it lost it. Its attempt
 * counts now, and it has no job that would come back if the attempt fails. So this job stays until the message has ended.
 */
async function awaitEnd(ctx: Context, emailId: string): Promise<void> {
  if (await isOpen(ctx, emailId)) throw new Snooze(minute)
}

/** A row is for one caller; a second one in the same batch comes back when the first has settled it. */
async function takeBatch(ctx: Context, ids: string[]): Promise<Settled<TakenEmail | undefined>[]> {
  const rows = new Map((await takeForSending(ctx, [...new Set(ids)])).map(row => [row.id, row]))
  const given = new Set<string>()
  return ids.map(id => {
    if (given.has(id)) return { error: new Snooze(5 * second) }
    given.add(id)
    return { value: rows.get(id) }
  })
}

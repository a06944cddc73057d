// Copies as a source: those that were deferred when their email was accepted are retried on their own, with the same bytes. The email counts
// as sent.
import type { Context } from '../../../../platform/context'
import { Snooze } from '../../../../platform/jobs/outcome'
import { openAddresses, takeCopies, withholdCopies, writeCopies } from '../../emails'
import type { Pipeline } from './pipeline'
import type { Batch, Delivery } from './step'

/** Throws Snooze with the time of the next attempt, where some still wait. */
export async function deliverCopies(
  ctx: Context,
  pipeline: Pipeline,
  batch: Omit<Batch, 'take' | 'settle'>,
  emailId: string,
): Promise<void> {
  let nextAt: Date | undefined
  const results = await pipeline.deliver({
    ...batch,
    take: () => takeOpen(ctx, emailId),
    async compose(delivery) {
      const outcome = await batch.compose(delivery)
      const [first, ...others] = openAddresses(delivery.email.copies!)
      const { message } = delivery
      delivery.message = async () => ({ ...(await message!()), recipients: [first!, ...others] })
      return outcome
    },
    async settle(settlement) {
      // Put back because the run is over: they are as they were, and wait for another run.
      if (batch.signal.aborted && settlement.tries.length === 0) return false
      nextAt = await writeCopies(ctx, settlement)
      return true
    },
  })
  if (results instanceof Date) throw new Snooze(results)
  if (nextAt) throw new Snooze(nextAt)
  batch.signal.throwIfAborted()
}

/** None if the email has not been sent, or no copy of it waits. */
async function takeOpen(ctx: Context, emailId: string): Promise<Delivery[]> {
  const taken = await takeCopies(ctx, emailId)
  if (!taken || taken.projectDisabled) return []
  const copies = withholdCopies(taken.copies ?? [], taken.suppressedCopies ?? {})
  const email = { ...taken, copies }
  if (openAddresses(copies).length === 0) {
    await writeCopies(ctx, { email })
    return []
  }
  const facts = { ...email, suppressed: null, contactState: null }
  return [{ email, facts, since: email.scheduledFor ?? email.createdAt, rules: null }]
}

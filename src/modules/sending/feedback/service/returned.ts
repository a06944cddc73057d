// No mail that came back vanishes without a trace: each is counted by what became of it, for the page of the instance, in /metrics and the log.
import { after, day } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { addReturned, sumReturned } from '../queries'
import type { ReturnedOutcome } from '../schema'

export type { ReturnedOutcome }

/** What nobody needs to look at: it is counted, and not logged. */
const quiet: ReadonlySet<ReturnedOutcome> = new Set(['applied', 'noNews', 'answer'])

/** Counts a mail, in the transaction that acts on it. */
export async function noteReturned(
  tx: Context,
  outcome: ReturnedOutcome,
  { addresses, named }: { addresses: readonly string[]; named: string | undefined },
): Promise<void> {
  await addReturned(tx, outcome)
  tx.metrics.returnedMail.inc({ outcome })
  if (!quiet.has(outcome))
    tx.log.info({ outcome, to: addresses.slice(0, 3), email: named }, 'a mail that came back changed nothing')
}

/** Counts reports by other ways that name a message with several recipients and none of these. */
export async function noteUnclear(tx: Context, found: readonly unknown[]): Promise<void> {
  for (const _ of found.filter(mail => mail === 'several'))
    await noteReturned(tx, 'notUnderstood', { addresses: [], named: undefined })
}

const shownMs = 29 * day

/** How many mails came back in the last thirty days (UTC), by what became of them. */
export async function countReturned(
  ctx: Context,
): Promise<Array<{ outcome: ReturnedOutcome; mails: number }>> {
  return await sumReturned(ctx, after(ctx.clock.now(), -shownMs))
}

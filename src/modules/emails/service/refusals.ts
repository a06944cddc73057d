// Receivers that refuse us as a sender: counted by receiver, with their words, so that somebody sees it before they refuse everything.
import { domainOf } from '../../../lib/address'
import { canonicalDomain } from '../../../lib/domain-name'
import { after, day } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { receiverOf } from '../../../platform/mail/receivers'
import { addRefusals, type ReceiverRefusals, selectRefusals } from '../queries'

export interface SenderRefusal {
  projectId: string
  toEmail: string
  /** What the receiver said. */
  words: string
}

const maxWords = 500

/** Counts them in the transaction that stores what became of the messages. */
export async function noteRefusals(tx: Context, refused: readonly SenderRefusal[]): Promise<void> {
  if (refused.length === 0) return
  const named = refused.map(one => ({ ...one, receiver: receiverFor(one.toEmail) }))
  const groups = Map.groupBy(named, ({ projectId, receiver }) => `${projectId} ${receiver}`)
  const rows = [...groups.values()].map(group => {
    const { projectId, receiver, words } = group.at(-1)!
    return { projectId, receiver, messages: group.length, words: words.slice(0, maxWords) }
  })
  await addRefusals(tx, rows)
  for (const { receiver, messages } of rows)
    tx.metrics.refusals.inc(
      { receiver: receiverOf(receiver) ?? (isName(receiver) ? receiver : 'other') },
      messages,
    )
}

/** A name has no dot; the domains of everybody would be too many series. */
function isName(receiver: string): boolean {
  return !receiver.includes('.')
}

function receiverFor(toEmail: string): string {
  const domain = canonicalDomain(domainOf(toEmail)) ?? domainOf(toEmail)
  return receiverOf(domain) ?? domain.slice(0, 253)
}

const span = 7 * day
const maxReceivers = 10

/** Who refused most messages of a project in the last seven days. */
export async function listRefusals(ctx: Context, projectId: string): Promise<ReceiverRefusals[]> {
  return await selectRefusals(ctx, projectId, after(ctx.clock.now(), -span), maxReceivers)
}

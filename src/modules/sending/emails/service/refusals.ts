// Receivers that refuse us as a sender: counted by receiver, with their words, so that somebody sees it before they refuse everything.
import type { Context } from '../../../../platform/context'
import { addRefusals, type DaySpan, type ReceiverRefusals, selectRefusals } from '../queries'
import { operatorFor, receiverNameFor } from './receiver-name'

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
  const named = refused.map(one => ({ ...one, receiver: receiverNameFor(tx, one.toEmail) }))
  const groups = Map.groupBy(named, ({ projectId, receiver }) => `${projectId} ${receiver}`)
  const rows = [...groups.values()].map(group => {
    const { projectId, receiver, words } = group.at(-1)!
    return { projectId, receiver, messages: group.length, words: words.slice(0, maxWords) }
  })
  await addRefusals(tx, rows)
  for (const { receiver, messages } of rows)
    tx.metrics.refusals.inc({ receiver: isName(receiver) ? receiver : 'other' }, messages)
}

/** A name has no dot; the domains of everybody would be too many series. */
function isName(receiver: string): boolean {
  return !receiver.includes('.')
}

/** Domains that one operator may turn out to receive for. */
const maxRows = 1_000

/** Who refused most messages of a project in these days. What was counted before the operator of a domain was known goes to the operator. */
export async function listRefusals(
  ctx: Context,
  projectId: string,
  span: DaySpan,
  limit: number,
): Promise<ReceiverRefusals[]> {
  const found = new Map<string, ReceiverRefusals>()
  for (const row of await selectRefusals(ctx, projectId, span, maxRows)) {
    const receiver = isName(row.receiver) ? row.receiver : (operatorFor(ctx, row.receiver) ?? row.receiver)
    const other = found.get(receiver)
    found.set(receiver, other ? together(other, row) : { ...row, receiver })
  }
  return [...found.values()].toSorted((one, other) => other.messages - one.messages).slice(0, limit)
}

function together(one: ReceiverRefusals, other: ReceiverRefusals): ReceiverRefusals {
  const { words, lastAt } = one.lastAt < other.lastAt ? other : one
  return { receiver: one.receiver, messages: one.messages + other.messages, words, lastAt }
}

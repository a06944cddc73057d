// Which message a report is about that names it by a Message-ID. One that a program gave is that of all its recipients, so the address that
// the report names decides.
import { normaliseEmail } from '../../../../lib/address'
import { bareMessageId, emailIdOf } from '../../../../mail/mime/message-id'
import type { Context } from '../../../../platform/context'
import { findByIds, findBySubmittedIds, type KnownMail } from '../queries'

/** What a report names: Message-IDs, the likeliest first, and the addresses that it is about, if any. */
export interface NamedMessage {
  messageIds: readonly string[]
  recipients?: readonly string[] | undefined
}

/** `several`: the message had several recipients, and the report doesn't say which of them it is about. */
export type FoundMessage = KnownMail | 'several' | undefined

/** The message of each, looked up together; a Message-ID must match completely. */
export async function findNamedMessages(
  tx: Context,
  asked: readonly NamedMessage[],
): Promise<FoundMessage[]> {
  const bare = asked.map(({ messageIds }) => messageIds.map(bareMessageId))
  const all = [...new Set(bare.flat())]
  if (all.length === 0) return asked.map(() => undefined)
  const made = await findByIds(
    tx,
    all.flatMap(id => emailIdOf(id) ?? []),
  )
  const own = new Map(made.map(mail => [mail.messageId, mail]))
  const others = all.filter(id => !own.has(id))
  const submitted = Map.groupBy(
    others.length === 0 ? [] : await findBySubmittedIds(tx, others),
    ({ messageId }) => messageId,
  )
  return asked.map(({ recipients = [] }, at) => {
    const wanted = new Set(recipients.map(normaliseEmail))
    const candidates = bare[at]!.map(id => own.get(id) ?? oneOf(submitted.get(id) ?? [], wanted))
    return (
      candidates.find(found => found !== undefined && found !== 'several') ??
      candidates.find(found => found !== undefined)
    )
  })
}

/** The message to an address that is named, or the only one that there is. */
function oneOf(mails: readonly KnownMail[], wanted: ReadonlySet<string>): FoundMessage {
  if (mails.length < 2) return mails[0]
  const named = mails.filter(({ toEmail }) => wanted.has(toEmail))
  return named.length === 1 ? named[0] : 'several'
}

/** The message, if it is one. */
export function certain<T extends object>(found: T | 'several' | undefined): T | undefined {
  return found === 'several' ? undefined : found
}

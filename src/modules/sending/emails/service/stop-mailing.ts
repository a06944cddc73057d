// What follows when an address is gone or somebody complained: it gets nothing more, and its contact is unsubscribed.

import { normaliseEmail } from '../../../../lib/address'
import type { Context } from '../../../../platform/context'
import { holdAddressed, setSubscriptions } from '../../../audience/contacts'
import { insertSuppressions } from '../../../audience/suppressions'
import { erasedAddress, type Mailed, selectAddressesOf } from '../queries'

export interface MailingStop extends Mailed {
  emailId: string
  reason: 'bounce' | 'complaint'
  /** What the other side said. */
  detail: string
  /** True: the address gets nothing more of any kind; false: the contact is only unsubscribed. */
  suppress: boolean
  /** Suppressed for unexplained refusals in a row. */
  isRepeated?: true
  /** Hops of the event that follows, where a workflow sent the message. */
  hops?: number | null
}

/** A contact that was deleted, or has another address by now, is left alone. */
export async function stopMailing(tx: Context, given: readonly MailingStop[]): Promise<void> {
  const stops = await readdressed(tx, given)
  if (stops.length === 0) return
  await insertSuppressions(tx, stops.filter(stop => stop.suppress).map(toSuppression))
  const causes = new Map(stops.map(stop => [stop.contactId, stop]))
  const held = await holdAddressed(tx, stops)
  // A complaint is somebody's decision; a bounce says nothing about what the recipient wants.
  const groups = Map.groupBy(held, ({ projectId, id }) => `${projectId} ${causes.get(id)!.reason}`)
  for (const contacts of groups.values()) {
    const [{ projectId, id: first }] = contacts as [(typeof contacts)[0]]
    const state = causes.get(first)!.reason === 'complaint' ? 'optedOut' : 'unwritable'
    const ids = contacts.map(contact => contact.id)
    await setSubscriptions(tx, projectId, ids, state, contact => {
      const { reason, emailId, hops } = causes.get(contact.id)!
      // A complaint is a person's decision, not a step of a chain.
      return {
        data: { reason },
        emailId,
        origin: { source: reason },
        ...(reason === 'bounce' ? { hops } : {}),
      }
    })
  }
}

/**
 * Addresses in their one spelling, which older emails are not stored in. An email that was emptied doesn't say any more to whom it went: a
 * complaint about it counts for its contact, whatever the address is now; a bounce, which would be about the address of then, is too late.
 */
async function readdressed(tx: Context, stops: readonly MailingStop[]): Promise<readonly MailingStop[]> {
  const emptied = stops.filter(({ toEmail, reason }) => toEmail === erasedAddress && reason === 'complaint')
  const addressed = stops
    .filter(({ toEmail }) => toEmail !== erasedAddress)
    .map(stop => ({ ...stop, toEmail: normaliseEmail(stop.toEmail) }))
  if (emptied.length === 0) return addressed
  const addresses = new Map((await selectAddressesOf(tx, emptied)).map(({ id, email }) => [id, email]))
  const found = emptied.flatMap(stop => {
    const toEmail = addresses.get(stop.contactId)
    return toEmail === undefined ? [] : [{ ...stop, toEmail }]
  })
  return [...addressed, ...found]
}

const maxSourceLength = 1_000

function toSuppression({ projectId, toEmail, reason, detail, emailId, isRepeated }: MailingStop) {
  const cause = isRepeated ? ('repeated' as const) : reason
  return { projectId, email: toEmail, reason: cause, source: detail.slice(0, maxSourceLength), emailId }
}

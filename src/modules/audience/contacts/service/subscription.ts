// The subscription state of contacts by id: set by people who hold a link, by bulk jobs and by the modules above; snoozed for a
// while; and restored when that is over. A change records its event in its transaction, and only a change does.
import { type AppError, conflict, notFound } from '../../../../lib/errors'
import { type Context, inTransaction } from '../../../../platform/context'
import { changeReasons } from '../../events'
import {
  type NewState,
  type PlacedOrigin,
  restoreSubscriptions,
  type SetSubscription,
  setSnoozed,
  setSubscribed,
  snoozeBatch,
  subscribeAfterSnooze,
  type UpdatedSubscription,
} from '../queries'
import type { EarlierState } from '../schema'
import { type SnoozeDuration, snoozeEnd } from '../snoozing'
import {
  type ChangeCause,
  type ChangeCauses,
  originOf,
  recordSubscriptionChanges,
} from './subscription-events'

/** Sets the state of those of the ids that are contacts of the project, and ends their snooze; returns them all. */
export async function setSubscriptions(
  ctx: Context,
  projectId: string,
  contactIds: readonly string[],
  state: NewState,
  causes: ChangeCauses = {},
): Promise<SetSubscription[]> {
  return inTransaction(ctx, async tx => {
    const origins = originsOf(projectId, contactIds, state, causes)
    const contacts = await setSubscribed(tx, projectId, contactIds, { state, origins }, tx.clock.now())
    await recordSubscriptionChanges(
      tx,
      contacts.filter(contact => contact.hasChanged),
      causes,
    )
    return contacts
  })
}

function originsOf(
  projectId: string,
  contactIds: readonly string[],
  state: NewState,
  causes: ChangeCauses,
): PlacedOrigin[] {
  if (typeof causes !== 'function') return [originOf(causes)]
  const subscribed = state === 'subscribed'
  return contactIds.map(id => ({ ...originOf(causes({ id, projectId, subscribed })), contactId: id }))
}

/** Puts contacts that were set to `state` back to how they were, unless something was done to them since; returns those that are there. */
export async function undoSubscriptions(
  ctx: Context,
  projectId: string,
  earlier: readonly EarlierState[],
  state: 'subscribed' | 'optedOut',
  cause: Pick<ChangeCause, 'origin'> = {},
): Promise<UpdatedSubscription[]> {
  return inTransaction(ctx, async tx => {
    const undoing = { state, origin: originOf(cause) }
    const contacts = await restoreSubscriptions(tx, projectId, earlier, undoing, tx.clock.now())
    const changed = contacts.filter(contact => contact.hasChanged)
    await recordSubscriptionChanges(tx, changed, { data: { reason: changeReasons.undo } })
    return contacts
  })
}

/** Sets the state of one contact; 404 if there is none. */
export async function setSubscription(
  ctx: Context,
  projectId: string,
  contactId: string,
  state: NewState,
  cause: ChangeCause = {},
): Promise<UpdatedSubscription> {
  const [contact] = await setSubscriptions(ctx, projectId, [contactId], state, cause)
  if (!contact) throw contactNotFound(contactId)
  return contact
}

/**
 * Unsubscribes a contact for a while. A second time moves the date and is no change of state. 409 for a contact that is
 * unsubscribed for good: the end of a snooze would subscribe somebody who did not ask for it.
 */
export async function snoozeContact(
  ctx: Context,
  projectId: string,
  contactId: string,
  duration: SnoozeDuration,
  cause: Pick<ChangeCause, 'emailId' | 'origin'> = {},
): Promise<UpdatedSubscription> {
  return inTransaction(ctx, async tx => {
    const now = tx.clock.now()
    const until = snoozeEnd(now, duration)
    const contact = await setSnoozed(tx, projectId, contactId, { until, origin: originOf(cause) }, now)
    if (!contact) throw contactNotFound(contactId)
    if (!contact.accepted) throw conflict('This contact is unsubscribed; subscribe before snoozing')
    const data = { reason: 'snooze', duration, snoozedUntil: until.toISOString() }
    if (contact.hasChanged) await recordSubscriptionChanges(tx, [contact], { ...cause, data })
    return contact
  })
}

/** Subscribes everybody whose snooze is over, a batch and its events at a time; returns how many there were. */
export async function endSnoozes(ctx: Context, signal?: AbortSignal): Promise<number> {
  let total = 0
  while (!signal?.aborted) {
    const woken = await inTransaction(ctx, async tx => {
      const contacts = await subscribeAfterSnooze(tx, tx.clock.now())
      await recordSubscriptionChanges(tx, contacts, { data: { reason: changeReasons.snoozeEnd } })
      return contacts.length
    })
    total += woken
    if (woken < snoozeBatch) break
  }
  return total
}

function contactNotFound(contactId: string): AppError {
  return notFound('Contact', contactId, 'CONTACT_NOT_FOUND')
}

// What one step of a bulk job does to its contacts, by the operation, and how that is undone.
import type { Context } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { changeReasons } from '../../events'
import { type ListChange, listJoined, listLeft } from '../hooks'
import { type HeldBulk, selectEarlier, type UpdatedSubscription } from '../queries'
import type { ChangedThen, EarlierState } from '../schema'
import { deleteContacts } from './single'
import { setSubscriptions, undoSubscriptions } from './subscription'

interface Change {
  /** Those that are contacts. */
  found: string[]
  changed: number
  /** What an undo needs to know. */
  earlier?: readonly ChangedThen[]
}

/** Changes the next contacts of the job. */
export async function changeContacts(tx: Context, projectId: string, bulk: HeldBulk): Promise<Change> {
  const { operation, undoes, next } = bulk
  if (bulk.segmentId !== null) return changeList(tx, projectId, bulk.segmentId, bulk)
  if (operation === 'delete') {
    const found = await deleteContacts(tx, projectId, next)
    return { found, changed: found.length }
  }
  const state = operation === 'subscribe' ? 'subscribed' : 'optedOut'
  const cause = bulk.origin ? { origin: bulk.origin } : {}
  if (undoes !== null) {
    const earlier = await earlierOf<EarlierState>(tx, projectId, undoes, next)
    // Their state before the job that is being undone, which set them to the other one, is `state`.
    const undone = state === 'subscribed' ? 'optedOut' : 'subscribed'
    return changeOf(await undoSubscriptions(tx, projectId, earlier, undone, cause))
  }
  const data = { reason: changeReasons.bulk }
  const contacts = await setSubscriptions(tx, projectId, next, state, { ...cause, data })
  const earlier = contacts.flatMap(contact => contact.earlier ?? [])
  return { ...changeOf(contacts), earlier }
}

async function changeList(
  tx: Context,
  projectId: string,
  segmentId: string,
  { undoes, next }: HeldBulk,
): Promise<Change> {
  if (undoes === null) {
    const [joined] = await callHook(tx, listJoined, { projectId, segmentId, contactIds: next })
    return { ...listed(joined), earlier: joined?.changed }
  }
  const members = await earlierOf<ChangedThen>(tx, projectId, undoes, next)
  const [left] = await callHook(tx, listLeft, { projectId, segmentId, members })
  return listed(left)
}

function listed({ found, changed }: ListChange = { found: [], changed: [] }): Change {
  return { found, changed: changed.length }
}

async function earlierOf<E extends ChangedThen>(
  tx: Context,
  projectId: string,
  undone: string,
  contactIds: readonly string[],
): Promise<E[]> {
  const wanted = new Set(contactIds)
  return (await selectEarlier<E>(tx, projectId, undone)).filter(({ id }) => wanted.has(id))
}

function changeOf(contacts: readonly UpdatedSubscription[]): Change {
  return {
    found: contacts.map(contact => contact.id),
    changed: contacts.filter(contact => contact.hasChanged).length,
  }
}

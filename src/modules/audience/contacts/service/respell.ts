// Gives contacts of older data the one spelling of their address. Two that are one mailbox by it become one: the older stays, what the
// other has fills what is missing, and whoever said no in either is unsubscribed.
import { isEmail, normaliseEmail } from '../../../../lib/address'
import { type Context, inTransaction } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { moveEventsOfContact } from '../../events'
import { byProgram } from '../consent'
import { contactsMerged } from '../hooks'
import {
  allowKeys,
  type ContactChange,
  deleteRows,
  findContactIds,
  moveConsent,
  type StrayContact,
  selectContact,
  selectMissingFields,
  selectStrays,
  updateRow,
} from '../queries'
import { purgeContacts } from './single'

export interface Respelled {
  renamed: number
  merged: number
  /** Have no form that mail can be sent to. */
  left: number
  /** Fields of merged contacts that there was no room for. */
  fieldsLost: number
}

const page = 500
const start = {
  projectId: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
}

/** Told of each contact whose address is spelled now, in the transaction, and before two of one mailbox are merged. */
type OnSpelled = (
  tx: Context,
  contact: { projectId: string; contactId: string; before: string; email: string },
) => Promise<void>

/** One contact after another, a transaction each; done again, it finds nothing left to do. */
export async function respellContacts(ctx: Context, onSpelled: OnSpelled): Promise<Respelled> {
  const done: Respelled = { renamed: 0, merged: 0, left: 0, fieldsLost: 0 }
  for (let after: Pick<StrayContact, 'id' | 'projectId'> = start; ; ) {
    const strays = await selectStrays(ctx, after, page)
    for (const stray of strays) {
      const outcome = await respellContact(ctx, stray, onSpelled)
      for (const part of Object.keys(done) as Array<keyof Respelled>) done[part] += outcome[part] ?? 0
    }
    if (strays.length < page) return done
    after = strays.at(-1)!
  }
}

async function respellContact(
  ctx: Context,
  stray: StrayContact,
  onSpelled: OnSpelled,
): Promise<Partial<Respelled>> {
  const { projectId, id } = stray
  const email = normaliseEmail(stray.email)
  if (!isEmail(email)) return { left: 1 }
  if (email === stray.email) return {}
  return await inTransaction(ctx, async tx => {
    const current = await selectContact(tx, projectId, id)
    if (current?.email !== stray.email) return {}
    await onSpelled(tx, { projectId, contactId: id, before: stray.email, email })
    const [twin] = await findContactIds(tx, projectId, [email])
    if (twin === undefined) {
      await updateRow(tx, projectId, id, { ...noChange, email }, byProgram, tx.clock.now())
      return { renamed: 1 }
    }
    const [to, from] = twin < id ? [twin, id] : [id, twin]
    const fieldsLost = await merge(tx, projectId, from!, to!, email)
    return { merged: 1, fieldsLost }
  })
}

const noChange: ContactChange = {
  email: null,
  subscribed: null,
  keepsOptOuts: false,
  set: {},
  remove: [],
  clear: false,
}

/** What the one that stays has wins; returns how many fields of the other there was no room for. */
async function merge(
  tx: Context,
  projectId: string,
  from: string,
  to: string,
  email: string,
): Promise<number> {
  const [kept, gone] = [await selectContact(tx, projectId, to), await selectContact(tx, projectId, from)]
  if (!kept || !gone) return 0
  const missing = await selectMissingFields(tx, projectId, from, to)
  const names = missing.flatMap(({ name, fits }) => (fits ? [name] : []))
  const lost = missing.flatMap(({ name, fits }) => (fits ? [] : [name]))
  await moveEventsOfContact(tx, projectId, from, to)
  await moveConsent(tx, projectId, from, to)
  await callHook(tx, contactsMerged, { projectId, from, to })
  await deleteRows(tx, projectId, [from], tx.clock.now())
  await purgeContacts(tx, projectId, [from])
  const change = {
    ...noChange,
    email,
    subscribed: gone.subscribed ? null : false,
    set: Object.fromEntries(names.map(name => [name, gone.data[name]])),
  }
  await allowKeys(tx, projectId, to, Object.keys(kept.data).length + names.length)
  await updateRow(tx, projectId, to, change, byProgram, tx.clock.now())
  tx.log.info({ projectId, contactId: to, merged: from }, 'merged two contacts of one mailbox')
  if (lost.length > 0)
    tx.log.warn(
      { projectId, contactId: to, merged: from, count: lost.length, fields: lost.slice(0, 20) },
      'a merged contact has no room for all fields of both: dropped the largest fields of the newer one',
    )
  return lost.length
}

// One contact by its id: reading, changing, deleting.

import { addressFault, normaliseEmail } from '../../../../lib/address'
import { type AppError, conflict, type FieldError, invalid, notFound } from '../../../../lib/errors'
import { isUuid } from '../../../../lib/ids'
import { type Context, inTransaction } from '../../../../platform/context'
import { violates } from '../../../../platform/db/errors'
import { enqueue } from '../../../../platform/jobs/enqueue'
import { contactKinds } from '../kinds'
import { type ContactData, type DataPatch, emptyPatch, parsePatch } from '../patch'
import {
  type ChangedContact,
  type ContactChange,
  type ContactRow,
  deleteRows,
  type PlacedOrigin,
  selectContact,
  updateRow,
} from '../queries'
import { breachOfData } from './breach'
import { type ChangeCause, originOf, recordSubscriptionChanges } from './subscription-events'

/** The contact, or 404: also for an id that is not a UUID, and for another project's contact. */
export async function getContact(ctx: Context, projectId: string, contactId: string): Promise<ContactRow> {
  const contact = isUuid(contactId) ? await selectContact(ctx, projectId, contactId) : undefined
  if (!contact) throw contactNotFound(contactId)
  return contact
}

export interface ContactUpdate {
  email?: string
  subscribed?: boolean
  /** Who opted out or is taking a break is not subscribed. */
  keepsOptOuts?: boolean
  /** Null drops all stored data. */
  data?: ContactData | null
}

/** Applies an update; 422 for a faulty one, 409 when another contact has the address. */
export async function updateContact(
  ctx: Context,
  projectId: string,
  contactId: string,
  update: ContactUpdate,
  cause: ChangeCause = {},
): Promise<ContactRow> {
  const change = readUpdate(update)
  if (!isUuid(contactId)) throw contactNotFound(contactId)
  return inTransaction(ctx, async tx => {
    const changed = await applyChange(tx, projectId, contactId, change, originOf(cause))
    if (!changed) throw contactNotFound(contactId)
    const { hasChanged, ...contact } = changed
    if (hasChanged) await recordSubscriptionChanges(tx, [contact], cause)
    return contact
  })
}

function readUpdate({ email, subscribed, keepsOptOuts = false, data }: ContactUpdate): ContactChange {
  const faults: FieldError[] = []
  const message = email === undefined ? undefined : addressFault(email)
  if (message !== undefined) faults.push({ field: 'email', message, code: 'invalid_string' })
  const patch: DataPatch | FieldError[] = data ? parsePatch(data) : emptyPatch
  if (Array.isArray(patch)) throw invalid([...faults, ...patch])
  if (faults.length > 0) throw invalid(faults)
  return {
    email: email === undefined ? null : normaliseEmail(email),
    subscribed: subscribed ?? null,
    keepsOptOuts,
    set: patch.set,
    remove: patch.remove,
    clear: data === null,
  }
}

async function applyChange(
  ctx: Context,
  projectId: string,
  contactId: string,
  change: ContactChange,
  origin: PlacedOrigin,
): Promise<ChangedContact | undefined> {
  try {
    return await updateRow(ctx, projectId, contactId, change, origin, ctx.clock.now())
  } catch (error) {
    if (violates(error, 'contacts_project_email'))
      throw conflict('Another contact of this project has this e-mail address', { cause: error })
    throw breachOfData(error) ?? error
  }
}

/** Deletes one contact; 404 if there is none. */
export async function deleteContact(ctx: Context, projectId: string, contactId: string): Promise<void> {
  const deleted = isUuid(contactId) ? await deleteContacts(ctx, projectId, [contactId]) : []
  if (deleted.length === 0) throw contactNotFound(contactId)
}

/**
 * Deletes those of the ids that are contacts of the project, and returns which they were. What belonged to them (events,
 * messages) may be a lot, so a job deletes that afterwards.
 */
export async function deleteContacts(
  ctx: Context,
  projectId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  return inTransaction(ctx, async tx => {
    const deleted = await deleteRows(tx, projectId, contactIds, tx.clock.now())
    await purgeContacts(tx, projectId, deleted)
    return deleted
  })
}

/** Has a job delete what belongs to contacts that are gone, or never came to be. */
export async function purgeContacts(
  tx: Context,
  projectId: string,
  contactIds: readonly string[],
): Promise<void> {
  for (const part of slices(contactIds, deleteBatch))
    await enqueue(tx, contactKinds.purge, { contactIds: part }, { projectId })
}

/** Contacts per purge job. */
const deleteBatch = 1_000

function slices<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}

function contactNotFound(contactId: string): AppError {
  return notFound('Contact', contactId, 'CONTACT_NOT_FOUND')
}

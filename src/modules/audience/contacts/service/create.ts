// POST /contacts: creates a contact, or patches the one that has the address.
import { addressFault, normaliseEmail } from '../../../../lib/address'
import { type FieldError, invalid, shortBadRequest } from '../../../../lib/errors'
import type { Context } from '../../../../platform/context'
import { changeReasons } from '../../events'
import { type ContactData, parsePatch } from '../patch'
import type { ConsentOrigin } from '../schema'
import { type Recording, type UpsertedContact, upsertContacts } from './upsert'

export interface NewContact {
  email?: string
  subscribed?: boolean
  data?: ContactData | null
  /** Undefined: an existing contact that changes starts them, a new one does not. */
  startWorkflows?: boolean
}

/** 400 in the short form without an address, 422 for a faulty one or faulty data. */
export async function createContact(
  ctx: Context,
  projectId: string,
  given: NewContact,
  origin?: ConsentOrigin,
): Promise<UpsertedContact> {
  if (!given.email?.trim()) throw shortBadRequest('Email is required')
  const email = normaliseEmail(given.email)
  const faults: FieldError[] = []
  const message = addressFault(given.email)
  if (message !== undefined) faults.push({ field: 'email', message, code: 'invalid_string' })
  const patch = parsePatch(given.data ?? {})
  if (Array.isArray(patch)) throw invalid([...faults, ...patch])
  if (faults.length > 0) throw invalid(faults)
  const entry = { email, patch, subscribed: given.subscribed, ...(origin && { origin }) }
  const [result] = await upsertContacts(ctx, projectId, [entry], {
    defaultSubscribed: true,
    ...recordingOf(given),
  })
  return result!
}

function recordingOf({ startWorkflows }: NewContact): Recording {
  if (startWorkflows === false) return { reason: changeReasons.quiet }
  return { greetsNew: startWorkflows === true }
}

// The rules of a tracked event that a schema can't say: address, reserved names, and what its data means for the contact and for
// the event. Returns the request in one normal form, or every fault at once. Pure.
import { addressFault, normaliseEmail } from '../../../../lib/address'
import type { FieldError } from '../../../../lib/errors'
import { type DataPatch, emptyPatch, isReservedKey, parsePatch } from '../../../audience/contacts'
import { nameFault } from '../../../audience/events'
import type { TrackBody, TrackByBody } from './bodies'

export interface TrackRequest {
  /** Who: by address, or a contact that exists by its id. */
  who: { email: string } | { contactId: string }
  event: string
  subscribed: boolean | undefined
  /** What the data means for the contact. */
  patch: DataPatch
  /** The data as the event keeps it; null if none was sent. */
  data: Record<string, unknown> | null
}

/** The body of `/v1/track`. */
export function parseTrack(body: TrackBody): TrackRequest | FieldError[] {
  return parse(body, 'event')
}

/** The body of `/events/track`: the same, also with `name` in place of `event` and `contactId` in place of `email`. */
export function parseTrackBy(body: TrackByBody): TrackRequest | FieldError[] {
  return parse(body, body.event === undefined && body.name !== undefined ? 'name' : 'event')
}

function parse(body: TrackByBody, nameField: 'event' | 'name'): TrackRequest | FieldError[] {
  const faults: FieldError[] = []
  const who = readWho(body, faults)
  const event = readName(body[nameField], nameField, faults)
  const patch = readPatch(body.data, faults)
  if (faults.length > 0) return faults
  return { who, event, subscribed: body.subscribed, patch, data: keptData(body.data, patch) }
}

function readWho({ email, contactId }: TrackByBody, faults: FieldError[]): TrackRequest['who'] {
  if (email === undefined && contactId !== undefined) return { contactId }
  if (email === undefined) faults.push(required('email'))
  const message = email === undefined ? undefined : addressFault(email)
  if (message !== undefined) faults.push({ field: 'email', message, code: 'invalid_string' })
  return { email: normaliseEmail(email ?? '') }
}

function readName(name: string | undefined, field: string, faults: FieldError[]): string {
  const fault = name === undefined ? required(field) : nameFault(name, field)
  if (fault) faults.push(fault)
  return name ?? ''
}

function required(field: string): FieldError {
  return { field, message: 'Required', code: 'invalid_type', received: 'undefined' }
}

function readPatch(data: TrackByBody['data'], faults: FieldError[]): DataPatch {
  const patch = data ? parsePatch(data) : emptyPatch
  if (!Array.isArray(patch)) return patch
  faults.push(...patch)
  return emptyPatch
}

/** As sent, without what is dropped everywhere (reserved keys) and what must not be stored. */
function keptData(data: TrackByBody['data'], { transient }: DataPatch): TrackRequest['data'] {
  if (!data) return null
  const kept = Object.entries(data).filter(([key]) => !isReservedKey(key) && !Object.hasOwn(transient, key))
  return Object.fromEntries(kept)
}

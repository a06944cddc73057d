// What a record of a source becomes before it is applied. A value that can't be stored costs the record that value only: what the record
// says against writing to somebody has to be heard whatever else is wrong with it.
import { normaliseEmail, whyNoAddress } from '../../lib/address'
import {
  type ColumnTypes,
  type ConsentOrigin,
  type ContactEntry,
  type DataPatch,
  emptyPatch,
  type FieldType,
  isReservedKey,
  makeColumnTypes,
  parsePatch,
  readCell,
} from '../../modules/audience/contacts'
import type { insertSuppressions } from '../../modules/audience/suppressions'
import type { ImportSource, PeerRecord, SourceRecord } from './record'

export type Suppression = Parameters<typeof insertSuppressions>[1][number]

export interface Readable {
  record: PeerRecord
  email: string
  entry: ContactEntry
  suppression: Suppression | undefined
  /** Why something of the record is left out. */
  without: string[]
}

export function hasTexts(record: SourceRecord): boolean {
  return 'texts' in record && Object.keys(record.texts).length > 0
}

/** A table is read once more: what type a column has is in all of its cells. */
export async function findColumnTypes(source: ImportSource): Promise<ColumnTypes> {
  const types = makeColumnTypes()
  for await (const record of source.read())
    if ('texts' in record) for (const [name, text] of Object.entries(record.texts)) types.add(name, text)
  return types
}

/** Whose record, when it is read, and the types of columns by their fields. */
interface Reading {
  projectId: string
  now: Date
  typeOf(name: string): FieldType | undefined
}

export function readRecord(record: SourceRecord, reading: Reading): Readable | { fault: string } {
  if ('refused' in record) return { fault: record.refused }
  const email = normaliseEmail(record.email)
  if (email === '') return { fault: 'the address is missing' }
  const fault = whyNoAddress(record.email)
  if (fault !== undefined) return { fault: `t${fault.slice(1)}` }
  const { patch, without } = usableFields(fieldsOf(record, reading.typeOf))
  const { suppressed, optedOutAt, snoozedUntil } = record
  const optedOut = optedOutAt === 'unknown' || (suppressed && !optedOutAt) ? reading.now : optedOutAt
  const subscribed = optedOut ? false : record.subscribed
  const entry = {
    ...{ email, patch, subscribed, optedOutAt: optedOut, origin: originOf(record) },
    ...(snoozedUntil && !optedOut && { snoozedUntil }),
    ...(record.isOnlyNo && { defaultSubscribed: false }),
  }
  return {
    record,
    email,
    entry,
    suppression: suppressed && { projectId: reading.projectId, email, ...suppressed, emailId: null },
    without: [...(record.without ?? []), ...without],
  }
}

/** In the ledger, a change has the date of the person's decision, as far as the source has it. */
function originOf({ consent, optedOutAt }: PeerRecord): ConsentOrigin {
  const at = consent?.at ?? (optedOutAt instanceof Date ? optedOutAt : undefined)
  const isDateless = at === undefined && optedOutAt === 'unknown'
  const evidence = consent?.evidence ?? (isDateless ? 'the source has no date of the opt-out' : undefined)
  return { source: 'import', ...(at ? { at: at.toISOString() } : {}), ...(evidence ? { evidence } : {}) }
}

/** The same without any of its fields, which the contact has no room for. */
export function withoutFields(readable: Readable, reason: string): Readable {
  const without = `its fields are left out: ${reason}`
  return {
    ...readable,
    entry: { ...readable.entry, patch: emptyPatch },
    without: [...readable.without, without],
  }
}

export function hasFields({ entry }: Readable): boolean {
  return Object.keys(entry.patch?.set ?? {}).length > 0
}

type Fields = Record<string, unknown>

/** Null would remove what the contact has; a source that says nothing removes nothing. */
function fieldsOf({ texts, values }: PeerRecord, typeOf: Reading['typeOf']): Fields {
  const fields = Object.create(null) as Fields
  for (const [name, text] of Object.entries(texts)) fields[name] = readCell(text, typeOf(name) ?? 'string')
  for (const [name, value] of Object.entries(values)) if (value !== null) fields[name] = value
  return fields
}

function usableFields(fields: Fields): { patch: DataPatch; without: string[] } {
  const without: string[] = []
  const usable = Object.create(null) as Fields
  for (const [name, value] of Object.entries(fields)) {
    const fault = faultOf(name, value)
    if (fault === undefined) usable[name] = value
    else without.push(`the field ${shown(name)} is left out: ${fault}`)
  }
  const patch = parsePatch(usable)
  if (!Array.isArray(patch)) return { patch, without }
  return { patch: emptyPatch, without: [...without, `its fields are left out: ${patch[0]!.message}`] }
}

function faultOf(name: string, value: unknown): string | undefined {
  if (isReservedKey(name)) return 'Waxwing fills in this name itself'
  if (value === '') return 'it is empty'
  const patch = parsePatch(Object.assign(Object.create(null), { [name]: value }))
  return Array.isArray(patch) ? patch[0]!.message : undefined
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 40).toWellFormed())
}

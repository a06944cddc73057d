// The rows of a CSV file as entries for contacts. Pure.
import { normaliseEmail, whyNoAddress } from '../../../lib/address'
import { unguardCell } from '../../../lib/csv'
import { type Consent, readConsent, readTopicCell } from './consent-words'
import type { ContactEntry } from './entries'
import { readCell, readJsonCell } from './import-cells'
import type { ImportColumns } from './import-columns'
import { fieldTypeOf, readTypedCell } from './import-types'
import { type ContactData, type DataPatch, emptyPatch, parsePatch } from './patch'
import type { FieldType } from './schema'

/** What a row says about topics, by what the header calls them. */
export type RowTopics = Array<{ topic: string; subscribed: boolean }>

/** A row as an entry to apply, or what is wrong with it. */
export type ImportRow =
  | {
      entry: ContactEntry
      topics: RowTopics
      suppressed?: NonNullable<Consent['suppressed']>
      /** Fields with a cell that is not of the type that was chosen. */
      misfits?: string[]
      /** Why only the no of the row counts. */
      error?: string
    }
  | { email: string; error: string }

/** Somebody opted out, nobody knows when: an import takes no time later than its own. */
const whenTaken = new Date(8.64e15)

/** `typeOf` tells the type of a column by the field that it is. A cell that is not of the type chosen is text, or left out. */
export function readRow(
  cells: readonly string[],
  columns: ImportColumns,
  typeOf: (name: string) => FieldType | undefined,
  { skipsMisfits = false }: { skipsMisfits?: boolean } = {},
): ImportRow {
  const written = unguardCell(cellAt(cells, columns.email))
  const email = normaliseEmail(written)
  if (email === '') return { email: '', error: 'The address is missing' }
  const fault = whyNoAddress(written)
  if (fault !== undefined) return refused(written, fault)
  const consent = readConsent({
    subscribed: [cellAt(cells, columns.subscribed)],
    optedOutAt: [cellAt(cells, columns.optedOutAt)],
    suppressed: [cellAt(cells, columns.suppressed)],
    snoozedUntil: [cellAt(cells, columns.snoozedUntil)],
  })
  const { said, fault: unread } = readTopics(cells, columns)
  if ('fault' in consent) return onlyTopics(email, said, consent.fault)
  const { subscribed, suppressed, snoozedUntil } = consent
  const data = readData(cells, columns, typeOf, skipsMisfits)
  const error = 'fault' in data ? data.fault : (unread ?? consent.without?.[0])
  if (error !== undefined && subscribed !== false) return onlyTopics(email, said, error)
  const optedOutAt = consent.optedOutAt === 'unknown' ? whenTaken : consent.optedOutAt
  const entry = {
    email,
    patch: 'fault' in data ? emptyPatch : data.patch,
    subscribed,
    ...(optedOutAt && { optedOutAt }),
    ...(snoozedUntil && { snoozedUntil }),
  }
  return {
    entry,
    topics: unread === undefined ? said : noesOf(said),
    ...(suppressed && { suppressed }),
    ...('misfits' in data && data.misfits.length > 0 && { misfits: data.misfits }),
    ...(error !== undefined && { error: onlyNo(error) }),
  }
}

/** Of a row that can't be taken, what it says no to, if anything: a contact that is there stays as it is, a new one was never asked. */
export function onlyTopics(email: string, said: RowTopics, error: string): ImportRow {
  const topics = noesOf(said)
  if (topics.length === 0) return refused(email, error)
  return { entry: { email, patch: emptyPatch, defaultSubscribed: false }, topics, error: onlyNo(error) }
}

function noesOf(said: RowTopics): RowTopics {
  return said.filter(({ subscribed }) => !subscribed)
}

/** A row that says no is never refused for anything else that it says. */
export function onlyNo(error: string): string {
  return storableCell(`${error}; only its unsubscribes were imported`)
}

function readData(
  cells: readonly string[],
  { fields }: ImportColumns,
  typeOf: (name: string) => FieldType | undefined,
  skipsMisfits: boolean,
): { patch: DataPatch; misfits: string[] } | { fault: string } {
  const data = Object.create(null) as ContactData
  const misfits: string[] = []
  for (const { index, name, isJson, type } of fields) {
    const text = cellAt(cells, index)
    if (text === '') continue
    if (!isJson) {
      const known = typeOf(name)
      // A field keeps its type, whatever the column is said to be.
      const chosen = type && (known === undefined || known === fieldTypeOf(type)) ? type : undefined
      const value = chosen ? readTypedCell(text, chosen) : readCell(text, known ?? 'string')
      if (value === undefined) misfits.push(name)
      if (value !== undefined || !skipsMisfits) data[name] = value ?? unguardCell(text)
      continue
    }
    const read = readJsonCell(text)
    if ('fault' in read) return { fault: `${name}: ${read.fault}` }
    // Null would remove what the contact has; a file removes nothing.
    if (read.value !== null) data[name] = read.value
  }
  const patch = parsePatch(data)
  return Array.isArray(patch) ? { fault: `${patch[0]!.field}: ${patch[0]!.message}` } : { patch, misfits }
}

/** What can be read of it, and the first cell that can't. */
function readTopics(cells: readonly string[], columns: ImportColumns): { said: RowTopics; fault?: string } {
  const said: RowTopics = []
  let fault: string | undefined
  for (const { index, heading, topic } of columns.topics) {
    const subscribed = readTopicCell(heading, cellAt(cells, index))
    if (typeof subscribed === 'object') fault ??= subscribed.fault
    else if (subscribed !== undefined) said.push({ topic, subscribed })
  }
  return fault === undefined ? { said } : { said, fault }
}

/** Faults are shown and stored, so what came from the file is cut and made storable. */
function refused(email: string, error: string): ImportRow {
  return { email: storableCell(email), error: storableCell(error) }
}

/** Without what can't be stored, and not longer than an address. */
export function storableCell(text: string): string {
  return text.replaceAll('\0', '').slice(0, 254).toWellFormed()
}

function cellAt(cells: readonly string[], index: number | undefined): string {
  return index === undefined ? '' : (cells[index]?.trim() ?? '')
}

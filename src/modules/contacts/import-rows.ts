// What the header and the rows of a CSV file mean for contacts: which column is the address, which are custom fields, and what
// type a cell's text has. Pure.
import { normaliseEmail, whyNoAddress } from '../../lib/address'
import { unguardCell } from '../../lib/csv'
import { type Consent, readConsent, readTopicCell, topicOfColumn } from './consent-words'
import type { ContactEntry } from './entries'
import { customFieldName, isReservedKey } from './fields'
import { type ContactData, dataLimits, parsePatch } from './patch'

export interface ImportColumns {
  email: number
  subscribed: number | undefined
  optedOutAt: number | undefined
  /** Custom fields by column, in the spelling of the header. */
  fields: Array<{ index: number; name: string }>
  /** Columns about topics, which the header names as people do. */
  topics: Array<{ index: number; heading: string; topic: string }>
}

/** What a row says about topics, by what the header calls them. */
export type RowTopics = Array<{ topic: string; subscribed: boolean }>

/** A row as an entry to apply, or what is wrong with it. */
export type ImportRow =
  | { entry: ContactEntry; topics: RowTopics; suppressed?: NonNullable<Consent['suppressed']> }
  | { email: string; error: string }

/** Columns that every contact has and an import can't set; our own export writes them. */
const builtIn: ReadonlySet<string> = new Set(['createdat', 'updatedat', 'snoozeduntil', 'consentchanges'])

/** The columns of a file by its first row, or why the file can't be imported. */
export function readHeader(cells: readonly string[]): ImportColumns | { fault: string } {
  const names = cells.map(cell => unguardCell(cell.trim()))
  const find = (name: string): number => names.findIndex(each => each.toLowerCase() === name)
  const [email, subscribed, optedOutAt] = [find('email'), find('subscribed'), find('optedoutat')]
  if (email === -1)
    return { fault: `The file has no column "email" in its first row; it has ${shown(names)}` }
  const fields = names.flatMap((name, index) => {
    const isOwn =
      name === '' ||
      ['email', 'subscribed', 'optedoutat', 'id'].includes(name.toLowerCase()) ||
      builtIn.has(name.toLowerCase()) ||
      topicOfColumn(name) !== undefined
    const field = customFieldName(name)
    return isOwn || field === '' || isReservedKey(field) ? [] : [{ index, name: field }]
  })
  const topics = names.flatMap((heading, index) => {
    const topic = topicOfColumn(heading)
    return topic === undefined ? [] : [{ index, heading, topic }]
  })
  if (fields.length > dataLimits.keys)
    return { fault: `The file has more than ${dataLimits.keys} columns of custom fields` }
  const broken = fields.find(field => field.name.includes('\0'))
  if (broken) return { fault: `The name of column ${broken.index + 1} holds a NUL character` }
  const long = fields.find(field => field.name.length > dataLimits.keyLength)
  if (long)
    return { fault: `The name of column ${long.index + 1} is longer than ${dataLimits.keyLength} characters` }
  const orNone = (index: number): number | undefined => (index === -1 ? undefined : index)
  return { email, subscribed: orNone(subscribed), optedOutAt: orNone(optedOutAt), fields, topics }
}

/** A file without headings has a row of somebody's data there: enough to see that, and no more. */
function shown(names: readonly string[]): string {
  const first = names.slice(0, 12).map(name => name.replaceAll(/\p{C}/gu, '').slice(0, 50).toWellFormed())
  return `${first.join(', ')}${names.length > first.length ? ', …' : ''}`
}

/** Somebody opted out, nobody knows when: an import takes no time later than its own. */
const whenTaken = new Date(8.64e15)

/** `isBoolean` tells the fields that the project knows as boolean: only there do yes and no mean more than text. */
export function readRow(
  cells: readonly string[],
  columns: ImportColumns,
  isBoolean: (name: string) => boolean,
): ImportRow {
  const written = unguardCell(cellAt(cells, columns.email))
  const email = normaliseEmail(written)
  if (email === '') return { email: '', error: 'The address is missing' }
  const fault = whyNoAddress(written)
  if (fault !== undefined) return refused(written, fault)
  const data = Object.create(null) as ContactData
  for (const { index, name } of columns.fields) {
    const text = cellAt(cells, index)
    if (text !== '') data[name] = coerce(text, isBoolean(name))
  }
  const patch = parsePatch(data)
  if (Array.isArray(patch)) return refused(email, `${patch[0]!.field}: ${patch[0]!.message}`)
  const consent = readConsent({
    subscribed: [cellAt(cells, columns.subscribed)],
    optedOutAt: [cellAt(cells, columns.optedOutAt)],
  })
  if ('fault' in consent) return refused(email, consent.fault)
  const { subscribed, suppressed } = consent
  const topics = readTopics(cells, columns)
  if ('fault' in topics) return refused(email, topics.fault)
  const optedOutAt = consent.optedOutAt === 'unknown' ? whenTaken : consent.optedOutAt
  const entry = { email, patch, subscribed, ...(optedOutAt ? { optedOutAt } : {}) }
  return { entry, topics, ...(suppressed ? { suppressed } : {}) }
}

function readTopics(cells: readonly string[], columns: ImportColumns): RowTopics | { fault: string } {
  const said: RowTopics = []
  for (const { index, heading, topic } of columns.topics) {
    const subscribed = readTopicCell(heading, cellAt(cells, index))
    if (typeof subscribed === 'object') return subscribed
    if (subscribed !== undefined) said.push({ topic, subscribed })
  }
  return said
}

/** Faults are shown and stored, so what came from the file is cut and made storable. */
function refused(email: string, error: string): ImportRow {
  const storable = (text: string): string => text.replaceAll('\0', '').slice(0, 254).toWellFormed()
  return { email: storable(email), error: storable(error) }
}

function cellAt(cells: readonly string[], index: number | undefined): string {
  return index === undefined ? '' : (cells[index]?.trim() ?? '')
}

const numberPattern = /^-?(0|[1-9]\d*)(\.\d+)?$/

/** The value that a cell means. A number that would lose digits stays text, like `007` and `1e5`. */
export function coerce(text: string, isBoolean: boolean): string | number | boolean {
  const word = text.toLowerCase()
  if (word === 'true' || (isBoolean && word === 'yes')) return true
  if (word === 'false' || (isBoolean && word === 'no')) return false
  if (numberPattern.test(text) && text.replace(/\D/g, '').length <= 15) return Number(text)
  return unguardCell(text)
}

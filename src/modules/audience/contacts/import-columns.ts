// What the columns of a CSV file mean for contacts, by the headings of its first row: for the import, for `waxwing import`, and for our
// own export, which names its columns so that this reads them back. Pure.
import { readHeading, unguardCell } from '../../../lib/csv'
import { type ConsentColumn, unreadHeadings } from './consent-headings'
import { topicOfColumn, topicPrefix } from './consent-words'
import { customFieldName, isReservedKey } from './fields'
import { dataLimits } from './patch'
import type { CellType } from './schema'

export type ColumnMeaning =
  | { kind: 'email' | ConsentColumn }
  | { kind: 'topic'; topic: string }
  /** With `isJson`, its cells hold JSON. */
  | { kind: 'field'; name: string; isJson: boolean }
  /** No name, or one that an import can't set. */
  | { kind: 'none' }

/** Columns that every contact has and an import can't set; our own export writes them. */
const unsettable: ReadonlySet<string> = new Set(['id', 'createdat', 'updatedat', 'consentchanges'])

const standard: ReadonlyMap<string, ColumnMeaning> = new Map([
  ['email', { kind: 'email' }],
  ['subscribed', { kind: 'subscribed' }],
  ['optedoutat', { kind: 'optedOutAt' }],
  ['suppressed', { kind: 'suppressed' }],
  ['snoozeduntil', { kind: 'snoozedUntil' }],
  ...[...unsettable, ''].map((name): [string, ColumnMeaning] => [name, { kind: 'none' }]),
])

const jsonSuffix = ':json'

/** What a heading, trimmed and without its guard, names. The prefix `data.` makes it a custom field whatever follows, `:json` at its end says what its cells hold. */
export function meaningOf(heading: string): ColumnMeaning {
  const known = standard.get(heading.toLowerCase())
  if (known) return known
  const topic = topicOfColumn(heading)
  if (topic !== undefined) return { kind: 'topic', topic }
  const isJson = heading.endsWith(jsonSuffix) && heading !== jsonSuffix
  const name = customFieldName(isJson ? heading.slice(0, -jsonSuffix.length) : heading)
  return name === '' || isReservedKey(name) ? { kind: 'none' } : { kind: 'field', name, isJson }
}

/** Blanks at the end of a name would be lost, and a name that ends like the suffix would be taken for it. */
export function needsSuffix(name: string): boolean {
  return name.trimEnd() !== name || name.endsWith(jsonSuffix)
}

/** The heading under which `meaningOf` finds the field again. */
export function headingOf(name: string, isJson: boolean): string {
  const isTaken =
    standard.has(name.trim().toLowerCase()) ||
    [topicPrefix, 'data.'].some(prefix => name.startsWith(prefix)) ||
    name.trimStart() !== name
  return `${isTaken ? 'data.' : ''}${name}${isJson ? jsonSuffix : ''}`
}

export interface FieldColumn {
  index: number
  name: string
  isJson: boolean
  /** How its cells are written, where a person said so. */
  type?: CellType | undefined
}

export interface ImportColumns {
  email: number
  subscribed: number | undefined
  optedOutAt: number | undefined
  suppressed: number | undefined
  snoozedUntil: number | undefined
  /** Custom fields by column, in the spelling of the header. */
  fields: FieldColumn[]
  /** Columns about topics, which the header names as people do. */
  topics: Array<{ index: number; heading: string; topic: string }>
}

/** Columns of a file that may be custom fields; a contact holds fewer. */
const mostFields = 5_000

/** The columns of a file by its first row, or why the file can't be imported. */
export function readHeader(
  cells: readonly string[],
  types: ReadonlyArray<CellType | ''> = [],
): ImportColumns | { fault: string } {
  const headings = cells.map(cell => unguardCell(cell.trim()))
  const meanings = headings.map(meaningOf)
  const twice = findTwice(meanings)
  if (twice) return { fault: twiceFault(headings, twice) }
  const find = (kind: ColumnMeaning['kind']): number | undefined => {
    const index = meanings.findIndex(each => each.kind === kind)
    return index === -1 ? undefined : index
  }
  const email = find('email')
  if (email === undefined)
    return { fault: `The file has no column "email" in its first row; it has ${shown(headings)}` }
  const fields = meanings.flatMap((each, index) =>
    each.kind === 'field'
      ? [{ index, name: each.name, isJson: each.isJson, type: types[index] || undefined }]
      : [],
  )
  const fault = fieldsFault(fields)
  if (fault !== undefined) return { fault }
  return {
    email,
    subscribed: find('subscribed'),
    optedOutAt: find('optedOutAt'),
    suppressed: find('suppressed'),
    snoozedUntil: find('snoozedUntil'),
    fields,
    topics: meanings.flatMap((each, index) =>
      each.kind === 'topic' ? [{ index, heading: headings[index]!, topic: each.topic }] : [],
    ),
  }
}

/** Columns that may say who gets no email, and are taken as fields: nothing refuses them, so that the answer has to name them. */
export function headingWarnings(cells: readonly string[]): string[] {
  const headings = cells.map(cell => unguardCell(cell.trim()))
  const unread = unreadHeadings(headings, heading => meaningOf(heading).kind === 'field')
  return unread.slice(0, 20).map(({ heading, column }) => {
    const name = JSON.stringify(shown([heading]))
    return `The column ${name} is imported as a custom field. If it says who gets no email, name it "${column}" and import the file again.`
  })
}

function fieldsFault(fields: ImportColumns['fields']): string | undefined {
  if (fields.length > mostFields) return `The file has more than ${mostFields} columns of custom fields`
  const broken = fields.find(field => field.name.includes('\0'))
  if (broken) return `The name of column ${broken.index + 1} holds a NUL character`
  const long = fields.find(field => field.name.length > dataLimits.keyLength)
  return long && `The name of column ${long.index + 1} is longer than ${dataLimits.keyLength} characters`
}

/** The first two columns that mean the same: one would win by chance. */
export function findTwice(meanings: readonly ColumnMeaning[]): [number, number] | undefined {
  const seen = new Map<string, number>()
  for (const [index, meaning] of meanings.entries()) {
    if (meaning.kind === 'none') continue
    const key = `${meaning.kind} ${meaning.kind === 'field' ? meaning.name : meaning.kind === 'topic' ? meaning.topic : ''}`
    const first = seen.get(key)
    if (first !== undefined) return [first, index]
    seen.set(key, index)
  }
  return undefined
}

/** Two headings that mean the same, in words. */
export function twiceFault(headings: readonly string[], [first, second]: [number, number]): string {
  const name = (index: number): string => shown([headings[index]!])
  const spelled = name(first) === name(second) ? '' : ` (there as "${name(second)}")`
  return `The first row has "${name(first)}" in column ${first + 1} and again in column ${second + 1}${spelled}: rename or remove one of them`
}

/** A file without headings has a row of somebody's data there: enough to see that, and no more. */
function shown(names: readonly string[]): string {
  const first = names.slice(0, 12).map(name => name.replaceAll(/\p{C}/gu, '').slice(0, 50).toWellFormed())
  return `${first.join(', ')}${names.length > first.length ? ', …' : ''}`
}

/**
 * The file with another first row: the headings by which a person says what its columns are. The rows stay as they are, and so do their
 * lines. A file whose first row can't be read is left alone: the import says why.
 */
export function withHeadings(content: Buffer, headings: readonly string[]): Buffer {
  const first = readHeading(content)
  if ('fault' in first) return content
  const { delimiter, end, lines } = first
  const row = headings.map(heading => `"${heading.replaceAll('"', '""')}"`).join(delimiter)
  // With a line of its own where there is one for it, since a single column names no separator.
  const head = `${lines > 1 ? `sep=${delimiter}\n` : ''}${row}\n`
  const missing = lines - head.split(/\r\n|\r|\n/).length + 1
  return Buffer.concat([Buffer.from(head + '\n'.repeat(Math.max(0, missing))), content.subarray(end)])
}

// `waxwing import csv`: any table with a column of addresses. Columns become fields under their own names, or under those of --map.

import { unguardCell } from '../../lib/csv'
import { readConsent, readTopicCell, topicOfColumn } from '../../modules/contacts'
import { UsageFault } from '../arguments'
import { type ImportSource, type SaidOfTopic, SourceFault, type SourceRecord } from './record'
import { readTable, type TableRow } from './table'

export interface CsvChoices {
  /** From the heading of a column to a field, `email`, `subscribed`, `optedOutAt` or `topic:<name>`; an empty name leaves the column out. */
  map: ReadonlyMap<string, string>
}

/** `First Name=firstName`, once or several times. */
export function readMap(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map(text => {
      const at = text.lastIndexOf('=')
      if (at <= 0) throw new UsageFault(`--map must be "heading=field", and not ${JSON.stringify(text)}`)
      return [text.slice(0, at).trim().toLowerCase(), text.slice(at + 1).trim()]
    }),
  )
}

/** Columns that every contact has; our own export writes them. */
const builtIn: ReadonlySet<string> = new Set(['id', 'createdat', 'updatedat', 'snoozeduntil'])

export function csvSource(path: string, { map }: CsvChoices): ImportSource {
  return {
    read: () =>
      recordsOf(path, headings => {
        const unknown = [...map.keys()].find(name => !headings.some(each => each.toLowerCase() === name))
        if (unknown) throw new SourceFault(`${path} has no column "${unknown}", which --map names`)
        const columns = headings.map(heading => {
          const mapped = map.get(heading.toLowerCase())
          return mapped ?? (builtIn.has(heading.toLowerCase()) ? '' : ownName(heading))
        })
        if (!columns.includes('email'))
          throw new SourceFault(
            `${path} has no column of addresses: call it "email", or use --map "heading=email"; it has ${headings.slice(0, 12).join(', ')}`,
          )
        return row => toRecord(row, columns)
      }),
  }
}

function ownName(heading: string): string {
  const word = heading.toLowerCase()
  if (word === 'optedoutat') return 'optedOutAt'
  return word === 'email' || word === 'subscribed' ? word : heading.replace(/^data\./, '')
}

function toRecord({ line, cells }: TableRow, columns: readonly string[]): SourceRecord {
  const texts: Record<string, string> = Object.create(null) as Record<string, string>
  columns.forEach((column, index) => {
    const cell = cells[index]?.trim() ?? ''
    if (column !== '' && cell !== '') texts[column] = cell
  })
  const { email = '', subscribed = '', optedOutAt = '', ...fields } = texts
  const [place, address] = [`line ${line}`, unguardCell(email)]
  const consent = readConsent(subscribed, optedOutAt)
  if ('fault' in consent) return { place, email: address, refused: consent.fault }
  const topics = readTopics(fields)
  if ('fault' in topics) return { place, email: address, refused: topics.fault }
  return {
    place,
    email: address,
    texts: Object.fromEntries(
      Object.entries(fields).filter(([column]) => topicOfColumn(column) === undefined),
    ),
    values: {},
    lists: [],
    topics: topics.said,
    ...consent,
  }
}

function readTopics(fields: Readonly<Record<string, string>>): { said: SaidOfTopic[] } | { fault: string } {
  const said: SaidOfTopic[] = []
  for (const [column, text] of Object.entries(fields)) {
    const name = topicOfColumn(column)
    if (name === undefined) continue
    const subscribed = readTopicCell(column, text)
    if (typeof subscribed === 'object') return subscribed
    said.push({ name, subscribed: subscribed === true })
  }
  return { said }
}

/** The rows after the headings, read by what `plan` makes of those; needs a column of addresses. */
export async function* recordsOf(
  path: string,
  plan: (headings: string[]) => (row: TableRow) => SourceRecord,
  where = '',
): AsyncGenerator<SourceRecord> {
  let read: ((row: TableRow) => SourceRecord) | undefined
  for await (const row of readTable(path)) {
    if (row.fault !== undefined && !read)
      throw new SourceFault(`${path}: the first row can't be read: ${row.fault}`)
    if (!read) read = plan(row.cells.map(cell => unguardCell(cell.trim())))
    else if (row.fault !== undefined)
      yield { place: `${where}line ${row.line}`, email: '', refused: row.fault }
    else {
      const record = read(row)
      yield where ? { ...record, place: `${where}${record.place}` } : record
    }
  }
  if (!read) throw new SourceFault(`${path} is empty`)
}

/** The position of a column by its heading, whatever its case; throws where it is needed and missing. */
export function requireColumn(path: string, headings: readonly string[], name: string): number {
  const at = headings.findIndex(each => each.toLowerCase() === name.toLowerCase())
  if (at === -1)
    throw new SourceFault(`${path} has no column "${name}"; it has ${headings.slice(0, 12).join(', ')}`)
  return at
}

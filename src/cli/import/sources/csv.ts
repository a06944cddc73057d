// `waxwing import csv`: any table with a column of addresses. Columns become fields under their own names, or under those of --map.

import { unguardCell } from '../../../lib/csv'
import { readConsent, readTopicCell, topicOfColumn } from '../../../modules/contacts'
import { UsageFault } from '../../arguments'
import {
  type ImportSource,
  type PeerRecord,
  type SaidOfTopic,
  SourceFault,
  type SourceRecord,
} from '../record'
import { recordsOf } from '../rows'
import type { TableRow } from '../table'

export interface CsvChoices {
  /** From the heading of a column to a field, `email`, `subscribed`, `optedOutAt` or `topic:<name>`; an empty name leaves the column out. */
  map: ReadonlyMap<string, string>
  /** What is known of the tables of one program. */
  known?: KnownTable
}

export interface KnownTable {
  /** For a column that is not mapped. */
  nameOf(heading: string): string
  /** Its records, with what only this program says. */
  finish(record: PeerRecord): PeerRecord
  /** Without a column that says who is subscribed, everybody would be. */
  needs: readonly ['subscribed']
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

export function csvSource(path: string, { map, known }: CsvChoices): ImportSource {
  return {
    read: () =>
      recordsOf(path, headings => {
        const columns = columnsOf(path, headings, map, known?.nameOf ?? ownName)
        for (const name of ['email', ...(known?.needs ?? [])])
          if (!columns.includes(name)) throw new SourceFault(missingColumn(path, name, headings))
        return row => {
          const record = toRecord(row, columns)
          return known && !('refused' in record) ? known.finish(record) : record
        }
      }),
  }
}

function columnsOf(
  path: string,
  headings: readonly string[],
  map: CsvChoices['map'],
  nameOf: KnownTable['nameOf'],
): string[] {
  const unknown = [...map.keys()].find(name => !headings.some(each => each.toLowerCase() === name))
  if (unknown) throw new SourceFault(`${path} has no column "${unknown}", which --map refers to`)
  return headings.map(heading => map.get(heading.toLowerCase()) ?? nameOf(heading))
}

function missingColumn(path: string, name: string, headings: readonly string[]): string {
  const [what, end] = [
    name === 'email' ? 'of addresses' : 'that says who is subscribed',
    headings.slice(0, 12),
  ]
  return `${path} has no column ${what}: call it "${name}", or use --map "heading=${name}"; it has ${end.join(', ')}`
}

function ownName(heading: string): string {
  const word = heading.toLowerCase()
  if (builtIn.has(word)) return ''
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

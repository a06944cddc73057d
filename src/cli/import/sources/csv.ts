// `waxwing import csv`: any table with a column of addresses. Columns become fields under their own names, or under those of --map.

import { unguardCell } from '../../../lib/csv'
import { type Consent, readConsent, readTopicCell, topicOfColumn } from '../../../modules/contacts'
import { UsageFault } from '../../arguments'
import {
  type ImportSource,
  type PeerRecord,
  type SaidOfTopic,
  SourceFault,
  type SourceRecord,
} from '../record'
import { headingsOf, recordsOf } from '../rows'
import type { TableRow } from '../table'
import { consentNames, headingNotes } from './headings'

export interface CsvChoices {
  /** From the heading of a column to a field, `email`, `subscribed`, `optedOutAt`, `suppressed` or `topic:<name>`; an empty name leaves the column out. */
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
  const columnsFor = (headings: readonly string[]): string[] =>
    columnsOf(path, headings, map, known?.nameOf ?? ownName)
  return {
    async outlook() {
      if (known) return { notes: [] }
      const headings = await headingsOf(path)
      return { notes: headingNotes(headings, columnsFor(headings), name => map.has(name.toLowerCase())) }
    },
    read: () =>
      recordsOf(path, headings => {
        const columns = columnsFor(headings)
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
  if (word === 'email') return word
  return consentNames.find(name => name.toLowerCase() === word) ?? heading.replace(/^data\./, '')
}

function isConsentName(column: string): column is (typeof consentNames)[number] {
  return (consentNames as readonly string[]).includes(column)
}

function toRecord({ line, cells }: TableRow, columns: readonly string[]): SourceRecord {
  const place = `line ${line}`
  const texts: Record<string, string> = Object.create(null) as Record<string, string>
  const consentCells = { subscribed: [] as string[], optedOutAt: [] as string[], suppressed: [] as string[] }
  const topics: SaidOfTopic[] = []
  const unread: string[] = []
  columns.forEach((column, index) => {
    const cell = cells[index]?.trim() ?? ''
    if (column === '' || cell === '') return
    const topic = readTopic(column, cell)
    if (isConsentName(column)) consentCells[column].push(cell)
    else if (topic === undefined) texts[column] = cell
    else if ('fault' in topic) unread.push(topic.fault)
    else topics.push(topic)
  })
  const { email: address = '', ...fields } = texts
  const [email, consent] = [unguardCell(address), readConsent(consentCells)]
  if ('fault' in consent) return { place, email, refused: consent.fault }
  const without = [...(consent.without ?? []), ...unread]
  return { place, email, texts: fields, values: {}, lists: [], topics, ...consentOf(consent), without }
}

/** What a cell says about a topic; undefined in any other column. */
function readTopic(column: string, cell: string): SaidOfTopic | { fault: string } | undefined {
  const name = topicOfColumn(column)
  if (name === undefined) return undefined
  const subscribed = readTopicCell(column, cell)
  return typeof subscribed === 'object' ? subscribed : { name, subscribed: subscribed === true }
}

function consentOf({
  subscribed,
  optedOutAt,
  suppressed,
}: Consent): Pick<PeerRecord, 'subscribed' | 'optedOutAt' | 'suppressed'> {
  return {
    subscribed,
    ...(optedOutAt ? { optedOutAt } : {}),
    ...(suppressed
      ? { suppressed: { reason: suppressed.reason, source: `import: ${suppressed.word.slice(0, 40)}` } }
      : {}),
  }
}

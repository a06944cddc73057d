// `waxwing import csv`: any table with a column of addresses. Columns become fields under their own names, or under those of --map.
import { unguardCell } from '../../../lib/csv'
import {
  type ColumnMeaning,
  type Consent,
  consentColumns,
  findTwice,
  meaningOf,
  readConsent,
  readJsonCell,
  readTopicCell,
  twiceFault,
  unreadHeadings,
} from '../../../modules/audience/contacts'
import { UsageFault } from '../../arguments'
import {
  type ImportSource,
  type PeerRecord,
  type SaidOfTopic,
  SourceFault,
  type SourceRecord,
} from '../record'
import { fieldName, headingsOf, recordsOf, type TableRow } from '../table'

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
        const meanings = columns.map(meaningOf)
        // What is said of consent may be in several columns: of those the no counts.
        const twice = findTwice(
          meanings.map(each => (each.kind === 'field' || each.kind === 'email' ? each : none)),
        )
        if (twice) throw new SourceFault(`${path}: ${twiceFault(headings, twice)}`)
        return row => {
          const record = toRecord(row, meanings)
          return known && !('refused' in record) ? known.finish(record) : record
        }
      }),
  }
}

/** Sentences for the report: that nobody was asked, and columns that may say who said no and are taken as fields. */
function headingNotes(
  headings: readonly string[],
  columns: readonly string[],
  isMapped: (heading: string) => boolean,
): string[] {
  const isAsked = consentColumns.some(name => columns.includes(name))
  const unread = unreadHeadings(
    headings,
    (heading, index) => !isMapped(heading) && columns[index] === heading,
  )
  return [
    ...(isAsked ? [] : ['No column says who is subscribed: every new contact is subscribed.']),
    ...unread.map(
      ({ heading, column }) =>
        `The column "${heading}" is taken as a field. If it says who gets no email: --map "${heading}=${column}"`,
    ),
  ]
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

/** The spelling of our own for what says of consent, and the address; any other heading as it is. */
function ownName(heading: string): string {
  const word = heading.toLowerCase()
  if (word === 'email') return word
  return (
    consentColumns.find(name => name.toLowerCase() === word) ??
    (meaningOf(heading).kind === 'none' ? '' : heading)
  )
}

const none: ColumnMeaning = { kind: 'none' }

interface ReadCells {
  email: string
  consent: Record<(typeof consentColumns)[number] | 'snoozedUntil', string[]>
  texts: Record<string, string>
  values: Record<string, unknown>
  topics: SaidOfTopic[]
  /** What is left out, and why. */
  unread: string[]
}

function readInto(read: ReadCells, column: ColumnMeaning, text: string): void {
  switch (column.kind) {
    case 'none':
      return
    case 'email':
      read.email = unguardCell(text)
      return
    case 'topic': {
      const subscribed = readTopicCell(`topic:${column.topic}`, text)
      if (typeof subscribed === 'object') read.unread.push(subscribed.fault)
      else read.topics.push({ name: column.topic, subscribed: subscribed === true })
      return
    }
    case 'field': {
      if (!column.isJson) read.texts[column.name] = text
      else {
        const json = readJsonCell(text)
        if ('fault' in json) read.unread.push(`${column.name}: ${json.fault}`)
        else read.values[column.name] = json.value
      }
      return
    }
    default:
      read.consent[column.kind].push(text)
  }
}

function toRecord({ line, cells }: TableRow, columns: readonly ColumnMeaning[]): SourceRecord {
  const read: ReadCells = {
    email: '',
    consent: { subscribed: [], optedOutAt: [], suppressed: [], snoozedUntil: [] },
    texts: Object.create(null) as Record<string, string>,
    values: Object.create(null) as Record<string, unknown>,
    topics: [],
    unread: [],
  }
  for (const [index, column] of columns.entries()) {
    const text = cells[index]?.trim() ?? ''
    if (text !== '') readInto(read, column, text)
  }
  const { email, texts, values, topics } = read
  const place = `line ${line}`
  const consent = readConsent(read.consent)
  if ('fault' in consent) {
    const noes = topics.filter(({ subscribed }) => !subscribed)
    if (noes.length === 0) return { place, email, refused: consent.fault }
    const without = [`${consent.fault}; only its unsubscribes were imported`]
    const nothing = { texts: {}, values: {}, subscribed: undefined, lists: [] }
    return { place, email, ...nothing, isOnlyNo: true, topics: noes, without }
  }
  const without = [...(consent.without ?? []), ...read.unread]
  return { place, email, texts, values, lists: [], topics, ...consentOf(consent), without }
}

function consentOf({
  subscribed,
  optedOutAt,
  suppressed,
  snoozedUntil,
}: Consent): Pick<PeerRecord, 'subscribed' | 'optedOutAt' | 'suppressed' | 'snoozedUntil'> {
  return {
    subscribed,
    ...(optedOutAt ? { optedOutAt } : {}),
    ...(snoozedUntil ? { snoozedUntil } : {}),
    ...(suppressed
      ? { suppressed: { reason: suppressed.reason, source: `import: ${suppressed.word.slice(0, 40)}` } }
      : {}),
  }
}

// `waxwing import loops FILE`: the CSV of the audience of Loops, whose API finds single contacts only. Its columns are the properties
// of a contact; of those, mailing lists have to be named by --map.

export function loopsFile(path: string, map: CsvChoices['map']): ImportSource {
  return csvSource(path, { map, known: { nameOf, finish, needs: ['subscribed'] } })
}

function nameOf(heading: string): string {
  const name = fieldName(heading)
  if (name === 'createdAt') return 'signedUpAt'
  return name === 'id' ? '' : name
}

/** Everybody is subscribed there until they unsubscribe. */
function finish(record: PeerRecord): PeerRecord {
  return record.subscribed === false ? { optedOutAt: 'unknown', ...record } : record
}

// A CSV file before it is imported: its columns, what each may become, and examples of what they hold. The file itself is sent as it is, with
// the headings by which the server reads it; what is read here is only shown.
import { parse } from 'csv-parse/browser/esm/sync'

export interface Table {
  names: string[]
  rows: string[][]
}

/** Members of a contact; `field` is a custom field of the column's name; a topic stands by its id, or by a name that the project lacks. */
export const targets = [
  'email',
  'subscribed',
  'optedOutAt',
  'suppressed',
  'snoozedUntil',
  'field',
  'leave',
] as const
export type Target = (typeof targets)[number] | `topic:${string}`

/** UTF-8 or UTF-16; anything else comes from an older spreadsheet program, whose umlauts would be lost otherwise, and is sent as UTF-8. */
export async function decodeFile(file: File): Promise<{ text: string; file: File }> {
  const bytes = await file.arrayBuffer()
  try {
    return { text: new TextDecoder(encodingOf(new Uint8Array(bytes)), { fatal: true }).decode(bytes), file }
  } catch {
    const text = new TextDecoder('windows-1252').decode(bytes)
    return { text, file: new File([text], file.name, { type: 'text/csv' }) }
  }
}

/** As the server recognizes them. */
function encodingOf([first, second, third, fourth]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first && second === 0 && third && fourth === 0))
    return 'utf-16le'
  return (first === 0xfe && second === 0xff) || (first === 0 && second && third === 0 && fourth)
    ? 'utf-16be'
    : 'utf-8'
}

const separators = [',', ';', '\t']

export function readTable(text: string): Table {
  const rows = [...piecesOf(text)].flat()
  return tableOf(rows)
}

/** The same in slices, between which the page answers; `onRows` says how many rows there are by now. */
export async function readTableInSlices(text: string, onRows: (rows: number) => void): Promise<Table> {
  const rows: string[][] = []
  for (const piece of piecesOf(text)) {
    for (const row of piece) rows.push(row)
    onRows(Math.max(0, rows.length - 1))
    await nextTask()
  }
  return tableOf(rows)
}

function tableOf(rows: string[][]): Table {
  const [names = []] = rows.splice(0, 1)
  return { names, rows }
}

/** Lets the page draw and answer. */
export function nextTask(): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve)
  })
}

function* piecesOf(text: string): Generator<string[][]> {
  const clean = withoutEndMark(text.replace(/^\ufeff/, ''))
  const start = clean.search(/[^,;\t\r\n "]/)
  if (start === -1) return
  const begin = lineStart(clean, start)
  const named = /^"?sep=([^\r\n"])"?[^\S\r\n]*(\r\n|\r|\n)/i.exec(clean.slice(begin, begin + 100))
  const remaining = clean.slice(begin + (named?.[0].length ?? 0))
  yield* readRows(remaining, named?.[1] ?? separatorOf(remaining))
}

/** What DOS programs end a file with. */
function withoutEndMark(text: string): string {
  let end = text.length
  while (text.charCodeAt(end - 1) === 0x1a) end--
  return text.slice(0, end)
}

function lineStart(text: string, at: number): number {
  return Math.max(text.lastIndexOf('\n', at), text.lastIndexOf('\r', at)) + 1
}

/** The most frequent in the first row, outside of cells in quotes. */
function separatorOf(text: string): string {
  const row = text.slice(0, 65_536)
  const counts = separators.map(() => 0)
  let [isQuoted, isCellStart] = [false, true]
  for (let at = 0; at < row.length; at++) {
    const character = row[at]!
    const place = separators.indexOf(character)
    if (isQuoted) {
      if (character === '"' && row[at + 1] === '"') at++
      else if (character === '"') isQuoted = false
    } else if (character === '\n' || character === '\r') break
    else if (place !== -1) {
      counts[place]!++
      isCellStart = true
    } else if (character === '"' && isCellStart) [isQuoted, isCellStart] = [true, false]
    else if (character !== ' ') isCellStart = false
  }
  return separators[counts.indexOf(Math.max(...counts))]!
}

/** Bytes that are read at a time: a few milliseconds. A longer row is read with more of them. */
const sliceLength = 64 * 1024
const longestRow = 256 * 1024

/** A row that can't be read costs its first line, as it does for the server. */
function* readRows(text: string, delimiter: string): Generator<string[][]> {
  const bytes = new TextEncoder().encode(text)
  let [at, length] = [0, sliceLength]
  while (at < bytes.length) {
    const stop = Math.min(bytes.length, at + length)
    const isCut = stop < bytes.length
    const { records, failed } = parseSlice(bytes.subarray(at, stop), delimiter)
    // The last row may continue after the cut.
    const isLastCut = isCut && (records.at(-1)?.end ?? 0) >= stop - at
    const whole = isLastCut ? records.slice(0, -1) : records
    const end = whole.at(-1)?.end
    if (end !== undefined) {
      yield whole.map(({ cells }) => cells)
      at = isCut || failed ? at + end : bytes.length
      length = sliceLength
    } else if (!failed && !isLastCut) at = stop
    else if (isCut && length < longestRow) length *= 4
    else at = nextLine(bytes, at)
  }
}

interface SliceRecord {
  cells: string[]
  end: number
}

function parseSlice(bytes: Uint8Array, delimiter: string): { records: SliceRecord[]; failed: boolean } {
  const records: SliceRecord[] = []
  try {
    parse(new TextDecoder().decode(bytes), {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
      on_record: (cells: string[], { bytes: end }: { bytes: number }) => {
        records.push({ cells, end })
        return null
      },
    })
    return { records, failed: false }
  } catch {
    return { records, failed: true }
  }
}

function nextLine(bytes: Uint8Array, offset: number): number {
  const isEnd = (at: number): boolean => bytes[at] === 10 || bytes[at] === 13
  let at = offset
  while (at < bytes.length && isEnd(at)) at++
  while (at < bytes.length && !isEnd(at)) at++
  return at
}

const emailNames = /^(e-?mail|e-?mail[ _-]?(address|adresse)|adresse|courriel|mail)$/i
const consentNames = /^(subscribed|abonniert|opt[ _-]?in|abonné)$/i
/** Of such a name a column says who agreed, if it says only yes and no. */
const perhapsConsent = /^(newsletter|marketing|consent|einwilligung|consentement)$/i
const yesOrNo = /^(ja|nein|yes|no|oui|non|true|false|wahr|falsch|1|0)$/i
/** What the server reads by the heading alone, or passes over. */
const ownNames: ReadonlyMap<string, Target> = new Map([
  ['optedoutat', 'optedOutAt'],
  ['suppressed', 'suppressed'],
  ['snoozeduntil', 'snoozedUntil'],
  ...['id', 'createdat', 'updatedat', 'consentchanges', ''].map((name): [string, Target] => [name, 'leave']),
])
const topicPrefix = 'topic:'

/** What the columns most likely are, by their names and contents. */
export function guess(
  { names, rows }: Table,
  topics: readonly { id: string; name: string }[] = [],
): Target[] {
  const byName = names.findIndex(name => emailNames.test(name))
  const byValue = names.findIndex((_, index) => rows[0]?.[index]?.includes('@'))
  const email = byName === -1 ? byValue : byName
  const isYesOrNo = (index: number): boolean =>
    rows.slice(0, 100).every(row => !row[index] || yesOrNo.test(row[index]))
  return names.map((name, index): Target => {
    if (index === email) return 'email'
    if (consentNames.test(name) || (perhapsConsent.test(name) && isYesOrNo(index))) return 'subscribed'
    if (name.startsWith(topicPrefix)) {
      const about = name.slice(topicPrefix.length).trim()
      const topic = topics.find(each => each.name.trim() === about || each.id === about)
      return `topic:${topic?.id ?? about}`
    }
    return ownNames.get(name.trim().toLowerCase()) ?? 'field'
  })
}

/** Headings that may say who gets no email, as the server's own warning has them: people should see it before they start. */
const consentWords =
  /^(status|state)$|subscri|unsub|confirmed|consent|opt(ed)?[ _-]?(in|out)|bounce|black[ _-]?list|block|complain|spam|suppress|abuse/i

export function mayBeConsent(name: string, target: Target): boolean {
  return target === 'field' && consentWords.test(name)
}

/** The headings by which the server reads the file. A field of a name that means something else gets the prefix that makes it a field. */
export function headingsFor({ names }: Pick<Table, 'names'>, mapping: readonly Target[]): string[] {
  return names.map((name, index) => {
    const target = mapping[index]!
    if (target === 'leave') return ''
    if (target !== 'field') return target
    const isOther =
      ['email', 'subscribed', ...ownNames.keys()].includes(name.trim().toLowerCase()) ||
      name.startsWith(topicPrefix)
    return isOther ? `data.${name}` : name
  })
}

export function writeRow(cells: readonly string[]): string {
  return cells.map(cell => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')
}

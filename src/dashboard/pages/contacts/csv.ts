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
  const clean = withoutEndMark(text.replace(/^\ufeff/, ''))
  const start = clean.search(/[^,;\t\r\n "]/)
  if (start === -1) return { names: [], rows: [] }
  const begin = lineStart(clean, start)
  const named = /^"?sep=([^\r\n"])"?[^\S\r\n]*(\r\n|\r|\n)/i.exec(clean.slice(begin, begin + 100))
  const rest = clean.slice(begin + (named?.[0].length ?? 0))
  const [names = [], ...rows] = readRows(rest, named?.[1] ?? separatorOf(rest))
  return { names, rows }
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

/** A row that can't be read costs its first line, as it does for the server. */
function readRows(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  let bytes = new TextEncoder().encode(text)
  while (bytes.length > 0) {
    let end = 0
    try {
      parse(new TextDecoder().decode(bytes), {
        delimiter,
        record_delimiter: ['\r\n', '\n', '\r'],
        relax_column_count: true,
        relax_quotes: true,
        skip_empty_lines: true,
        skip_records_with_empty_values: true,
        trim: true,
        on_record: (cells: string[], { bytes: read }: { bytes: number }) => {
          rows.push(cells)
          end = read
          return null
        },
      })
      return rows
    } catch {
      const rest = bytes.subarray(end)
      const begin = rest.findIndex(byte => byte !== 10 && byte !== 13)
      const next = begin === -1 ? -1 : rest.subarray(begin).findIndex(byte => byte === 10 || byte === 13)
      bytes = next === -1 ? new Uint8Array() : rest.slice(begin + next)
    }
  }
  return rows
}

const emailNames = /^(e-?mail|e-?mail[ _-]?(address|adresse)|adresse|courriel|mail)$/i
const consentNames = /^(subscribed|abonniert|opt[ _-]?in|abonné)$/i
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
  return names.map((name, index): Target => {
    if (index === email) return 'email'
    if (consentNames.test(name)) return 'subscribed'
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
export function headingsFor({ names }: Table, mapping: readonly Target[]): string[] {
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

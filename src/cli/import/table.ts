// Reads a CSV file of any size as rows with the number of the line at which each begins. A window of the file is in memory at a time;
// a row that can't be read costs its first line only.
import { createReadStream } from 'node:fs'
import { type CsvPiece, encodingOf, readCsv, startOf, unguardCell } from '../../lib/csv'
import { SourceFault, type SourceRecord } from './record'

export interface TableRow {
  line: number
  cells: string[]
  fault?: string
}

/** Larger than any row that the reader takes, so that a row is never cut by the window. */
const windowBytes = 1024 * 1024
const rowsAtATime = 500

interface Window {
  bytes: Buffer
  /** Of its first byte. */
  line: number
  isLast: boolean
}

/** Throws SourceFault for a file that can't be opened or is not text in UTF-8 (or UTF-16 with a mark). */
export async function* readTable(path: string): AsyncGenerator<TableRow> {
  let window: Window = { bytes: Buffer.alloc(0), line: 1, isLast: false }
  let delimiter: string | undefined
  for await (const { text, isLast } of pieces(path)) {
    window = { bytes: Buffer.concat([window.bytes, text]), line: window.line, isLast }
    while (window.bytes.length > 0 && (isLast || window.bytes.length >= windowBytes)) {
      const start = delimiter === undefined ? startOf(window.bytes) : { offset: 0, lines: 0, delimiter }
      delimiter = start.delimiter
      const line = window.line + start.lines
      const piece = readCsv(window.bytes, start.offset, { delimiter, limit: rowsAtATime, hasMore: !isLast })
      yield* rowsOf(line, piece)
      if (piece.end === 0) break
      window = { bytes: window.bytes.subarray(piece.end), line: line + piece.lines, isLast }
    }
  }
}

function* rowsOf(line: number, { records, fault }: CsvPiece): Generator<TableRow> {
  if (fault) yield { line: line + fault.line, cells: [], fault: fault.reason }
  for (const record of records) yield { line: line + record.line, cells: record.cells }
}

/** The file as UTF-8; the last piece may be empty. */
async function* pieces(path: string): AsyncGenerator<{ text: Buffer; isLast: boolean }> {
  let decoder: TextDecoder | undefined
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: windowBytes })) {
      const bytes = chunk as Buffer
      decoder ??= decoderFor(bytes)
      yield { text: Buffer.from(decoder.decode(bytes, { stream: true })), isLast: false }
    }
    yield { text: Buffer.from(decoder?.decode() ?? ''), isLast: true }
  } catch (error) {
    if (error instanceof TypeError)
      throw new SourceFault(`${path} is not UTF-8 text: save it again as "CSV UTF-8"`)
    const { code } = error as { code?: string }
    if (code) throw new SourceFault(`${path} cannot be read (${code})`)
    throw error
  }
}

function decoderFor(bytes: Buffer): TextDecoder {
  return new TextDecoder(encodingOf(bytes), { fatal: true })
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

/** Empty for a file that can't be read: the rows say why. */
export async function headingsOf(path: string): Promise<string[]> {
  for await (const { cells } of readTable(path)) return cells.map(cell => unguardCell(cell.trim()))
  return []
}

/** The position of a column by its heading, whatever its case; throws where it is needed and missing. */
export function requireColumn(path: string, headings: readonly string[], name: string): number {
  const at = headings.findIndex(each => each.toLowerCase() === name.toLowerCase())
  if (at === -1)
    throw new SourceFault(`${path} has no column "${name}"; it has ${headings.slice(0, 12).join(', ')}`)
  return at
}

/** `First Name` as `firstName`, `UNSUB_REASON` as `unsubReason`. */
export function fieldName(heading: string): string {
  const words = heading.split(/[^\p{L}\p{N}]+/u).filter(word => word !== '')
  return words
    .map(word => (word === word.toUpperCase() ? word.toLowerCase() : word))
    .map((word, index) => (index === 0 ? lowerFirst(word) : word[0]!.toUpperCase() + word.slice(1)))
    .join('')
}

function lowerFirst(word: string): string {
  return word[0]!.toLowerCase() + word.slice(1)
}

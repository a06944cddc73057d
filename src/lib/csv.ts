// CSV in and out: reads a piece of a file at a time, from any offset, so that a large file neither fills the memory nor has to be
// begun again; writes cells so that no spreadsheet runs them as a formula. Parsing is csv-parse's; what it can't read costs one line.
import { isUtf8 } from 'node:buffer'
import { parse } from 'csv-parse/sync'

export interface CsvRecord {
  cells: string[]
  /** Line ends between where reading began and this record. */
  line: number
  /** The offset after it. */
  end: number
  /** Line ends before that. */
  lines: number
}

export interface CsvPiece {
  records: CsvRecord[]
  /** Offset to read on from: the length of the content when all is read. */
  end: number
  /** Line ends before that. */
  lines: number
  /** What is wrong with the record at the beginning, and in which line it begins. It is then skipped up to `end`; `records` is empty. */
  fault?: { line: number; reason: string }
}

export interface CsvOptions {
  /** Records to read at most; blank ones count, but are not among the answer. */
  limit: number
  delimiter: string
  /** The content is a piece of a longer one, which continues after it. */
  hasMore?: boolean
}

/** A record beyond this many bytes is refused. */
export const maxRecordLength = 256 * 1024

/**
 * Reads the records that begin at `offset`, a line start outside quotes. Blank ones, also those of separators alone, are passed over, and
 * so is the mark that DOS programs end a file with. `content` is UTF-8 without a byte order mark; where it is a piece, it has to reach
 * for more than `maxRecordLength` past `offset`.
 */
export function readCsv(content: Buffer, offset: number, options: CsvOptions): CsvPiece {
  const text = options.hasMore ? content : withoutEndMark(content)
  const { records, end, fault } = readWhole(text, offset, options)
  const line = lineCounter(content, offset)
  if (fault !== undefined)
    return { records: [], end, fault: { line: line(fault.at), reason: fault.reason }, lines: line(end) }
  const placed = records.map(({ cells, at, end }) => ({
    ...{ cells, line: line(skipLineEnds(text, at)) },
    ...{ end, lines: line(end) },
  }))
  return {
    records: placed.filter(({ cells }) => cells.some(cell => cell.trim() !== '')),
    end: end >= text.length ? content.length : end,
    lines: line(end),
  }
}

interface WholePiece {
  records: { cells: string[]; at: number; end: number }[]
  end: number
  fault?: { at: number; reason: string }
}

function readWhole(content: Buffer, offset: number, options: CsvOptions): WholePiece {
  const start = skipLineEnds(content, offset)
  const stop = Math.min(content.length, start + maxRecordLength)
  const isCut = stop < content.length || options.hasMore === true
  const { records, error } = parsePiece(content.subarray(start, stop), options)
  // The last record may continue after the cut.
  const isLastCut = isCut && records.at(-1)?.end === stop - start
  const whole = isLastCut ? records.slice(0, -1) : records
  if (whole.length > 0) {
    let at = start
    const placed = whole.map(({ cells, end }) => {
      const begin = at
      at = start + end
      return { cells, at: begin, end: at }
    })
    return { records: placed, end: isCut || error || isFull(whole, options) ? at : stop }
  }
  if (!error && !isLastCut) return { records: [], end: stop }
  // Empty lines took the place of the record after them.
  if (options.hasMore && stop === content.length) return { records: [], end: start }
  return { records: [], end: nextLine(content, start), fault: { at: start, reason: describe(error, isCut) } }
}

function withoutEndMark(content: Buffer): Buffer {
  let end = content.length
  while (content[end - 1] === 0x1a) end--
  return content.subarray(0, end)
}

/** Counts the line ends between `from` and offsets that only grow: a line feed, a carriage return, or both together. */
function lineCounter(content: Buffer, from: number): (to: number) => number {
  let [at, lines] = [from, 0]
  return to => {
    for (; at < to; at++) if (content[at] === 10 || (content[at] === 13 && content[at + 1] !== 10)) lines++
    return lines
  }
}

interface ParsedRecord {
  cells: string[]
  end: number
}

function isFull(records: readonly unknown[], { limit }: CsvOptions): boolean {
  return records.length >= limit
}

function parsePiece(
  piece: Buffer,
  { limit, delimiter }: CsvOptions,
): { records: ParsedRecord[]; error?: Error } {
  const records: ParsedRecord[] = []
  try {
    parse(piece, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      to: limit,
      // Records are kept here and not in the parser's result, which is lost with a later fault.
      on_record: (cells: string[], { bytes }: { bytes: number }) => {
        records.push({ cells, end: bytes })
        return null
      },
    })
    return { records }
  } catch (error) {
    return { records, error: error instanceof Error ? error : new Error(String(error)) }
  }
}

function describe(error: Error | undefined, isCut: boolean): string {
  const code = (error as { code?: unknown } | undefined)?.code
  if (!error || (isCut && code === 'CSV_QUOTE_NOT_CLOSED'))
    return `A row must be at most ${maxRecordLength} bytes; is a quotation mark missing?`
  return code === 'CSV_QUOTE_NOT_CLOSED'
    ? 'A quotation mark is never closed'
    : 'There is text after a closing quotation mark'
}

function skipLineEnds(content: Buffer, offset: number): number {
  let at = offset
  while (at < content.length && isLineEnd(content[at]!)) at++
  return at
}

function nextLine(content: Buffer, offset: number): number {
  let at = offset
  while (at < content.length && !isLineEnd(content[at]!)) at++
  return skipLineEnds(content, at)
}

function isLineEnd(byte: number): boolean {
  return byte === 10 || byte === 13
}

const separators = [',', ';', '\t']
const longestHeading = 65_536

/** Where a table begins, and what separates its cells. */
export interface CsvStart {
  offset: number
  /** Line ends before that. */
  lines: number
  delimiter: string
}

/**
 * Passes over blank lines and lines of separators alone. A line `sep=;`, which spreadsheets are told by, names the separator; otherwise it
 * is the most frequent of comma, semicolon and tab outside the quotes of the first row.
 */
export function startOf(content: Buffer): CsvStart {
  const line = lineCounter(content, 0)
  let offset = skipLineEnds(content, 0)
  while (offset < content.length) {
    const next = nextLine(content, offset)
    const text = content.subarray(offset, Math.min(next, offset + longestHeading)).toString('latin1')
    if (/[^,;\t\r\n "]/.test(text)) {
      const named = /^"?sep=([^\r\n]?)"?\s*$/i.exec(text)
      if (!named) return { offset, lines: line(offset), delimiter: mostFrequent(content, offset) }
      const delimiter = named[1] && named[1] !== '"' ? named[1] : mostFrequent(content, next)
      return { offset: next, lines: line(next), delimiter }
    }
    offset = next
  }
  return { offset, lines: line(offset), delimiter: ',' }
}

/** The first row of a table, and how the others are read. */
export interface CsvHeading {
  delimiter: string
  cells: string[]
  /** The offset after it. */
  end: number
  /** Line ends before that. */
  lines: number
}

/** The first row with content; `content` is as for `readCsv`. */
export function readHeading(content: Buffer, hasMore = false): CsvHeading | { fault: string } {
  const { offset, delimiter, ...before } = startOf(content)
  let { lines } = before
  for (let at = offset; at < content.length; ) {
    const piece = readCsv(content, at, { delimiter, limit: 1, hasMore })
    if (piece.fault) return { fault: `The first row can't be read: ${piece.fault.reason}` }
    const [row] = piece.records
    if (row) return { delimiter, cells: row.cells, end: row.end, lines: lines + row.lines }
    if (piece.end <= at) break
    lines += piece.lines
    at = piece.end
  }
  return { fault: 'The file is empty' }
}

function mostFrequent(content: Buffer, offset: number): string {
  const row = content.subarray(offset, offset + longestHeading).toString('latin1')
  const counts = countSeparators(row)
  const count = (separator: string): number => counts.get(separator) ?? 0
  return separators.reduce((best, each) => (count(each) > count(best) ? each : best))
}

/** Those of the first row. A quotation mark opens a cell only where one begins. */
function countSeparators(row: string): Map<string, number> {
  const counts = new Map<string, number>()
  let [isQuoted, isCellStart] = [false, true]
  for (let at = 0; at < row.length; at++) {
    const character = row[at]!
    if (isQuoted) {
      if (character === '"' && row[at + 1] === '"') at++
      else if (character === '"') isQuoted = false
    } else if (character === '\n' || character === '\r') break
    else if (separators.includes(character)) {
      counts.set(character, (counts.get(character) ?? 0) + 1)
      isCellStart = true
    } else if (character === '"' && isCellStart) [isQuoted, isCellStart] = [true, false]
    else if (character !== ' ') isCellStart = false
  }
  return counts
}

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** UTF-16 is recognised by its mark, or by the zeros of two Latin letters at the beginning. */
export function encodingOf([first, second, third, fourth]: Uint8Array): TextEncoding {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first && second === 0 && third && fourth === 0) return 'utf-16le'
  return first === 0 && second && third === 0 && fourth ? 'utf-16be' : 'utf-8'
}

/** The bytes of a text file as UTF-8 without byte order mark; undefined if they are not text. */
export function decodeText(bytes: Uint8Array): Buffer | undefined {
  const encoding = encodingOf(bytes)
  if (encoding === 'utf-8') return isUtf8(bytes) ? withoutMark(bytes) : undefined
  try {
    return Buffer.from(new TextDecoder(encoding, { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/** The same memory. */
function withoutMark(bytes: Uint8Array): Buffer {
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  return Buffer.from(bytes.buffer, bytes.byteOffset + mark, bytes.byteLength - mark)
}

/** One line of CSV, with its line end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`
}

function quoted(cell: string): string {
  return /[",;\r\n\t]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

const formulaStart = /^[=+\-@\t\r]/
const plainNumber = /^[+-]?\d+(\.\d+)?$/

/**
 * Text as a spreadsheet may have it: an apostrophe before what would be run as a formula (OWASP, "CSV injection"). A plain number
 * is left alone, because it is what it looks like.
 */
export function guardCell(text: string): string {
  return (formulaStart.test(text) && !plainNumber.test(text)) || /^'+[=+\-@\t\r]/.test(text)
    ? `'${text}`
    : text
}

/** Removes the apostrophe of `guardCell`. */
export function unguardCell(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text
}

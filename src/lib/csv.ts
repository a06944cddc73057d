// CSV in and out: reads a piece of a file at a time, from any offset, so that a large file neither fills the memory nor has to be
// begun again; writes cells so that no spreadsheet runs them as a formula. Parsing is csv-parse's; what it can't read costs one line.
import { isUtf8 } from 'node:buffer'
import { parse } from 'csv-parse/sync'

export interface CsvRecord {
  cells: string[]
  /** The offset after it. */
  end: number
}

export interface CsvPiece {
  records: CsvRecord[]
  /** Offset to read on from: the length of the content when all is read. */
  end: number
  /** What is wrong with the record at the beginning, which is then skipped up to `end`; `records` is empty. */
  fault?: string
}

export interface CsvOptions {
  /** Records to read at most. */
  limit: number
  delimiter: string
  /** The content is a piece of a longer one, which continues after it. */
  hasMore?: boolean
}

/** A record beyond this many bytes is refused. */
export const maxRecordLength = 256 * 1024

/**
 * Reads the records that begin at `offset`, a line start outside quotes. `content` is UTF-8 without a byte order mark; where it is
 * a piece, it has to reach for more than `maxRecordLength` past `offset`.
 */
export function readCsv(content: Buffer, offset: number, options: CsvOptions): CsvPiece {
  const start = skipLineEnds(content, offset)
  const stop = Math.min(content.length, start + maxRecordLength)
  const isCut = stop < content.length || options.hasMore === true
  const { records, error } = parsePiece(content.subarray(start, stop), options)
  // The last record may continue after the cut.
  const isLastCut = isCut && records.at(-1)?.end === stop - start
  const whole = isLastCut ? records.slice(0, -1) : records
  if (whole.length > 0) {
    const placed = whole.map(({ cells, end }) => ({ cells, end: start + end }))
    return { records: placed, end: isCut || error || isFull(whole, options) ? placed.at(-1)!.end : stop }
  }
  if (!error && !isLastCut) return { records: [], end: stop }
  // Empty lines took the place of the record after them.
  if (options.hasMore && stop === content.length) return { records: [], end: start }
  return { records: [], end: nextLine(content, start), fault: describe(error, isCut) }
}

function isFull(records: readonly CsvRecord[], { limit }: CsvOptions): boolean {
  return records.length >= limit
}

function parsePiece(
  piece: Buffer,
  { limit, delimiter }: CsvOptions,
): { records: CsvRecord[]; error?: Error } {
  const records: CsvRecord[] = []
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

/** What separates the cells of a file with this first line: the most frequent of comma, semicolon and tab. */
export function delimiterOf(content: Buffer): string {
  const start = skipLineEnds(content, 0)
  const line = content.subarray(start, Math.min(nextLine(content, start), start + 65_536)).toString('latin1')
  const count = (delimiter: string): number => line.split(delimiter).length
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best))
}

/** The bytes of a text file as UTF-8 without byte order mark; undefined if they are not text. UTF-16 is recognised by its mark. */
export function decodeText(bytes: Uint8Array): Buffer | undefined {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  const isBigEndian = bytes[0] === 0xfe && bytes[1] === 0xff
  if (!isUtf16 && !isBigEndian) return isUtf8(bytes) ? withoutMark(bytes) : undefined
  try {
    const decoder = new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-16be', { fatal: true })
    return Buffer.from(decoder.decode(bytes))
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

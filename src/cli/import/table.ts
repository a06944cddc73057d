// Reads a CSV file of any size as rows with the number of the line at which each begins. A window of the file is in memory at a time;
// a row that can't be read costs its first line only.
import { createReadStream } from 'node:fs'
import { type CsvPiece, delimiterOf, readCsv } from '../../lib/csv'
import { SourceFault } from './record'

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
      delimiter ??= delimiterOf(window.bytes)
      const piece = readCsv(window.bytes, 0, { delimiter, limit: rowsAtATime })
      yield* rowsOf(window, piece)
      if (piece.end === 0) break
      window = after(window, piece.end)
    }
  }
}

function* rowsOf({ bytes, line }: Window, piece: CsvPiece): Generator<TableRow> {
  let at = 0
  let current = line
  const place = (): number => {
    const start = skipLineEnds(bytes, at)
    current += linesIn(bytes.subarray(at, start))
    at = start
    return current
  }
  if (piece.fault !== undefined) yield { line: place(), cells: [], fault: piece.fault }
  for (const { cells, end } of piece.records) {
    yield { line: place(), cells }
    current += linesIn(bytes.subarray(at, end))
    at = end
  }
}

function after({ bytes, line, isLast }: Window, end: number): Window {
  return { bytes: bytes.subarray(end), line: line + linesIn(bytes.subarray(0, end)), isLast }
}

function skipLineEnds(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === 10 || bytes[at] === 13) at++
  return at
}

function linesIn(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++
  return lines
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
  const mark = bytes.subarray(0, 2).toString('hex')
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding, { fatal: true })
}

// The stored file of an import, read a window at a time: read as a whole, a few at once would fill the memory.
import { type CsvOptions, type CsvPiece, maxRecordLength, readCsv } from '../../../lib/csv'
import type { Context } from '../../../platform/context'
import { selectImportBytes } from '../queries'

/** Twice what is read at once, so that most pieces come from the window that is there. */
const windowBytes = 2 * maxRecordLength

interface Window {
  bytes: Buffer
  /** Offset of its first byte in the file. */
  start: number
  hasMore: boolean
}

export interface ImportFile {
  readonly size: number
  /** The window at its beginning. */
  readonly head: Window
  /** The records that begin at `offset` of the file; offsets in the answer are of the file too. */
  read(offset: number, options: Omit<CsvOptions, 'hasMore'>): Promise<CsvPiece>
}

/** Undefined when the import has ended. */
export async function openImportFile(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<ImportFile | undefined> {
  const load = async (start: number): Promise<(Window & { size: number }) | undefined> => {
    const found = await selectImportBytes(ctx, projectId, id, start, windowBytes)
    return found && { ...found, start, hasMore: start + found.bytes.length < found.size }
  }
  const head = await load(0)
  if (!head) return undefined
  let window: Window = head
  const reaches = (offset: number): boolean => {
    const left = window.start + window.bytes.length - offset
    return offset >= window.start && (window.hasMore ? left > maxRecordLength : left >= 0)
  }
  return {
    size: head.size,
    head,
    async read(offset, options) {
      if (!reaches(offset)) window = (await load(offset)) ?? emptyAt(offset)
      const { bytes, start, hasMore } = window
      const piece = readCsv(bytes, offset - start, { ...options, hasMore })
      const records = piece.records.map(({ cells, end }) => ({ cells, end: start + end }))
      return { ...piece, records, end: start + piece.end }
    },
  }
}

/** An import that ended meanwhile has no file any more; the record, which is read next, says so. */
function emptyAt(start: number): Window {
  return { bytes: Buffer.alloc(0), start, hasMore: false }
}

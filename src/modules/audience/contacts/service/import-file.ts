// The stored file of an import: in parts, each compressed and committed by itself, and read a window at a time, because a few files as a
// whole would fill the memory.
import { type CsvOptions, type CsvPiece, maxRecordLength, readCsv } from '../../../../lib/csv'
import type { Context } from '../../../../platform/context'
import { largeWorkOf } from '../../../../platform/large-work'
import {
  importPartLength,
  insertImportPart,
  selectImportBytes,
  selectImportParts,
  selectImportSize,
} from '../queries'

/**
 * Stores a file, a part at a time, each in a transaction of its own; what a crash leaves behind is swept up later. Parts are large work
 * for the database: commits of others wait for each one in the log.
 */
export async function storeImportFile(
  ctx: Context,
  projectId: string,
  id: string,
  content: Buffer,
): Promise<void> {
  const { store } = largeWorkOf(ctx)
  for (let part = 0; part * importPartLength < content.length; part++) {
    const start = part * importPartLength
    // Off the event loop; higher levels take twice as long for files of a few per cent less.
    const packed = await Bun.zstdCompress(content.subarray(start, start + importPartLength), { level: 1 })
    await store(() => insertImportPart(ctx, projectId, id, part, packed, ctx.clock.now()))
  }
}

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
  const stored = await selectImportSize(ctx, projectId, id)
  if (!stored) return undefined
  const { size, whole } = stored
  const load = async (start: number): Promise<Window> => {
    const bytes =
      whole > 0
        ? await selectImportBytes(ctx, projectId, id, start, windowBytes)
        : await readParts(ctx, projectId, id, start)
    // An import that ended meanwhile has no file any more; the record, which is read next, says so.
    if (!bytes) return { bytes: Buffer.alloc(0), start, hasMore: false }
    return { bytes, start, hasMore: start + bytes.length < size }
  }
  const head = await load(0)
  let window = head
  const reaches = (offset: number): boolean => {
    const left = window.start + window.bytes.length - offset
    return offset >= window.start && (window.hasMore ? left > maxRecordLength : left >= 0)
  }
  return {
    size,
    head,
    async read(offset, options) {
      if (!reaches(offset)) window = await load(offset)
      const { bytes, start, hasMore } = window
      const piece = readCsv(bytes, offset - start, { ...options, hasMore })
      const records = piece.records.map(record => ({ ...record, end: start + record.end }))
      return { ...piece, records, end: start + piece.end }
    },
  }
}

/** At least a window from an offset on, where the file goes on for that long; undefined where the parts are gone. */
async function readParts(
  ctx: Context,
  projectId: string,
  id: string,
  offset: number,
): Promise<Buffer | undefined> {
  const first = Math.floor(offset / importPartLength)
  const last = Math.floor((offset + windowBytes - 1) / importPartLength)
  const parts = await selectImportParts(ctx, projectId, id, first, last)
  if (parts.length === 0) return undefined
  const bytes = Buffer.concat(await Promise.all(parts.map(part => Bun.zstdDecompress(part))))
  return bytes.subarray(offset - first * importPartLength)
}

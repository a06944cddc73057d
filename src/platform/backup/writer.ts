// Writes the frames of a backup in order, compressing some of them ahead on other threads: memory stays bounded by that number.
import { createHash } from 'node:crypto'
import {
  type BackupHeader,
  type BackupTrailer,
  type FrameKind,
  frameHead,
  magic,
  maxFrameLength,
} from './format'

/** Where the bytes go. */
export interface Sink {
  write(bytes: Uint8Array): Promise<void>
  /** Everything is written: makes it durable and gives it its name. */
  finish(): Promise<void>
  /** Leaves nothing behind. */
  abandon(): Promise<void>
}

export interface BackupWriter {
  /** A small frame with a value. */
  note(kind: FrameKind, value: unknown): Promise<void>
  /** A frame of rows or of a file's content. */
  data(bytes: Uint8Array): Promise<void>
  /** Writes the trailer; the sink is still to be finished. */
  end(trailer: Omit<BackupTrailer, 'sha256'>): Promise<void>
  /** Bytes written so far. */
  written(): number
}

interface Piece {
  kind: FrameKind
  contentLength: number
  stored: Uint8Array
}

/** Pieces that are compressed while earlier ones are written. */
const piecesAhead = 6
const compressionLevel = 3

export async function writeBackup(sink: Sink, header: BackupHeader): Promise<BackupWriter> {
  const digest = createHash('sha256')
  const queue: Array<Promise<Piece>> = []
  let written = 0

  async function put(bytes: Uint8Array): Promise<void> {
    digest.update(bytes)
    await sink.write(bytes)
    written += bytes.length
  }
  async function putOldest(): Promise<void> {
    const { kind, contentLength, stored } = await queue.shift()!
    await put(frameHead(kind, contentLength, stored.length))
    await put(stored)
  }
  async function add(piece: Promise<Piece>): Promise<void> {
    // Awaited later; a failure before that must not count as an unhandled rejection.
    piece.catch(() => {})
    queue.push(piece)
    if (queue.length > piecesAhead) await putOldest()
  }
  async function flush(): Promise<void> {
    while (queue.length > 0) await putOldest()
  }
  await put(Buffer.from(`${magic}${JSON.stringify(header)}\n`))
  return {
    written: () => written,
    note: (kind, value) => add(Promise.resolve(uncompressedPiece(kind, value))),
    data: bytes => add(compress(bytes)),
    async end(trailer) {
      await flush()
      const whole: BackupTrailer = { ...trailer, sha256: digest.copy().digest('hex') }
      const { contentLength, stored } = uncompressedPiece('trailer', whole)
      await put(frameHead('trailer', contentLength, stored.length))
      await put(stored)
    },
  }
}

function uncompressedPiece(kind: FrameKind, value: unknown): Piece {
  const stored = Buffer.from(JSON.stringify(value))
  return { kind, contentLength: stored.length, stored }
}

async function compress(bytes: Uint8Array): Promise<Piece> {
  if (bytes.length > maxFrameLength) throw new Error('a row is too large for a backup (1 GB)')
  return {
    kind: 'rows',
    contentLength: bytes.length,
    stored: await Bun.zstdCompress(bytes, { level: compressionLevel }),
  }
}

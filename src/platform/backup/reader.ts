// Reads a backup from a stream, piece by piece, and trusts nothing: lengths are bounded, and whatever does not add up is reported in a
// sentence. The trailer must be there and its digest must match, or the file was cut off or changed.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { type ZstdOptions, zstdDecompress } from 'node:zlib'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import {
  BackupFault,
  type BackupHeader,
  type BackupTrailer,
  backupHeader,
  backupTrailer,
  blockBytes,
  type FrameKind,
  frameHeadBytes,
  magic,
  maxHeaderLength,
  readFrameHead,
} from './format'

export interface Frame {
  kind: FrameKind
  /** Plain content; of `rows` it is decompressed. */
  content: Uint8Array
}

export interface BackupReader {
  header: BackupHeader
  /** Every frame but the trailer; throws at the end when the whole is not what was written. */
  frames(): AsyncGenerator<Frame>
  /** What the writer counted; known when `frames` has ended. */
  trailer(): BackupTrailer
  /** Bytes read so far. */
  read(): number
}

export async function readBackup(source: AsyncIterable<Uint8Array>): Promise<BackupReader> {
  const bytes = byteReader(source)
  const start = Buffer.from(await bytes.take(magic.length, 'this is not a backup of Waxwing')).toString()
  if (start !== magic) throw new BackupFault(notOurs(start))
  const header = parse(backupHeader, await bytes.line(maxHeaderLength), 'the header of the backup is damaged')
  let trailer: BackupTrailer | undefined
  return {
    header,
    read: bytes.read,
    trailer() {
      if (!trailer) throw new Error('the trailer comes last')
      return trailer
    },
    async *frames() {
      for (;;) {
        const sha256 = bytes.digest()
        const { kind, contentLength, storedLength } = readFrameHead(await bytes.take(frameHeadBytes, cutOff))
        const content = await bytes.take(storedLength, cutOff)
        if (kind !== 'rows' && contentLength !== storedLength)
          throw new BackupFault('the backup is damaged: a length is wrong')
        if (kind !== 'trailer') {
          yield { kind, content: kind === 'rows' ? await decompress(content, contentLength) : content }
          continue
        }
        trailer = parse(backupTrailer, content, 'the trailer of the backup is damaged')
        if (trailer.sha256 !== sha256())
          throw new BackupFault('the backup was changed or damaged after it was written: its digest differs')
        if (!(await bytes.atEnd())) throw new BackupFault('something follows the end of the backup')
        return
      }
    },
  }
}

const cutOff = 'the backup is cut off: its end is missing'

function notOurs(start: string): string {
  if (!start.startsWith('WAXWING BACKUP ')) return 'this is not a backup of Waxwing'
  return 'the backup was made by a newer version of Waxwing: restore it with that version'
}

/** What a part of the file says, if that has the form of the part; else a BackupFault with the sentence. */
export function parse<S extends TSchema>(schema: S, content: Uint8Array, fault: string): Static<S> {
  try {
    const said: unknown = JSON.parse(Buffer.from(content).toString())
    if (Value.Check(schema, said)) return said
  } catch {
    throw new BackupFault(fault)
  }
  throw new BackupFault(fault)
}

const unzstd = promisify<Uint8Array, ZstdOptions, Uint8Array>(zstdDecompress)

/** Unpacks no more than what the head of the frame says, and takes memory as it comes: a small file may pretend to be a large one. */
async function decompress(content: Uint8Array, length: number): Promise<Uint8Array> {
  const bounds = { maxOutputLength: Math.max(length, 1), chunkSize: 2 * blockBytes }
  const bytes = await unzstd(content, bounds).catch((error: { code?: unknown }) => {
    if (error.code === 'ERR_BUFFER_TOO_LARGE') return undefined
    throw new BackupFault('the backup is damaged: a piece of it cannot be decompressed')
  })
  if (bytes?.length !== length) throw new BackupFault('the backup is damaged: a piece has another length')
  return bytes
}

interface ByteReader {
  take(length: number, fault: string): Promise<Uint8Array>
  /** Up to the next line end, which is taken and left out. */
  line(longest: number): Promise<Uint8Array>
  atEnd(): Promise<boolean>
  read(): number
  /** Fixes this place; the result returns the digest of everything before it. */
  digest(): () => string
}

function byteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const iterator = source[Symbol.asyncIterator]()
  const hash = createHash('sha256')
  let buffered = Buffer.alloc(0)
  let read = 0

  /** False at the end of the source. */
  async function more(): Promise<boolean> {
    const { value, done } = await iterator.next()
    if (done) return false
    buffered = buffered.length === 0 ? Buffer.from(value) : Buffer.concat([buffered, value])
    return true
  }
  /** Pieces are put together once: a long frame comes in thousands of them. */
  async function fill(length: number, fault: string): Promise<void> {
    if (buffered.length >= length) return
    const parts = [buffered]
    let have = buffered.length
    while (have < length) {
      const { value, done } = await iterator.next()
      if (done) throw new BackupFault(fault)
      parts.push(Buffer.from(value))
      have += value.length
    }
    buffered = Buffer.concat(parts)
  }
  function cut(length: number): Uint8Array {
    const piece = buffered.subarray(0, length)
    buffered = buffered.subarray(length)
    hash.update(piece)
    read += length
    return piece
  }
  return {
    read: () => read,
    digest() {
      const here = hash.copy()
      return () => here.digest('hex')
    },
    async take(length, fault) {
      await fill(length, fault)
      return cut(length)
    },
    async line(longest) {
      let end = buffered.indexOf(10)
      while (end < 0) {
        if (buffered.length > longest || !(await more())) throw new BackupFault(cutOff)
        end = buffered.indexOf(10)
      }
      return cut(end + 1).subarray(0, end)
    },
    async atEnd() {
      while (buffered.length === 0) if (!(await more())) return true
      return false
    },
  }
}

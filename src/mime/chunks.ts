// Encodes texts that come in pieces, of which the long ones are the same from message to message: those are encoded once for each place
// in a line at which they may begin. The result is, byte for byte, what encoding the joined text gives.
import { countBeyondAscii, isBase64Shorter, quoteChunk } from './transfer'

interface Chunk {
  bytes: Uint8Array
  column: number
}

/** A piece as it is remembered: what follows its first line end does not depend on where it begins. */
interface Known {
  head: Uint8Array
  /** By the place where it begins; absent where it is not worth it. */
  heads?: (Chunk | undefined)[]
  tail: Chunk | undefined
  /** Bytes of the piece, and how many of them are beyond ASCII. */
  length: number
  beyond: number
  startsLineEnd: boolean
  endsBlank: boolean
}

/** An encoded body in stretches, so that what is the same in many messages is not copied more often than necessary. */
export interface EncodedChunks {
  encoding: 'quoted-printable'
  chunks: Uint8Array[]
}

export type PieceEncoder = (pieces: readonly string[]) => EncodedChunks | undefined

/** Shorter ones are encoded faster than they are found. */
const minKnownLength = 48
const maxKnown = 500
const maxKnownBytes = 8_000_000
/** What the engine needs besides the bytes of a small array. */
const overhead = 200

/** Returns undefined for what has to be encoded as a whole: Base64, odd line ends, characters cut in two, blanks before a line end. */
export function makePieceEncoder(): PieceEncoder {
  const known = new Map<string, Known>()
  let kept = 0
  /** The last short piece: what names the recipient is in every link of a message. */
  let [lastShort, lastRead]: [string, Known | undefined] = ['', undefined]
  /** Long ones that came once: they may be personal, and never come again. */
  const once = new Set<string>()

  const find = (piece: string): Known | undefined =>
    (piece.length < minKnownLength ? findShort : findLong)(piece)
  const findShort = (piece: string): Known | undefined => {
    if (piece === lastShort) {
      lastRead ??= read(piece)
      return lastRead
    }
    ;[lastShort, lastRead] = [piece, undefined]
    return readSimple(piece) ?? read(piece)
  }
  const findLong = (piece: string): Known | undefined => {
    const found = known.get(piece)
    if (found) return found
    if (!once.delete(piece)) {
      if (once.size >= maxKnown) once.clear()
      once.add(piece)
      const simple = readSimple(piece)
      if (simple) return simple
    }
    const made = read(piece)
    if (made) remember(piece, made)
    return made
  }
  /** Starts afresh when there is no room: what is the same from message to message comes again, personal pieces and old campaigns don't. */
  const remember = (piece: string, made: Known): void => {
    if (known.size >= maxKnown || kept >= maxKnownBytes) {
      known.clear()
      kept = 0
    }
    known.set(piece, made)
    kept += made.length + overhead
  }
  const headAt = (piece: Known, column: number): Chunk => {
    const found = piece.heads?.[column]
    if (found) return found
    const made = quoteChunk(piece.head, column)
    if (piece.heads && kept < maxKnownBytes) {
      piece.heads[column] = made
      kept += made.bytes.length + overhead
    }
    return made
  }

  return pieces => {
    const out: Uint8Array[] = []
    let column = 0
    let [length, beyond] = [0, 0]
    let isBlank = false
    const endsLine = pieces.findLast(piece => piece !== '')?.endsWith('\n')
    for (const text of endsLine ? pieces : [...pieces, '\n']) {
      if (text === '') continue
      const piece = find(text)
      if (!piece || (isBlank && piece.startsLineEnd)) return undefined
      for (const chunk of piece.tail ? [headAt(piece, column), piece.tail] : [headAt(piece, column)]) {
        out.push(chunk.bytes)
        column = chunk.column
      }
      length += piece.length
      beyond += piece.beyond
      isBlank = piece.endsBlank
    }
    if (isBase64Shorter(beyond, length)) return undefined
    return { encoding: 'quoted-printable', chunks: out }
  }
}

function read(piece: string): Known | undefined {
  if (piece.includes('\r') || !piece.isWellFormed()) return undefined
  const bytes = Buffer.from(piece.replaceAll('\n', '\r\n'), 'utf8')
  const lineEnd = bytes.indexOf('\r\n')
  const split = lineEnd === -1 ? bytes.length : lineEnd + 2
  const last = bytes[bytes.length - 1]
  return {
    head: bytes.subarray(0, split),
    heads: [],
    tail: split < bytes.length ? quoteChunk(bytes.subarray(split), 0) : undefined,
    length: bytes.length,
    beyond: countBeyondAscii(bytes),
    startsLineEnd: lineEnd === 0,
    endsBlank: last === 32 || last === 9,
  }
}

/** A stretch of ASCII within a line, as a value mostly is: encoded at once it costs a third. */
function readSimple(piece: string): Known | undefined {
  if (!/^[\t -~]*$/.test(piece)) return undefined
  return {
    head: Buffer.from(piece, 'latin1'),
    tail: undefined,
    length: piece.length,
    beyond: 0,
    startsLineEnd: false,
    endsBlank: /[\t ]$/.test(piece),
  }
}

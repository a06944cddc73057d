// Encodes texts that come in pieces, of which the long ones are the same from message to message: those are encoded once for each place
// in a line at which they may begin. The result is, byte for byte, what encoding the joined text gives.
import { countBeyondAscii, isBase64Shorter, quoteChunk, quotePlain } from './transfer'

interface Chunk {
  bytes: Uint8Array
  column: number
}

/** A piece as it is remembered: what follows its first line end does not depend on where it begins. */
interface Known {
  head: Uint8Array
  /** By the place where it begins. */
  heads: (Chunk | undefined)[]
  tail: Chunk | undefined
  /** Bytes of the piece, and how many of them are beyond ASCII. */
  length: number
  beyond: number
  startsLineEnd: boolean
  endsBlank: boolean
}

/** An encoded body in stretches, so that what is the same in many messages is not copied more often than necessary. Texts are ASCII. */
export interface EncodedChunks {
  encoding: 'quoted-printable'
  chunks: Array<Uint8Array | string>
}

export type PieceEncoder = (pieces: readonly string[]) => EncodedChunks | undefined

/** Plain ones that are shorter are encoded faster than they are found. */
const minKnownLength = 48
const maxKnown = 500
const maxKnownBytes = 8_000_000
/** What the engine needs besides the bytes of a small array. */
const overhead = 200

/** Returns undefined for what has to be encoded as a whole: Base64, odd line ends, characters cut in two, blanks before a line end. */
export function makePieceEncoder(): PieceEncoder {
  const known = new Map<string, Known>()
  let kept = 0
  /** Those that came once: they may be personal, and never come again. */
  const once = new Set<string>()

  /** Undefined for one that comes for the first time, or is quoted faster than it is found. */
  const find = (piece: string): Known | undefined => {
    if (piece.length < minKnownLength && isPlain(piece)) return undefined
    const found = known.get(piece)
    if (found) return found
    if (!once.delete(piece)) {
      if (once.size >= maxKnown) once.clear()
      once.add(piece)
      return undefined
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
    const found = piece.heads[column]
    if (found) return found
    const made = quoteChunk(piece.head, column)
    if (kept < maxKnownBytes) {
      piece.heads[column] = made
      kept += made.bytes.length + overhead
    }
    return made
  }

  return pieces => {
    const out: Array<Uint8Array | string> = []
    let column = 0
    let [length, beyond] = [0, 0]
    let isBlank = false
    /** False for what can't be encoded by itself. */
    const add = (text: string): boolean => {
      const found = find(text)
      if (!found && isPlain(text)) {
        const quoted = quotePlain(text, column)
        out.push(quoted.text)
        column = quoted.column
        length += text.length
        isBlank = endsBlank(text.charCodeAt(text.length - 1))
        return true
      }
      const piece = found ?? read(text)
      if (!piece || (isBlank && piece.startsLineEnd)) return false
      const head = headAt(piece, column)
      const last = piece.tail ?? head
      out.push(head.bytes)
      if (piece.tail) out.push(piece.tail.bytes)
      column = last.column
      length += piece.length
      beyond += piece.beyond
      isBlank = piece.endsBlank
      return true
    }
    const endsLine = pieces.findLast(piece => piece !== '')?.endsWith('\n')
    if (!pieces.every(text => text === '' || add(text)) || !(endsLine || add('\n'))) return undefined
    if (isBase64Shorter(beyond, length)) return undefined
    return { encoding: 'quoted-printable', chunks: out }
  }
}

function read(piece: string): Known | undefined {
  if (piece.includes('\r') || !piece.isWellFormed()) return undefined
  const bytes = Buffer.from(piece.replaceAll('\n', '\r\n'), 'utf8')
  const lineEnd = bytes.indexOf('\r\n')
  const split = lineEnd === -1 ? bytes.length : lineEnd + 2
  return {
    head: bytes.subarray(0, split),
    heads: [],
    tail: split < bytes.length ? quoteChunk(bytes.subarray(split), 0) : undefined,
    length: bytes.length,
    beyond: countBeyondAscii(bytes),
    startsLineEnd: lineEnd === 0,
    endsBlank: endsBlank(bytes[bytes.length - 1]!),
  }
}

/** A stretch of ASCII within a line, as a value mostly is: quoted as text it needs no bytes of its own. */
function isPlain(piece: string): boolean {
  return /^[\t -~]*$/.test(piece)
}

function endsBlank(code: number): boolean {
  return code === 32 || code === 9
}

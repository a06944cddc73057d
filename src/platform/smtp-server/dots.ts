// The bytes of a message as they arrive: the dots that escape a dot are removed, and the lone dot ends it. The library does the same one dot
// at a time, each in a turn of the event loop of its own, so that a message of dots would keep the process busy for a minute.
import type { SMTPStream } from 'smtp-server/lib/smtp-stream.js'
import type { CpuThrottle } from '../../lib/cpu-throttle'

const [dot, lf, cr] = [46, 10, 13]
const lfDot = Buffer.from([lf, dot])
/** Held back, because the next bytes may show what they are. */
const heldBytes = 4

const shortBytes = 64
/** A message up to this size is read at once; a longer one in pieces of so many bytes. */
const [fedAtOnce, pieceBytes] = [256 * 1024, 64 * 1024]
const none = Buffer.alloc(0)
/** What was held back and a piece, one behind the other: fresh memory for each piece would cost more than what is done with it. */
const joined = Buffer.allocUnsafeSlow(fedAtOnce + heldBytes)

type Done = (error?: Error | null) => void

/** Where the next dot at the beginning of a line is, from `from` on; behind the end if there is none. */
function lineDot(bytes: Buffer, from: number): number {
  // Dense ones are found sooner by looking than by a call.
  for (let at = from; at < Math.min(from + shortBytes, bytes.length); at++)
    if (bytes[at] === dot && bytes[at - 1] === lf) return at
  const found = bytes.indexOf(lfDot, Math.max(from - 1, from + shortBytes - 1))
  return found === -1 ? bytes.length : found + 1
}

/** In place of the library's `_feedDataStream`; the beginning of a message is left to that one. */
export function feedMessage(parser: SMTPStream, chunk: Buffer, throttle: CpuThrottle, done: Done): void {
  if (parser.dataBytes + chunk.length <= fedAtOnce) {
    feedPiece(parser, { piece: chunk, remaining: none }, done, done)
    return
  }
  const [piece, remaining] = [chunk.subarray(0, pieceBytes), chunk.subarray(pieceBytes)]
  const goOn: Done = error => {
    if (error || remaining.length === 0) done(error)
    else feedMessage(parser, remaining, throttle, done)
  }
  throttle(() => feedPiece(parser, { piece, remaining }, goOn, done)).catch(done)
}

/** `rest` has come as well. After the end of the message `done` is called, for it is given to the parser with what follows; otherwise `goOn`. */
function feedPiece(
  parser: SMTPStream,
  { piece, remaining }: { piece: Buffer; remaining: Buffer },
  goOn: Done,
  done: Done,
): void {
  const stream = parser._dataStream
  if (!stream) {
    done()
    return
  }
  const bytes = parser._lastBytes ? join(parser._lastBytes, piece) : piece
  parser._lastBytes = false
  const clear = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let from = 0
  const keep = (to: number): void => {
    // A call for each dot would take longer than the bytes between them.
    if (to - from > shortBytes) length += bytes.copy(clear, length, from, to)
    else for (; from < to; from++) clear[length++] = bytes[from]!
    from = to
  }
  for (let at = lineDot(bytes, 2); at < bytes.length - 2; at = lineDot(bytes, at + 1)) {
    if (bytes[at - 2] === cr && bytes[at + 1] === cr && bytes[at + 2] === lf) {
      keep(at)
      parser._countDataBytes(length)
      parser._endDataMode(clear.subarray(0, length), Buffer.concat([bytes.subarray(at + 3), remaining]), done)
      return
    }
    if (bytes[at + 1] !== dot) continue
    keep(at)
    from = at + 1
  }
  keep(Math.max(from, bytes.length - heldBytes))
  parser._lastBytes = Buffer.from(bytes.subarray(from))
  parser._countDataBytes(length)
  if (length === 0 || !stream.writable || stream.write(clear.subarray(0, length)) || stream.destroyed) {
    goOn()
    return
  }
  // A stream that was destroyed never drains, it only closes.
  const drained = (): void => {
    stream.off('drain', drained).off('close', drained)
    goOn()
  }
  stream.once('drain', drained).once('close', drained)
}

/** Valid until the next call. */
function join(held: Buffer, piece: Buffer): Buffer {
  joined.set(held)
  joined.set(piece, held.length)
  return joined.subarray(0, held.length + piece.length)
}

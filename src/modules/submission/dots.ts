// The bytes of a message as they arrive: the dots that escape a dot are removed, and the lone dot ends it. The library does the same one dot
// at a time, each in a turn of the event loop of its own, so that a message of dots would keep the process busy for a minute.
import type { SMTPStream } from 'smtp-server/lib/smtp-stream.js'

const dot = 46
const lineAndDot = '\n.'
const ending = Buffer.from('\r\n.\r\n')
/** Held back, because the next bytes may show what they are. */
const heldBytes = 4

/** In place of the library's `_feedDataStream`; the beginning of a message is left to that one. */
export function feedMessage(parser: SMTPStream, chunk: Buffer, done: (error?: Error | null) => void): void {
  const stream = parser._dataStream
  if (!stream) {
    done()
    return
  }
  const bytes = parser._lastBytes ? Buffer.concat([parser._lastBytes, chunk]) : chunk
  parser._lastBytes = false
  const kept: Buffer[] = []
  let from = 0
  for (let line = bytes.indexOf(lineAndDot); line !== -1; line = bytes.indexOf(lineAndDot, line + 1)) {
    const at = line + 1
    if (at < 2 || at >= bytes.length - 2) continue
    if (bytes.subarray(at - 2, at + 3).equals(ending)) {
      const last = Buffer.concat([...kept, bytes.subarray(from, at)])
      parser._countDataBytes(last.length)
      parser._endDataMode(last, bytes.subarray(at + 3), done)
      return
    }
    if (bytes[at + 1] !== dot) continue
    kept.push(bytes.subarray(from, at))
    from = at + 1
  }
  const end = Math.max(from, bytes.length - heldBytes)
  parser._lastBytes = bytes.subarray(end)
  const ready = bytes.subarray(from, end)
  const clear = kept.length === 0 ? ready : Buffer.concat([...kept, ready])
  parser._countDataBytes(clear.length)
  if (clear.length === 0 || !stream.writable || stream.write(clear) || stream.destroyed) {
    done()
    return
  }
  // A stream that was destroyed never drains, it only closes.
  const goOn = (): void => {
    stream.off('drain', goOn).off('close', goOn)
    done()
  }
  stream.once('drain', goOn).once('close', goOn)
}

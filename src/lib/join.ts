// Joins what came in pieces, a piece at a time: to copy 40 MB at once would hold up everybody else for 40 ms.
import type { CpuThrottle } from './cpu-throttle'

/** What is shorter waits for no other large work. */
const isShort = (length: number): boolean => length <= 512 * 1024
const pieceBytes = 128 * 1024

/** As `Buffer.concat`; what is long gets memory of its own. */
export async function joinPieces(pieces: readonly Uint8Array[], throttle: CpuThrottle): Promise<Buffer> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (isShort(length)) return Buffer.concat(pieces, length)
  const whole = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (const piece of pieces) {
    await copyPieces(piece, whole, at, throttle)
    at += piece.length
  }
  return whole
}

/** As `to.set(from, at)`. */
export async function copyPieces(
  from: Uint8Array,
  to: Uint8Array,
  at: number,
  throttle: CpuThrottle,
): Promise<void> {
  if (isShort(to.length)) to.set(from, at)
  else
    for (let done = 0; done < from.length; done += pieceBytes)
      await throttle(() => to.set(from.subarray(done, done + pieceBytes), at + done))
}

// Memory for what is made once, looked at and thrown away, such as the bytes of a message. It is used again for the next one: the
// system clears each page of fresh memory, and the collector counts it, which costs more than what is written into it.

/** As `Buffer.allocUnsafe`; what it returns is valid until the work that it was given to has ended. */
export type Allocate = (length: number) => Buffer

/** Enough for all copies of a newsletter of 30 kB. What does not fit is allocated as usual. */
const arenaSize = 128 * 1024
/** As many as there is work at once, usually; more would only be kept. */
const maxIdle = 24

const idle: Buffer[] = []

/**
 * Calls `work` with memory that is used again afterwards, so nothing of it may be kept. Where `isOver` says no, somebody may still be
 * reading, and the memory is left to the collector; it is too where `work` rejects.
 */
export async function inArena<T>(
  work: (allocate: Allocate) => Promise<T>,
  isOver: (result: T) => boolean,
): Promise<T> {
  const memory = idle.pop() ?? Buffer.allocUnsafeSlow(arenaSize)
  let used = 0
  const result = await work(length => {
    if (used + length > arenaSize) return Buffer.allocUnsafe(length)
    used += length
    return memory.subarray(used - length, used)
  })
  if (isOver(result) && idle.length < maxIdle) idle.push(memory)
  return result
}

/** As `Buffer.concat`, into memory of `allocate`. Texts are ASCII. */
export function joinBytes(parts: ReadonlyArray<Uint8Array | string>, allocate: Allocate): Buffer {
  const joined = allocate(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    if (typeof part === 'string') joined.write(part, at, 'latin1')
    else joined.set(part, at)
    at += part.length
  }
  return joined
}

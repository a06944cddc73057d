// Counts and checksums of rows as COPY writes them. The checksum of a table is the sum of its rows' hashes: two databases that hold
// the same rows agree on it whatever the order in which they keep them.
import type { TableSum } from './format'

const newLine = 10

export interface RowCounter {
  /** `block` holds whole rows, each with its line end. */
  add(block: Uint8Array): void
  sum(): TableSum
}

export function rowCounter(): RowCounter {
  let rows = 0
  let bytes = 0
  let total = 0n
  return {
    add(block) {
      let sum = 0n
      for (let start = 0; start < block.length; rows++) {
        const end = block.indexOf(newLine, start)
        sum += Bun.hash.xxHash64(block.subarray(start, end < 0 ? block.length : end))
        start = end < 0 ? block.length : end + 1
      }
      total = BigInt.asUintN(64, total + sum)
      bytes += block.length
    },
    sum: () => ({ rows, bytes, checksum: total.toString(16).padStart(16, '0') }),
  }
}

/** Cuts a stream of bytes into blocks of about `size` that end where a row ends. COPY escapes line ends inside values. */
export async function* wholeRows(
  stream: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  let gathered = 0
  for await (const part of stream) {
    parts.push(part)
    gathered += part.length
    if (gathered < size) continue
    const all = Buffer.concat(parts)
    const end = all.lastIndexOf(newLine) + 1
    parts = end < all.length ? [all.subarray(end)] : []
    gathered = all.length - end
    if (end > 0) yield all.subarray(0, end)
  }
  if (gathered > 0) yield Buffer.concat(parts)
}

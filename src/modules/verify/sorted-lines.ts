// A word list as it is in its file: sorted lines in bytes, found by binary search. A Set of the 151,000 disposable domains would take
// some 17 MB of the heap for a list of which a look-up reads eighteen lines. Pure.

const lineFeed = 0x0a

/** Whether `word` is a whole line of `lines`, which are sorted by their bytes. */
export function hasLine(lines: Uint8Array, word: string): boolean {
  const wanted = new TextEncoder().encode(word)
  let low = 0
  let high = lines.length
  while (low < high) {
    const start = startOfLine(lines, low, (low + high) >> 1)
    const end = endOfLine(lines, start)
    const order = Buffer.compare(lines.subarray(start, end), wanted)
    if (order === 0) return true
    if (order < 0) low = end + 1
    else high = start
  }
  return false
}

/** Where the line that contains the byte at `at` begins; no line begins before `low`. */
function startOfLine(lines: Uint8Array, low: number, at: number): number {
  let start = at
  while (start > low && lines[start - 1] !== lineFeed) start--
  return start
}

function endOfLine(lines: Uint8Array, from: number): number {
  const found = lines.indexOf(lineFeed, from)
  return found === -1 ? lines.length : found
}

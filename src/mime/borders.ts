// Lines of a message that begin like the borders of its parts. Each costs the parser some work, and megabytes of them would hold up
// everybody for seconds. Pure.

const maxBorders = 10_000

export function hasManyBorders(raw: Uint8Array): boolean {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  let count = 0
  for (let at = bytes.indexOf('\n--'); at !== -1 && count <= maxBorders; at = bytes.indexOf('\n--', at + 3))
    count++
  return count > maxBorders
}

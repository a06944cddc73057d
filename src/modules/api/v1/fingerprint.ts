// Whether two requests under one Idempotency-Key say the same: a short hash of their values, whatever the order of the members. Pure.

/** A longer text is hashed by itself, so that nothing large is written out. */
const longest = 1_000

export function fingerprintOf(value: unknown): string {
  return Bun.hash(JSON.stringify(plain(value))).toString(16)
}

function plain(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > longest ? [value.length, String(Bun.hash(value))] : value
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { object: entries.map(([key, each]) => [key, plain(each)]) }
}

// Chance that can be repeated: a test that draws has its seed in its name, and SEED gives it another one.

export const seed = Number(process.env['SEED'] ?? 1)

/** Whole numbers from 0 to below `limit`, the same for the same seed (mulberry32). */
export type SeededRandom = (limit: number) => number

export function makeRandom(from = seed): SeededRandom {
  let state = from
  return limit => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

export function shuffled<T>(list: readonly T[], random: SeededRandom): T[] {
  const result = [...list]
  for (let at = result.length - 1; at > 0; at--) {
    const to = random(at + 1)
    ;[result[at], result[to]] = [result[to]!, result[at]!]
  }
  return result
}

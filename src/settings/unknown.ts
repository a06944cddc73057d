// Variables that look like settings and are none: most likely misspelled, and without effect.

/** First words that other programs use as well: what begins so and is none of ours proves nothing. */
const sharedFamilies = new Set(['AWS_', 'GITHUB_', 'GOOGLE_', 'LOG_', 'S3_', 'STRIPE_'])

export interface Unknown {
  name: string
  /** The setting that was probably meant. */
  meant?: string
}

/** The variables of an environment that begin like a setting of ours, or are a slip away from one. */
export function unknownSettings(names: Iterable<string>, known: readonly string[]): Unknown[] {
  const settings = new Set(known)
  const families = familiesOf(known)
  return [...names]
    .filter(name => !settings.has(name) && name.length <= 64)
    .map(name => ({ name, meant: nearest(name, known) }))
    .filter(({ name, meant }) => meant !== undefined || families.some(family => name.startsWith(family)))
}

/** The first words of settings of which there are several. */
function familiesOf(known: readonly string[]): string[] {
  const firsts = known.filter(name => name.includes('_')).map(name => name.slice(0, name.indexOf('_') + 1))
  const families = new Set(firsts.filter((first, index) => firsts.indexOf(first) !== index))
  return [...families].filter(family => !sharedFamilies.has(family))
}

/** A setting that two letters changed, left out, added or swapped lead to; short names are too near to others. */
function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length < 6) return undefined
  return known.find(
    one => one.length >= 6 && Math.abs(one.length - name.length) <= 2 && distance(one, name) <= 2,
  )
}

/** Changes of one letter, and swaps of two neighbors, between two texts (Damerau and Levenshtein). */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i])
  for (let j = 1; j <= b.length; j++) rows[0]![j] = j
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, rows[i - 2]![j - 2]! + 1)
      rows[i]![j] = best
    }
  return rows[a.length]![b.length]!
}

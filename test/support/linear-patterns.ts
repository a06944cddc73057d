// Judges whether a regular expression takes linear time, and remembers which were judged so: a judgement takes up to seconds, and what is
// judged never changes. `bun test/support/linear-patterns.ts` adds what is new in src/ and drops what is gone.
import { join } from 'node:path'
import { check } from 'recheck'
import { devDependencies } from '../../package.json'
import { type Pattern, patternsOf } from './patterns'

export type PatternText = Pick<Pattern, 'source' | 'flags'>

const sources = join(import.meta.dir, '../../src')
const file = join(import.meta.dir, '../data/linear-patterns.txt')

/** What is wrong with a pattern; undefined for a linear one. By its automaton alone: guesses by trial differ from run to run. */
export async function faultOf({ source, flags }: PatternText): Promise<string | undefined> {
  if (source === undefined) return 'is built at run time: write it of literals and constants'
  const verdict = await check(source, flags, { checker: 'automaton', timeout: 600_000 })
  if (verdict.status === 'safe') return undefined
  if (verdict.status === 'unknown') return `can't be judged (${verdict.error.kind}): write it more simply`
  return `is ${verdict.complexity.summary}, for instance on ${verdict.attack.pattern}`
}

/** The name of a judgement: of this text, by this version of the judge. */
export function fingerprint({ source, flags }: PatternText): string {
  const text = JSON.stringify([devDependencies.recheck, source, flags])
  return new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 32)
}

/** Fingerprints of those that were found to be linear. */
export async function knownLinear(): Promise<Set<string>> {
  const known = Bun.file(file)
  return new Set((await known.exists()) ? (await known.text()).split('\n').filter(Boolean) : [])
}

/** One pattern of each text, by its fingerprint. */
export function byFingerprint(patterns: readonly Pattern[]): Map<string, Pattern> {
  return new Map(patterns.map(pattern => [fingerprint(pattern), pattern]))
}

export const programPatterns = (): Promise<Pattern[]> => patternsOf(sources)

if (import.meta.main) {
  const known = await knownLinear()
  const linear: string[] = []
  const patterns = byFingerprint(await programPatterns())
  for (const [name, pattern] of patterns) {
    const fault = known.has(name) ? undefined : await faultOf(pattern)
    if (fault) console.error(`${pattern.place}  /${pattern.source}/${pattern.flags}  ${fault}`)
    else linear.push(name)
  }
  await Bun.write(file, `${linear.sort().join('\n')}\n`)
  process.exit(linear.length === patterns.size ? 0 : 1)
}

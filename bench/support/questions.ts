// Asks a service its questions against a filled database, several times each, and prints how long the database worked on each answer and
// whether it read a large table from end to end.
import type { Context } from '../../src/platform/context'
import type { PlanReader, Statement } from './plans'
import { quietContext } from './server'

export type Question = [name: string, ask: (ctx: Context) => Promise<unknown>]

export interface Aim {
  /** Milliseconds in the database; even the worst round must stay below. */
  ms: number
  /** Tables that no answer may read from end to end. */
  large: readonly string[]
}

/** More than the five rounds after which PostgreSQL may switch to a generic plan for a prepared statement. */
const rounds = 9

/** Prints a line per question, and at the end how many miss the aim. `--plans` prints the plans of those. */
export async function askAll(
  reader: PlanReader,
  questions: (ctx: Context) => Promise<Question[]>,
  aim: Aim,
): Promise<void> {
  const ctx = quietContext(reader)
  const all = await questions(ctx)
  const width = Math.max(...all.map(([name]) => name.length))
  let missed = 0
  console.log(`  ${''.padEnd(width)}     best   median    worst in the database, as called, pages looked at`)
  for (const [name, ask] of all) {
    reader.take()
    const asked: Statement[][] = []
    const tookMs: number[] = []
    for (let round = 0; round < rounds; round++) {
      const begun = performance.now()
      await ask(ctx)
      tookMs.push(performance.now() - begun)
      asked.push(reader.take())
    }
    if (asked.some(each => each.length === 0)) throw new Error(`${name}: the database told no plan`)
    if (!report(name.padEnd(width), asked, tookMs, aim)) missed++
  }
  console.log(missed === 0 ? 'all within the aim' : `${missed} beyond the aim`)
}

/** The cost of an answer is the sum of its statements. */
function report(name: string, asked: Statement[][], tookMs: number[], { ms, large }: Aim): boolean {
  const sums = asked.map(all => all.reduce((sum, each) => sum + each.ms, 0)).sort((a, b) => a - b)
  const [best, median, worst] = [sums[0]!, sums[Math.floor(sums.length / 2)]!, sums.at(-1)!]
  const pages = Math.max(...asked.map(all => all.reduce((sum, each) => sum + each.pages, 0)))
  const scanned = new Set(asked.flat().flatMap(each => each.scanned.filter(table => large.includes(table))))
  const isGood = worst < ms && scanned.size === 0
  const took = [...tookMs].sort((a, b) => a - b)[Math.floor(tookMs.length / 2)]!
  console.log(
    `  ${name} ${best.toFixed(2).padStart(8)} ${median.toFixed(2).padStart(8)} ${worst.toFixed(2).padStart(8)} ms` +
      `${took.toFixed(1).padStart(8)} ms ${String(pages).padStart(7)} pages` +
      `  ${scanned.size > 0 ? `SCANS ${[...scanned].join(', ')}` : isGood ? 'good' : 'SLOW'}`,
  )
  if (!isGood && process.argv.includes('--plans')) console.log(JSON.stringify(asked.at(-1), null, 1))
  return isGood
}

// No regular expression of the program may need more than linear time, whatever text it meets: one that begins anew at each place
// holds everybody up for minutes over two megabytes. There are no exceptions for texts that are short today.
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { check } from 'recheck'
import { type Pattern, patternsOf } from '../support/patterns'

/** What is wrong with a pattern; undefined for a linear one. By its automaton alone: guesses by trial differ from run to run. */
async function faultOf({ source, flags }: Pick<Pattern, 'source' | 'flags'>): Promise<string | undefined> {
  if (source === undefined) return 'is built at run time: write it of literals and constants'
  const verdict = await check(source, flags, { checker: 'automaton', timeout: 60_000 })
  if (verdict.status === 'safe') return undefined
  if (verdict.status === 'unknown') return `can't be judged (${verdict.error.kind}): write it more simply`
  return `is ${verdict.complexity.summary}, for instance on ${verdict.attack.pattern}`
}

test('every regular expression of the program is linear', async () => {
  const patterns = await patternsOf(join(import.meta.dir, '../../src'))
  expect(patterns.length).toBeGreaterThan(200)
  const byText = Map.groupBy(patterns, ({ source, flags }) => `/${source}/${flags}`)
  const faults: string[] = []
  for (const [text, [first]] of byText) {
    const fault = await faultOf(first!)
    if (fault) faults.push(`${first!.place}  ${text}  ${fault}`)
  }
  expect(faults).toEqual([])
}, 240_000)

describe('the judge', () => {
  test.each([
    ['a search that begins anew', /\s+$/],
    ['lines that are read again from each of them', /name="?x"?\n(?:[\w-]+:[^\n]*\n)*\nyes/i],
    ['a choice at every letter', /^(?:a|a)+$/],
    ['what is opened and never closed', /\{\{[\s\S]*?\}\}/],
    ['what only a trial could tell', /(["']).*\1/],
  ])('refuses %s', async (_, { source, flags }) => {
    expect(await faultOf({ source, flags })).toBeString()
  })

  test('lets a plain one pass', async () => {
    expect(await faultOf({ source: '^[^:]+:', flags: '' })).toBeUndefined()
  })
})

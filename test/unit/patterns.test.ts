// No regular expression of the program may need more than linear time, whatever text it meets: one that begins anew at each place
// holds everybody up for minutes over two megabytes. There are no exceptions for texts that are short today.
import { describe, expect, test } from 'bun:test'
import { byFingerprint, faultOf, fingerprint, knownLinear, programPatterns } from '../support/linear-patterns'

/** Judging takes up to a minute, so what was judged is remembered; so many new ones are judged here. */
const maxNew = 20

test('every regular expression of the program is linear', async () => {
  const patterns = byFingerprint(await programPatterns())
  const known = await knownLinear()
  expect(patterns.size).toBeGreaterThan(200)
  const unknown = [...patterns].filter(([name]) => !known.has(name)).map(([, pattern]) => pattern)
  expect(unknown.length, 'bun test/support/linear-patterns.ts remembers new ones').toBeLessThan(maxNew)
  const faults: string[] = []
  for (const pattern of unknown) {
    const fault = await faultOf(pattern)
    if (fault) faults.push(`${pattern.place}  ${fault}`)
  }
  expect(faults).toEqual([])
}, 600_000)

describe('the judge', () => {
  const bad: Array<[name: string, pattern: RegExp]> = [
    ['a search that begins anew', /\s+$/],
    ['lines that are read again from each of them', /name="?x"?\n(?:[\w-]+:[^\n]*\n)*\nyes/i],
    ['a choice at every letter', /^(?:a|a)+$/],
    ['what is opened and never closed', /\{\{[\s\S]*?\}\}/],
    ['what only a trial could tell', /(["']).*\1/],
  ]

  test.each(bad)('refuses %s', async (_, { source, flags }) => {
    expect(await faultOf({ source, flags })).toBeString()
  })

  test('lets a plain one pass', async () => {
    expect(await faultOf({ source: '^[^:]+:', flags: '' })).toBeUndefined()
  })

  test('refuses one that is built at run time', async () => {
    expect(await faultOf({ source: undefined, flags: '' })).toStartWith('is built at run time')
  })

  test('has let none of the bad ones into what it remembers, and tells flags apart', async () => {
    const known = await knownLinear()
    expect(bad.filter(([, pattern]) => known.has(fingerprint(pattern)))).toEqual([])
    expect(fingerprint(/a/)).not.toBe(fingerprint(/a/i))
  })
})

// No regular expression of the program may need more than linear time, whatever text it meets: one that begins anew at each place
// holds everybody up for minutes over two megabytes. There are no exceptions for texts that are short today.
import { describe, expect, test } from 'bun:test'
import { faultOf, findFaults, fingerprint, knownLinear, programPatterns } from '../support/linear-patterns'

test('every regular expression of the program is linear', async () => {
  const patterns = await programPatterns()
  expect(patterns.length).toBeGreaterThan(200)
  const { faults } = await findFaults(patterns, await knownLinear())
  expect(faults).toEqual([])
}, 240_000)

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

  test('refuses a new one beside all that is known, and one that is built at run time', async () => {
    const added = [
      { place: 'new.ts:1', source: String.raw`\s+$`, flags: '' },
      { place: 'new.ts:2', source: undefined, flags: '' },
    ]
    const { faults } = await findFaults([...(await programPatterns()), ...added], await knownLinear())
    expect(faults.map(fault => fault.split(' ')[0])).toEqual(['new.ts:1', 'new.ts:2'])
  }, 240_000)

  test('has let none of the bad ones into what it remembers, and tells flags apart', async () => {
    const known = await knownLinear()
    expect(bad.filter(([, pattern]) => known.has(fingerprint(pattern)))).toEqual([])
    expect(fingerprint(/a/)).not.toBe(fingerprint(/a/i))
  })
})

// Which tracked events may be applied in one go.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { splitWaves } from '../../../src/modules/v1/waves'

const item = (email: string, subscribed?: boolean, projectId = 'p') => ({ projectId, email, subscribed })

describe('waves', () => {
  const [yes, no, open] = [item('a', true), item('a', false), item('a')]
  const rows: Array<[string, ReturnType<typeof item>[], number[]]> = [
    ['nothing', [], []],
    ['one', [yes], [1]],
    ['the same wish many times', [yes, yes, open, yes], [4]],
    ['no wish at all', [open, open], [2]],
    ['a wish and its opposite', [yes, no], [1, 1]],
    ['with something open between', [yes, open, no, open, no], [2, 3]],
    ['back and forth', [yes, no, yes, yes, no], [1, 1, 2, 1]],
    ['opposite wishes of two contacts', [yes, item('b', false)], [2]],
    ['opposite wishes in two projects', [yes, item('a', false, 'q')], [2]],
    ['another contact beside', [yes, no, item('b', true), yes], [2, 1, 1]],
  ]
  for (const [name, items, sizes] of rows)
    test(name, () => expect(splitWaves(items).map(wave => wave.length)).toEqual(sizes))

  test('hold every item once, in order for each contact, and none contradicts itself', () => {
    const one = fc.record({
      projectId: fc.constantFrom('p', 'q'),
      email: fc.constantFrom('a', 'b', 'c'),
      subscribed: fc.constantFrom(true, false, undefined),
    })
    fc.assert(
      fc.property(fc.array(one), items => {
        const waves = splitWaves(items)
        const key = (each: (typeof items)[number]) => `${each.projectId} ${each.email}`
        for (const who of new Set(items.map(key)))
          expect(waves.flat().filter(each => key(each) === who)).toEqual(
            items.filter(each => key(each) === who),
          )
        for (const wave of waves)
          for (const group of Map.groupBy(wave, key).values())
            expect(
              new Set(group.map(each => each.subscribed).filter(wish => wish !== undefined)).size,
            ).toBeLessThan(2)
        expect(waves.flat()).toHaveLength(items.length)
      }),
    )
  })
})

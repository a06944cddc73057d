// golden-liquid, a public suite of Liquid templates: what is printed differently than by liquidjs alone, and what is refused.
import { describe, expect, test } from 'bun:test'
import { checkSyntax } from '../../../src/liquid/syntax'
import golden from '../../data/golden-liquid.json' with { type: 'json' }
import { besideLiquidjs } from '../../support/beside-liquidjs'

interface Case {
  name: string
  template: string
  data?: Record<string, unknown>
  result?: string
  results?: string[]
  invalid?: boolean
}

const cases = golden.cases as Case[]

describe('golden-liquid', () => {
  test('every difference from liquidjs has a reason', () => {
    const counts: Record<string, number> = {}
    const unexplained: string[] = []
    for (const { name, template, data, invalid } of cases) {
      if (invalid) continue
      const { why } = besideLiquidjs(template, data ?? {})
      if (why === undefined) unexplained.push(name)
      else counts[why] = (counts[why] ?? 0) + 1
    }
    expect(unexplained).toEqual([])
    expect(counts).toEqual({
      same: 860,
      '0 and the empty text are false': 9,
      'break in a table': 2,
      escaped: 3,
      'left over or missing in a tag': 3,
      lists: 4,
      'names with spaces': 1,
      'unknown filter': 7,
      'values that a filter can’t take': 2,
      'wrong arguments of a filter': 3,
    })
  })

  test('most templates print what the suite says', () => {
    const valid = cases.filter(({ invalid }) => !invalid)
    const right = valid.filter(({ template, data, result, results }) =>
      (results ?? [result]).includes(besideLiquidjs(template, data ?? {}).printed),
    )
    expect([right.length, valid.length]).toEqual([743, 894])
  })

  test('of its invalid templates, those that depend on values or are useful elsewhere are saved', () => {
    const invalid = cases.filter(({ invalid }) => invalid)
    const saved = invalid.filter(({ template }) => !checkSyntax(template, 'body')).map(({ name }) => name)
    expect([saved.length, invalid.length]).toEqual([45, 126])
  })
})

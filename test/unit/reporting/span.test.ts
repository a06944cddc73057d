// Spans of days, rates and trends.
import { describe, expect, test } from 'bun:test'
import {
  clampSpan,
  daysOf,
  percentOf,
  precedingSpan,
  readSpan,
  toOneDecimal,
  trendOf,
} from '../../../src/modules/oversight/reporting/span'

const now = new Date('2026-03-01T12:00:00.000Z')

describe('spans', () => {
  test.each([
    [{}, '2026-01-31', '2026-03-01'],
    [{ startDate: '2026-02-27T23:59:59-05:00' }, '2026-02-28', '2026-03-01'],
    [{ endDate: '2026-01-15' }, '2026-01-31', '2026-01-15'],
    [{ startDate: '2026-02-01', endDate: '2026-02-03T10:00:00Z' }, '2026-02-01', '2026-02-03'],
    [{ startDate: '-000001-01-01', endDate: '+012026-01-01' }, '0001-01-01', '9999-12-31'],
  ])('%p', (request, first, last) => {
    expect(readSpan(request, now)).toEqual({ first, last })
  })

  test.each([
    ['2020-01-01', '2999-01-01', '2025-12-01', '2026-03-01'],
    ['2026-02-01', '2026-02-03', '2026-02-01', '2026-02-03'],
  ])('%s to %s within the last ninety days', (first, last, from, to) => {
    expect(clampSpan({ first, last }, now, 90)).toEqual({ first: from, last: to })
  })

  test('the days of a span, over the end of a month and of summer time', () => {
    expect(daysOf({ first: '2026-02-27', last: '2026-03-01' })).toEqual([
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
    ])
    expect(daysOf({ first: '2026-03-01', last: '2026-10-31' })).toHaveLength(245)
    expect(daysOf({ first: '2026-03-02', last: '2026-03-01' })).toEqual([])
  })

  test.each([
    ['2026-03-01', '2026-03-01', { first: '2026-02-28', last: '2026-02-28' }],
    ['2026-02-15', '2026-03-01', { first: '2026-01-31', last: '2026-02-14' }],
    ['2026-03-02', '2026-03-01', undefined],
    ['0001-01-01', '9999-12-31', undefined],
  ])('before %s to %s', (first, last, before) => {
    expect(precedingSpan({ first, last })).toEqual(before)
  })
})

test('percent of nothing is nothing', () => {
  expect([percentOf(0, 0), percentOf(1, 4), toOneDecimal(percentOf(1, 3))]).toEqual([0, 25, 33.3])
})

test.each([
  [3, 0, 100],
  [3, 2, 50],
  [1, 4, -75],
  [4, 4, 0],
  [2, 3, -33],
])('%i after %i is a trend of %i', (count, before, trend) => {
  expect(trendOf(count, before)).toBe(trend)
})

// Which days the dates of a statistic stand for.
import { describe, expect, test } from 'bun:test'
import { AppError } from '../../../src/lib/errors'
import { readDays } from '../../../src/modules/audience/events/model'

describe('a date stands for its day in UTC', () => {
  const rows: Array<[string, string | null]> = [
    ['2026-03-01', '2026-03-01'],
    ['2026-03-01T00:00:00Z', '2026-03-01'],
    ['2026-03-01T23:59:59.999Z', '2026-03-01'],
    ['2026-03-01T00:30:00+01:00', '2026-02-28'],
    ['2026-02-28T23:30:00-01:00', '2026-03-01'],
    ['2024-02-29', '2024-02-29'],
    ['', null],
    ['+012026-01-01T00:00:00Z', '9999-12-31'],
    ['-000044-03-15T00:00:00Z', '0001-01-01'],
  ]
  for (const [text, expected] of rows)
    test(`${JSON.stringify(text)} is ${expected}`, () => {
      expect(readDays({ startDate: text, endDate: text })).toEqual({ first: expected, last: expected })
    })
})

test('without dates there are no bounds', () => {
  expect(readDays({})).toEqual({ first: null, last: null })
})

for (const text of ['yesterday', '2026-13-01', '2026-02-99', 'null', '{}'])
  test(`${text} is refused by name`, () => {
    expect(() => readDays({ startDate: text })).toThrow(AppError)
    expect(() => readDays({ endDate: text })).toThrow('endDate')
  })

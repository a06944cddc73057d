// Months as ranges of ids: where one ends the next begins, and every id of a month is between its bounds.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { firstIdAt } from '../../../src/lib/ids'
import { startOfMonth } from '../../../src/lib/time'
import {
  addMonths,
  boundsOf,
  firstBoundary,
  momentOf,
  monthName,
  monthsUntil,
} from '../../../src/platform/db/partition/months'
import { asName, wholeName } from '../../../src/platform/db/partition/tables'

test.each([
  ['2026-03-01T00:00:00.000Z', '2026_04'],
  ['2026-03-30T23:59:59.999Z', '2026_04'],
  // A day is left, for the run to end and for clocks that differ.
  ['2026-03-31T00:00:00.000Z', '2026_05'],
  ['2026-12-31T12:00:00.000Z', '2027_02'],
])('a table that is split at %s ends at %s', (now, boundary) => {
  expect(monthName(firstBoundary(new Date(now)))).toBe(boundary)
})

test('months follow each other without a gap, over the end of a year and through February', () => {
  const months = monthsUntil(new Date('2027-11-01T00:00:00Z'), new Date('2028-04-01T00:00:00Z'))
  expect(months.map(({ from }) => monthName(from))).toEqual([
    '2027_11',
    '2027_12',
    '2028_01',
    '2028_02',
    '2028_03',
  ])
  expect(months.slice(1).map(({ from }) => from)).toEqual(months.slice(0, -1).map(({ to }) => to))
  expect(monthsUntil(new Date('2028-04-01T00:00:00Z'), new Date('2028-04-01T00:00:00Z'))).toEqual([])
})

test('an id is between the bounds of the month that it was made in, and says when that was', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1970-01-02'), max: new Date('9000-01-01'), noInvalidDate: true }),
      at => {
        const id = Bun.randomUUIDv7('hex', at)
        const month = startOfMonth(at)
        expect(firstIdAt(month) <= id && id < firstIdAt(addMonths(month, 1))).toBe(true)
        expect(startOfMonth(momentOf(id))).toEqual(month)
      },
    ),
  )
})

test('the first and the last partition are open', () => {
  const at = new Date('2026-04-01T00:00:00Z')
  expect(boundsOf(undefined, at)).toBe(`for values from (minvalue) to ('${firstIdAt(at)}')`)
  expect(boundsOf(at, undefined)).toBe(`for values from ('${firstIdAt(at)}') to (maxvalue)`)
})

test.each([
  ['emails_campaign_2026_04', 'emails_campaign'],
  ['emails_provider_id_first', 'emails_provider_id'],
  ['emails_provider_id_rest', 'emails_provider_id'],
  ['emails_campaign', 'emails_campaign'],
  ['contacts_project_email', 'contacts_project_email'],
])('%s stands for %s', (name, whole) => {
  expect(wholeName(name)).toBe(whole)
})

test('a name is written as SQL takes it', () => {
  expect(asName('a"b')).toBe('"a""b"')
})

// Local times around the hours that clocks skip and repeat, and the open hours of a week.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  dateIn,
  inBoth,
  isTimeZone,
  minutesOf,
  minutesOpen,
  momentIn,
  nextOpen,
  stretchesIn,
  weekOf,
  weekWithout,
} from '../../../src/lib/local-time'

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())
const at = (text: string) => Date.parse(text)
const on = (date: string) => Temporal.PlainDate.from(date)

test.each([
  ['Europe/Berlin', true],
  ['europe/berlin', true],
  ['US/Pacific', true],
  ['UTC', true],
  ['Etc/GMT+5', true],
  ['+02:00', false],
  ['Mars/Olympus', false],
  ['', false],
  ['Europe/Berlin[u-ca=hebrew]', false],
])('%s is a time zone: %p', (name, is) => expect(isTimeZone(name)).toBe(is))

describe('a local time is at', () => {
  test.each([
    ['an ordinary day', 'Europe/Berlin', '2026-03-28', '02:30', '2026-03-28T01:30:00.000Z'],
    [
      'a time that is skipped: when it is skipped',
      'Europe/Berlin',
      '2026-03-29',
      '02:30',
      '2026-03-29T01:00:00.000Z',
    ],
    ['the end of the gap is there', 'Europe/Berlin', '2026-03-29', '03:00', '2026-03-29T01:00:00.000Z'],
    [
      'a time that is repeated: the first',
      'Europe/Berlin',
      '2026-10-25',
      '02:30',
      '2026-10-25T00:30:00.000Z',
    ],
    ['the end of the day', 'Europe/Berlin', '2026-10-25', '24:00', '2026-10-25T23:00:00.000Z'],
    ['a midnight that is skipped', 'Africa/Cairo', '2026-04-24', '00:00', '2026-04-23T22:00:00.000Z'],
    ['half an hour of summer time', 'Australia/Lord_Howe', '2026-10-04', '02:15', '2026-10-03T15:30:00.000Z'],
    ['a quarter of an hour', 'Asia/Kathmandu', '2026-01-01', '09:00', '2026-01-01T03:15:00.000Z'],
    ['a day that was left out', 'Pacific/Apia', '2011-12-30', '09:00', '2011-12-30T10:00:00.000Z'],
  ])('%s', (_, zone, date, time, expected) => {
    expect(iso(momentIn(zone, on(date), minutesOf(time)))).toBe(expected)
  })

  test('a repeated one, the second time', () => {
    expect(iso(momentIn('Europe/Berlin', on('2026-10-25'), minutesOf('02:30'), 'second'))).toBe(
      '2026-10-25T01:30:00.000Z',
    )
  })
})

describe('the next open moment', () => {
  const office = weekOf({ from: '09:00', to: '17:00' }, [1, 2, 3, 4, 5])
  const awake = weekWithout({ from: '21:00', to: '08:00' })
  test.each([
    ['now, where it is open', office, 'UTC', '2026-11-23T09:00:00Z', '2026-11-23T09:00:00.000Z'],
    ['later today', office, 'UTC', '2026-11-23T08:59:59Z', '2026-11-23T09:00:00.000Z'],
    ['tomorrow, from the end on', office, 'UTC', '2026-11-23T17:00:00Z', '2026-11-24T09:00:00.000Z'],
    ['on Monday', office, 'UTC', '2026-11-27T17:00:00Z', '2026-11-30T09:00:00.000Z'],
    ['Monday over there', office, 'Pacific/Auckland', '2026-11-22T18:00:00Z', '2026-11-22T20:00:00.000Z'],
    ['after the night', awake, 'Europe/Berlin', '2026-11-23T21:00:00Z', '2026-11-24T07:00:00.000Z'],
    [
      'in the night before midnight',
      awake,
      'Europe/Berlin',
      '2026-11-23T20:00:00Z',
      '2026-11-24T07:00:00.000Z',
    ],
    ['the evening is open', awake, 'Europe/Berlin', '2026-11-23T19:59:00Z', '2026-11-23T19:59:00.000Z'],
    [
      'both',
      inBoth(office, weekWithout({ from: '18:00', to: '10:00' })),
      'UTC',
      '2026-11-23T09:30:00Z',
      '2026-11-23T10:00:00.000Z',
    ],
    [
      'never',
      inBoth(office, weekWithout({ from: '08:00', to: '20:00' })),
      'UTC',
      '2026-11-23T09:30:00Z',
      undefined,
    ],
    [
      'a night that begins on Friday',
      weekOf({ from: '22:00', to: '02:00' }, [5]),
      'UTC',
      '2026-11-28T01:59:00Z',
      '2026-11-28T01:59:00.000Z',
    ],
    [
      'and on no other day',
      weekOf({ from: '22:00', to: '02:00' }, [5]),
      'UTC',
      '2026-11-28T02:00:00Z',
      '2026-12-04T22:00:00.000Z',
    ],
    // The clocks go from three back to two; half past two comes twice.
    [
      'the opening that comes twice',
      weekOf({ from: '02:30', to: '05:00' }),
      'Europe/Berlin',
      '2026-10-25T00:30:00Z',
      '2026-10-25T01:30:00.000Z',
    ],
    [
      'the closing that comes twice',
      weekOf({ from: '01:00', to: '02:30' }),
      'Europe/Berlin',
      '2026-10-25T00:30:00Z',
      '2026-10-26T00:00:00.000Z',
    ],
    [
      'both come twice',
      weekOf({ from: '02:15', to: '02:45' }),
      'Europe/Berlin',
      '2026-10-25T00:20:00Z',
      '2026-10-25T01:15:00.000Z',
    ],
    [
      'hours that are skipped',
      weekOf({ from: '02:00', to: '03:00' }),
      'Europe/Berlin',
      '2026-03-28T23:00:00Z',
      '2026-03-30T00:00:00.000Z',
    ],
  ])('%s', (_, week, zone, now, expected) => expect(iso(nextOpen(week, zone, at(now)))).toBe(expected))
})

const time = fc
  .integer({ min: 0, max: 24 * 60 - 1 })
  .map(n => `${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`)
const hours = fc.record({ from: time, to: time }).filter(({ from, to }) => from !== to)
const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'America/Havana',
  'Asia/Kolkata',
  'UTC',
]

test('whatever is in a stretch is within the hours by the clocks there, and stretches follow one another', () => {
  fc.assert(
    fc.property(
      hours,
      fc.constantFrom(...zones),
      fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2026-12-31T00:00:00Z') }),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      (given, zone, now, share) => {
        const [from, to] = [minutesOf(given.from), minutesOf(given.to)]
        let last = now
        for (const stretch of stretchesIn(weekOf(given), zone, now, 4)) {
          expect(stretch.from).toBeGreaterThanOrEqual(last)
          last = stretch.to
          const probe = stretch.from + Math.floor((stretch.to - stretch.from) * share)
          const there = Temporal.Instant.fromEpochMilliseconds(probe).toZonedDateTimeISO(zone)
          const minutes = there.hour * 60 + there.minute
          const isWithin = from < to ? from <= minutes && minutes < to : minutes >= from || minutes < to
          expect([isWithin, given, zone, there.toString()]).toEqual([true, given, zone, there.toString()])
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('hours and what is left without them make the week', () => {
  fc.assert(
    fc.property(hours, given => {
      expect(minutesOpen(weekOf(given)) + minutesOpen(weekWithout(given))).toBe(7 * 24 * 60)
      expect(minutesOpen(inBoth(weekOf(given), weekWithout(given)))).toBe(0)
    }),
    { numRuns: 100 },
  )
})

test('the date of a moment is that of the place', () => {
  expect(String(dateIn('Pacific/Auckland', at('2026-11-23T12:00:00Z')))).toBe('2026-11-24')
})

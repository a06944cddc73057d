// The plan of a campaign's moments, zone by zone.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { inBoth, weekWithout } from '../../../src/lib/local-time'
import { hour } from '../../../src/lib/time'
import {
  hoursOf,
  type PlanFacts,
  planOfZone,
  planZones,
  type Timing,
  timingFault,
  windowWeek,
} from '../../../src/modules/features/campaigns/authoring/timing'

const timing = (changes: Partial<Timing> = {}): Timing => ({
  ...{ localTime: null, passed: 'NEXT_DAY', window: null, spreadHours: null },
  ...changes,
})
const office = { from: '09:00', to: '17:00', weekdays: [1, 2, 3, 4, 5] }
// A Monday.
const start = Date.parse('2026-11-23T12:00:00Z')
const facts = (changes: Partial<Timing>, more: Partial<PlanFacts> = {}): PlanFacts => {
  const given = timing(changes)
  return {
    timing: given,
    week: given.window ? windowWeek(given.window) : undefined,
    start,
    projectZone: 'UTC',
    ...more,
  }
}
const seen = (plan: ReturnType<typeof planOfZone>) =>
  plan.map(({ offset, until, at }) => [offset / hour, until / hour, new Date(at).toISOString()])
const first = (plan: ReturnType<typeof planOfZone>) => new Date(plan[0]!.at).toISOString()

type Case = [
  name: string,
  timing: Partial<Timing>,
  zone: string,
  expected: string,
  start?: string,
  projectZone?: string,
]

describe('a local time', () => {
  const cases: Case[] = [
    ['later that day', { localTime: '15:00' }, 'Europe/Berlin', '2026-11-23T14:00:00.000Z'],
    ['at this very moment', { localTime: '13:00' }, 'Europe/Berlin', '2026-11-23T12:00:00.000Z'],
    ['has passed: the next day', { localTime: '09:00' }, 'Europe/Berlin', '2026-11-24T08:00:00.000Z'],
    [
      'has passed: at once',
      { localTime: '09:00', passed: 'NOW' },
      'Europe/Berlin',
      '2026-11-23T12:00:00.000Z',
    ],
    [
      'is still to come in the west',
      { localTime: '09:00', passed: 'NOW' },
      'America/Los_Angeles',
      '2026-11-23T17:00:00.000Z',
    ],
    [
      'has passed on a Friday',
      { localTime: '09:00', window: office },
      'UTC',
      '2026-11-30T09:00:00.000Z',
      '2026-11-27T12:00:00Z',
    ],
    [
      'of the day in the project’s zone',
      { localTime: '20:00' },
      'Asia/Tokyo',
      '2026-11-23T11:00:00.000Z',
      '2026-11-22T23:30:00Z',
      'Europe/Berlin',
    ],
    [
      'that is skipped',
      { localTime: '02:30' },
      'Europe/Berlin',
      '2026-03-29T01:00:00.000Z',
      '2026-03-29T00:00:00Z',
    ],
    [
      'that comes twice',
      { localTime: '02:30' },
      'Europe/Berlin',
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T00:00:00Z',
    ],
    [
      'that comes twice, and once already',
      { localTime: '02:30' },
      'Europe/Berlin',
      '2026-10-26T01:30:00.000Z',
      '2026-10-25T00:45:00Z',
    ],
  ]
  for (const [name, changes, zone, expected, from = '2026-11-23T12:00:00Z', projectZone = 'UTC'] of cases)
    test(name, () => {
      const plan = planOfZone(facts(changes, { start: Date.parse(from), projectZone }), zone)
      expect([plan.length, first(plan)]).toEqual([1, expected])
    })
})

describe('hours', () => {
  test('without a local time, as soon as they are open', () => {
    expect(first(planOfZone(facts({ window: office }), 'Europe/Berlin'))).toBe('2026-11-23T12:00:00.000Z')
    expect(first(planOfZone(facts({ window: office }), 'Asia/Tokyo'))).toBe('2026-11-24T00:00:00.000Z')
  })

  test('a span goes on when they open again', () => {
    expect(seen(planOfZone(facts({ window: office, spreadHours: 15 }), 'Europe/Berlin'))).toEqual([
      [0, 4, '2026-11-23T12:00:00.000Z'],
      [4, 12, '2026-11-24T08:00:00.000Z'],
      [12, 15, '2026-11-25T08:00:00.000Z'],
    ])
  })

  test('that are never open leave it to the moment of sending', () => {
    const week = inBoth(windowWeek(office), weekWithout({ from: '08:00', to: '18:00' }))
    expect(seen(planOfZone(facts({ window: office, spreadHours: 2 }, { week }), 'UTC'))).toEqual([
      [0, 2, '2026-11-23T12:00:00.000Z'],
    ])
  })
})

test.each([
  [{ window: { ...office, to: '09:00' } }, 'window'],
  [{ window: { from: '00:00', to: '24:00', weekdays: [1] } }, undefined],
  [{ window: { from: '24:00', to: '00:00', weekdays: [1] } }, 'window'],
  [{ localTime: '24:00' }, 'localTime'],
  [{ localTime: '18:00', window: office }, 'localTime'],
  [{ localTime: '01:00', window: { ...office, from: '22:00', to: '02:00' } }, undefined],
  [{ spreadHours: 168, window: { from: '09:00', to: '10:00', weekdays: [1] } }, 'spreadHours'],
  [{ spreadHours: 168, window: office }, undefined],
])('%j is faulty in %p', (changes, field) => {
  expect(timingFault(timing(changes as Partial<Timing>))?.[0]).toBe(field as never)
})

test('zones with the same clock share a plan, whatever the spelling', () => {
  const { byZone, plans, other } = planZones(facts({ localTime: '09:00' }), [
    'Europe/Berlin',
    'Europe/Paris',
    'Asia/Tokyo',
    'UTC',
  ])
  expect(byZone['europe/berlin']).toBe(byZone['europe/paris']!)
  expect(plans).toHaveLength(3)
  expect(other).toBe(byZone['utc']!)
})

test('the hours of a plan have all of its recipients, and none before its beginning', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000 }),
      fc.option(fc.integer({ min: 1, max: 168 }), { nil: null }),
      fc.boolean(),
      fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/Havana'),
      (count, spreadHours, hasWindow, zone) => {
        const plan = planOfZone(facts({ spreadHours, window: hasWindow ? office : null }), zone)
        const hours = [...hoursOf(plan, count)]
        expect(hours.reduce((sum, [, each]) => sum + each, 0)).toBe(count)
        for (const [at] of hours) expect(at).toBeGreaterThan(plan[0]!.at - hour)
        expect(plan[0]!.offset).toBe(0)
        for (const [n, part] of plan.entries()) if (n > 0) expect(part.offset).toBe(plan[n - 1]!.until)
      },
    ),
    { numRuns: 100 },
  )
})

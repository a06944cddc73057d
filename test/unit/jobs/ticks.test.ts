// When schedules are due, as tables.

import { describe, expect, test } from 'bun:test'
import { domainKinds } from '../../../src/modules/sending/domains/kinds'
import { schedule } from '../../../src/platform/jobs/schedule'
import { dueTicks, latestTick, nextTick, type Rhythm } from '../../../src/platform/jobs/ticks'

const date = (text: string): Date => new Date(text)

describe('the ticks around a moment', () => {
  const berlin = { cron: '0 3 * * *', timezone: 'Europe/Berlin' }
  const cases: Array<[string, Rhythm, string, string, string]> = [
    [
      'an interval is aligned to the clock',
      { everyMs: 300_000 },
      '2026-03-01T12:07:30.500Z',
      '2026-03-01T12:05:00.000Z',
      '2026-03-01T12:10:00.000Z',
    ],
    [
      'a tick belongs to its own moment',
      { everyMs: 300_000 },
      '2026-03-01T12:05:00.000Z',
      '2026-03-01T12:05:00.000Z',
      '2026-03-01T12:10:00.000Z',
    ],
    [
      'a pattern is UTC unless said otherwise',
      { cron: '0 3 * * *' },
      '2026-03-01T12:00:00.000Z',
      '2026-03-01T03:00:00.000Z',
      '2026-03-02T03:00:00.000Z',
    ],
    [
      'a pattern at its own moment',
      { cron: '0 3 * * *' },
      '2026-03-01T03:00:00.000Z',
      '2026-03-01T03:00:00.000Z',
      '2026-03-02T03:00:00.000Z',
    ],
    [
      'a pattern a moment before',
      { cron: '0 3 * * *' },
      '2026-03-01T02:59:59.999Z',
      '2026-02-28T03:00:00.000Z',
      '2026-03-01T03:00:00.000Z',
    ],
    [
      'a time zone in winter',
      berlin,
      '2026-03-01T12:00:00.000Z',
      '2026-03-01T02:00:00.000Z',
      '2026-03-02T02:00:00.000Z',
    ],
    [
      'a time zone over the change to summer',
      berlin,
      '2026-03-29T00:30:00.000Z',
      '2026-03-28T02:00:00.000Z',
      '2026-03-29T01:00:00.000Z',
    ],
  ]
  test.each(cases)('%s', (_name, rhythm, now, latest, next) => {
    expect(latestTick(rhythm, date(now))).toEqual(date(latest))
    expect(nextTick(rhythm, date(now))).toEqual(date(next))
  })
})

describe('due ticks', () => {
  const sweep = schedule(domainKinds.sweep, { everyMs: 60_000 }, {})
  const due = (last: string | undefined, now: string): string[] =>
    dueTicks(
      [sweep],
      new Map(last ? [[sweep.name, date(last)]] : []),
      date(now),
      date('2026-03-01T12:10:00.000Z'),
    ).map(({ tick }) => tick.toISOString())

  test('a tick that has passed is due', () => {
    expect(due('2026-03-01T12:00:00.000Z', '2026-03-01T12:01:00.000Z')).toEqual(['2026-03-01T12:01:00.000Z'])
  })
  test('of many missed ticks one is due, the latest', () => {
    expect(due('2026-01-01T00:00:00.000Z', '2026-03-01T12:01:30.000Z')).toEqual(['2026-03-01T12:01:00.000Z'])
  })
  test('a tick that was fired is not due again', () => {
    expect(due('2026-03-01T12:01:00.000Z', '2026-03-01T12:01:59.999Z')).toEqual([])
  })
  test('a clock that went back fires nothing', () => {
    expect(due('2026-03-01T12:01:00.000Z', '2026-03-01T11:00:00.000Z')).toEqual([])
  })
  test('a clock that was ahead by more than instances may differ is put right', () => {
    expect(due('2026-04-01T12:00:00.000Z', '2026-03-01T12:01:30.000Z')).toEqual(['2026-03-01T12:01:00.000Z'])
  })
  test('a schedule that was never seen waits for its first tick', () => {
    expect(due(undefined, '2026-03-01T12:01:00.000Z')).toEqual([])
  })
})

test('a schedule that cannot be is refused when it is made', () => {
  expect(() => schedule(domainKinds.sweep, { everyMs: 10 }, {})).toThrow('a schedule needs a second at least')
  expect(() => schedule(domainKinds.sweep, { cron: 'soon' }, {})).toThrow()
  expect(() => schedule(domainKinds.sweep, { cron: '0 3 * * *', timezone: 'Moon/Crater' }, {})).toThrow()
})

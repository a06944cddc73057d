// Moments in the time of a place, over the days on which clocks change.
import { expect, test } from 'bun:test'
import { localIn, momentIn, zones } from '../../../src/dashboard/ui/zone'

test.each([
  ['UTC', '2026-03-01T09:00', '2026-03-01T09:00:00.000Z'],
  ['Europe/Berlin', '2026-03-01T09:00', '2026-03-01T08:00:00.000Z'],
  ['Europe/Berlin', '2026-07-01T09:00', '2026-07-01T07:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
  ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
  ['America/New_York', '2026-11-01T09:00', '2026-11-01T14:00:00.000Z'],
  ['Asia/Kathmandu', '2026-03-01T09:00', '2026-03-01T03:15:00.000Z'],
  ['Pacific/Kiritimati', '2026-03-01T09:00', '2026-02-28T19:00:00.000Z'],
])('%s %s is %s, and back', (zone, local, moment) => {
  expect(momentIn(zone, local)?.toISOString()).toBe(moment)
  expect(localIn(zone, new Date(moment))).toBe(local)
})

test('an hour that clocks skip is the one behind it', () => {
  expect(momentIn('Europe/Berlin', '2026-03-29T02:30')?.toISOString()).toBe('2026-03-29T01:30:00.000Z')
})

test('what is no date is none', () => {
  expect(momentIn('UTC', '')).toBeUndefined()
})

test('the own zone stands first, once', () => {
  const all = zones()
  expect(all[0]).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
  expect(new Set(all).size).toBe(all.length)
})

// The end of a snooze by the calendar, and how a job's standing is told.
import { expect, test } from 'bun:test'
import { type Queued, standingOf, wholePercent } from '../../../src/modules/audience/contacts/job-state'
import { type SnoozeDuration, snoozeEnd } from '../../../src/modules/audience/contacts/snoozing'

test.each<[string, SnoozeDuration, string]>([
  ['2026-01-31T10:00:00.000Z', '2_weeks', '2026-02-14T10:00:00.000Z'],
  ['2026-01-31T10:00:00.123Z', '1_month', '2026-02-28T10:00:00.123Z'],
  ['2028-01-31T10:00:00.000Z', '1_month', '2028-02-29T10:00:00.000Z'],
  ['2026-03-31T23:59:59.999Z', '1_month', '2026-04-30T23:59:59.999Z'],
  ['2026-12-15T00:00:00.000Z', '1_month', '2027-01-15T00:00:00.000Z'],
  ['2026-08-31T00:00:00.000Z', '6_months', '2027-02-28T00:00:00.000Z'],
  ['2028-02-29T12:00:00.000Z', '1_year', '2029-02-28T12:00:00.000Z'],
  ['2026-02-28T12:00:00.000Z', '1_year', '2027-02-28T12:00:00.000Z'],
])('%s and %s is %s', (start, duration, end) => {
  expect(snoozeEnd(new Date(start), duration).toISOString()).toBe(end)
})

const at = new Date('2026-01-01')
test.each<[string, Date | null, string | null, Queued | undefined, string]>([
  ['queued', null, null, { state: 'queued', error: null }, 'waiting'],
  ['queued again after a failure', null, null, { state: 'queued', error: 'x' }, 'delayed'],
  ['running', null, null, { state: 'running', error: 'x' }, 'active'],
  ['ended', at, null, undefined, 'completed'],
  ['ended, its job not yet deleted', at, null, { state: 'running', error: null }, 'completed'],
  ['ended badly', at, 'no column', undefined, 'failed'],
  ['given up by the queue', null, null, { state: 'failed', error: 'secret' }, 'failed'],
  ['lost', null, null, undefined, 'failed'],
])('a job that is %s stands as documented', (_, finishedAt, failedReason, queued, state) => {
  const standing = standingOf({ finishedAt, failedReason, hasBegun: false }, queued)
  expect(standing.state).toBe(state as typeof standing.state)
  expect(standing.failedReason !== null).toBe(state === 'failed')
  expect(standing.failedReason).not.toBe('secret')
})

test('a job that waits for its next turn is active, one that waits after a failure is delayed', () => {
  const ending = { finishedAt: null, failedReason: null, hasBegun: true }
  expect(standingOf(ending, { state: 'queued', error: null }).state).toBe('active')
  expect(standingOf(ending, { state: 'queued', error: 'x' }).state).toBe('delayed')
})

test('progress is a whole number of percent', () => {
  expect([wholePercent(0, 0), wholePercent(1, 3), wholePercent(3, 3), wholePercent(9, 3)]).toEqual([
    0, 33, 100, 100,
  ])
})

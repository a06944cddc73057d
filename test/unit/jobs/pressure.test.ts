// How many jobs run while the event loop is late.
import { expect, test } from 'bun:test'
import { nextAllowed } from '../../../src/platform/jobs/pressure'

test.each([
  ['a loop that is late halves them', 32, 60, true, 16],
  ['never below two', 3, 60, true, 2],
  ['late for nobody is no reason', 16, 60, false, 17],
  ['in time, one more each time', 16, 5, true, 17],
  ['up to all', 32, 5, true, 32],
] as const)('%s', (_, allowed, lateBy, isWaitedFor, next) => {
  expect(nextAllowed(allowed, 32, lateBy, isWaitedFor)).toBe(next)
})

test('a single slot stays', () => expect(nextAllowed(1, 1, 60, true)).toBe(1))

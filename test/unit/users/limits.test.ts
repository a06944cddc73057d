// Under which name attempts are counted, and what a refused one is told.
import { expect, test } from 'bun:test'
import { attemptSubject, retryAfterSeconds } from '../../../src/modules/accounts/users/limits'

test('an address and a client of the same text are counted apart', () => {
  expect(attemptSubject('address', 'x')).not.toBe(attemptSubject('client', 'x'))
})

test.each([
  [900_000, 900],
  [1_001, 2],
  [1, 1],
  [0, 1],
  [-5_000, 1],
])('a window that ends in %p ms says %p s', (ms, seconds) => {
  const now = new Date('2026-03-01T12:00:00Z')
  expect(retryAfterSeconds(new Date(now.getTime() + ms), now)).toBe(seconds)
})

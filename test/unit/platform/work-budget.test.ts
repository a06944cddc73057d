// What a project may ask for of what is costly: a burst, then a share of the time, and nobody pays for another.
import { expect, test } from 'bun:test'
import { makeWorkBudget } from '../../../src/platform/rate/work-budget'
import { manualClock } from '../../support/context'

test('who has used up its time waits until a share of it is back; others do not', () => {
  const clock = manualClock()
  const budget = makeWorkBudget({ burstMs: 1_000, share: 0.1, of: 'work' })
  const ctx = { clock }
  const isAdmitted = (project: string): boolean => {
    try {
      budget.admit(ctx, project)
      return true
    } catch (error) {
      expect(error).toMatchObject({ status: 429, details: { retryAfter: expect.any(Number) } })
      return false
    }
  }
  for (let n = 0; n < 3; n++) {
    expect(isAdmitted('a')).toBe(true)
    budget.spend(ctx, 'a', 500)
  }
  expect(isAdmitted('a')).toBe(false)
  expect(isAdmitted('b')).toBe(true)
  clock.advance(4_000)
  expect(isAdmitted('a')).toBe(false)
  clock.advance(1_000)
  expect(isAdmitted('a')).toBe(true)
})

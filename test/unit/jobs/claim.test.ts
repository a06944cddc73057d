// When the next claim may be made, and whether of a slice of a campaign.
import { expect, test } from 'bun:test'
import { gatherWait, letOthersFirst } from '../../../src/platform/jobs/claim'

test.each([
  ['a runner with little to do claims at once', 0, 11, 48, 0],
  ['one that is busy lets some gather', 5, 12, 48, 15],
  ['but for no longer than a moment', 20, 48, 48, 0],
  ['and not after a pause', 5_000, 48, 48, 0],
  ['with one slot as well', 0, 1, 1, 20],
])('%s', (_name, sinceLastMs, running, slots, wait) => {
  expect(gatherWait(sinceLastMs, running, slots)).toBe(wait)
})

test('a process that sends no slice claims one at once; one that does lets others go first', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const courtesy = letOthersFirst(resolve)
  expect(courtesy.allows(0)).toBe(true)
  expect(courtesy.allows(2)).toBe(false)
  await promise
  expect(courtesy.allows(2)).toBe(true)
  expect(courtesy.allows(3)).toBe(true)
  courtesy.claims()
  expect(courtesy.allows(1)).toBe(false)
  courtesy.stop()
})

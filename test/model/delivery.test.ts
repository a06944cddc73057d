// No order of crashes, stalls and lost answers loses an accepted message, ends it twice or miscounts it; and for each rule that this rests
// on, the model finds the way in which it goes wrong without the rule.
import { expect, test } from 'bun:test'
import type { Flaws } from './delivery'
import { deliveryModel } from './delivery-law'
import { explore, verdict } from './explore'

test.each([0, 1, 2])('with %i faults at any points every message ends once, as it was counted', faults => {
  expect(verdict(deliveryModel(faults))).toBeUndefined()
})

test('without a fault exactly one copy leaves, or none where the relay refuses it', () => {
  const ends = [...explore(deliveryModel(0))].filter(({ state }) => state.message && !state.job)
  expect(new Set(ends.map(({ state }) => `${state.message?.status} ${state.copies}`))).toEqual(
    new Set(['SENT 1', 'FAILED 0']),
  )
})

test.each<[rule: keyof Flaws, wrong: string]>([
  ['jobComesLater', 'nobody will send an open message'],
  ['takesOnlyPending', 'nobody will send an open message'],
  ['settlesWithoutProof', 'a message ended twice'],
  ['finishesUnsettled', 'nobody will send an open message'],
  ['finishesWithoutProof', 'more copies have left than faults explain'],
  ['forgetsUnheardClaims', 'an accepted message never ends'],
])('%s: %s', (rule, wrong) => {
  expect(verdict(deliveryModel(2, { [rule]: true }))?.wrong).toBe(wrong)
})

// Which message is withheld at the moment of sending, with which words, and how long each kind is tried.
import { describe, expect, test } from 'bun:test'
import { hour } from '../../../src/lib/time'
import { retryTimeFor, whyWithheld } from '../../../src/modules/sending/delivery/policy'
import type { DeliveryFacts } from '../../../src/modules/sending/emails'
import { sentenceOf } from '../../../src/platform/transports/reason'

const asked: DeliveryFacts = {
  ...{ sourceType: 'TRANSACTIONAL', campaignId: null, projectDisabled: false },
  ...{ contactState: null, suppressed: null },
}
const newsletter: DeliveryFacts = { ...asked, sourceType: 'CAMPAIGN', campaignId: 'c1' }
/** A campaign of transactional mail goes to an audience, too. */
const notice: DeliveryFacts = { ...asked, campaignId: 'c1' }
const workflow: DeliveryFacts = { ...asked, sourceType: 'WORKFLOW' }

describe('a message that may not leave', () => {
  const rows: Array<[Partial<DeliveryFacts>, string]> = [
    [{ projectDisabled: true }, 'project is disabled'],
    [{ contactState: 'gone' }, 'contact was deleted'],
    [{ contactState: 'unsubscribed' }, 'contact is unsubscribed'],
    [{ suppressed: 'bounce' }, 'address is suppressed (bounce)'],
    // The reason that says most comes first.
    [{ suppressed: 'bounce', contactState: 'unsubscribed' }, 'address is suppressed (bounce)'],
    [{ projectDisabled: true, suppressed: 'bounce', contactState: 'gone' }, 'project is disabled'],
  ]
  for (const [facts, error] of rows)
    test(`${JSON.stringify(facts)}: ${error}`, () => {
      expect(whyWithheld({ ...asked, ...facts })).toMatchObject({ status: 'FAILED' })
      expect(sentenceOf(whyWithheld({ ...asked, ...facts })!)).toBe(error)
      for (const forAudience of [newsletter, notice, workflow])
        expect(whyWithheld({ ...forAudience, ...facts })).toMatchObject({ status: 'SKIPPED' })
    })

  test('all others leave', () => {
    expect([asked, newsletter, notice, workflow].map(whyWithheld)).toEqual(Array(4).fill(undefined))
  })
})

test('a message is worth a day of tries where somebody asked for it, and six hours as bulk', () => {
  expect([asked, newsletter, notice, workflow].map(retryTimeFor)).toEqual(
    [24, 6, 6, 6].map(hours => hours * hour),
  )
})

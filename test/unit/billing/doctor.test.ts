// What the doctor says of billing.
import { afterAll, expect, test } from 'bun:test'
import { billingChecks } from '../../../src/server/checks/billing'
import { testConfig } from '../../support/context'
import { startStripe } from '../../support/stripe'

const stripe = startStripe()
afterAll(() => stripe.stop())

const findings = async (changes: object) => {
  const found = await Promise.all(
    billingChecks(testConfig({ stripe: { ...stripe.settings, ...changes } })).map(check => check.run()),
  )
  return found.flat().map(({ level, words }) => `${level}: ${words}`)
}

test('nothing where billing is off', () => {
  expect(billingChecks(testConfig())).toEqual([])
})

test.each([
  ['a key and a price that are good', {}, 'ok: the key of Stripe is accepted, and the price is usage-based'],
  [
    'no price',
    { usagePrice: undefined },
    'warn: the key is accepted, but without STRIPE_PRICE_EMAIL_USAGE nobody can subscribe',
  ],
  ['a wrong key', { secretKey: 'sk_test_wrong' }, 'FAIL: Stripe refuses: Invalid API Key'],
  ['an unknown price', { usagePrice: 'price_x' }, 'FAIL: Stripe refuses: No such path'],
  [
    'a price that is charged once',
    { usagePrice: 'price_onboarding' },
    'FAIL: Stripe refuses: the price price_onboarding is not usage-based',
  ],
])('%s', async (_, changes, words) => {
  expect(await findings(changes)).toEqual([words])
})

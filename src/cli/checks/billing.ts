// Whether the payment provider takes the key, and projects can subscribe.
import type { Config } from '../../config'
import { stripePayments } from '../../platform/payments/stripe'
import { type Check, fail, ok, warn } from './check'

const about = 'billing'

/** None where billing is off. */
export function billingChecks({ stripe }: Config): Check[] {
  if (!stripe) return []
  const run: Check['run'] = async () => {
    try {
      await stripePayments(stripe).verify()
    } catch (error) {
      return [fail(about, `Stripe refuses: ${(error as Error).message}`)]
    }
    return stripe.usagePrice
      ? [ok(about, 'the key of Stripe is accepted, and the price is one by usage')]
      : [warn(about, 'the key is accepted, but without STRIPE_PRICE_EMAIL_USAGE nobody can subscribe')]
  }
  return [{ about, run }]
}

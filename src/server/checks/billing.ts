// Whether the payment provider accepts the key, projects can subscribe, and reports of their usage arrive.

import { after } from '../../lib/time'
import { countOverdueReports, overdueMs } from '../../modules/oversight/billing'
import type { Context } from '../../platform/context'
import { stripePayments } from '../../platform/payments/stripe'
import type { Config } from '../../settings/config'
import { systemClock } from '../compose'
import { type Check, type Finding, fail, pass, warn } from './check'

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
      ? [pass(about, 'the key of Stripe is accepted, and the price is usage-based')]
      : [warn(about, 'the key is accepted, but without STRIPE_PRICE_EMAIL_USAGE nobody can subscribe')]
  }
  return [{ about, run }]
}

/** Even where billing is off by now: what is open was used while it was on. */
export async function checkReports(
  { stripe }: Pick<Config, 'stripe'>,
  database: Pick<Context, 'sql'>,
): Promise<Finding[]> {
  const now = systemClock.now()
  const { reports, units, oldest } = await countOverdueReports(database, after(now, -overdueMs))
  const about = 'usage'
  if (reports === 0) return stripe ? [pass(about, 'is reported as far as it is due')] : []
  const what = `${units} units in ${reports} report${reports === 1 ? '' : 's'} have not reached Stripe`
  return [
    warn(about, `${what}, the oldest of ${oldest!.toISOString()}; each is tried again while billing is on`),
  ]
}

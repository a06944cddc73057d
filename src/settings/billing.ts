// The settings of billing: the payment provider is Stripe, or what speaks its protocol. Billing is on when both secrets are set.
import type { StripeSettings } from '../platform/payments/stripe'
import { option } from './setting'
import { httpAddress, ok, type Parsed, wrong } from './values'

const secret = (text: string): Parsed<string> => (/^[\x21-\x7e]{8,500}$/.test(text) ? ok(text) : wrong())
const secretForm = '8 to 500 characters without blanks'
const price = (text: string): Parsed<string> => (/^[\w-]{1,255}$/.test(text) ? ok(text) : wrong())
const priceForm = 'the id of a price, such as price_1AbC'
const meterName = (text: string): Parsed<string> => (/^[\w.:-]{1,100}$/.test(text) ? ok(text) : wrong())

export const billingOptions = {
  STRIPE_SECRET_KEY: option(
    'STRIPE_SECRET_KEY',
    '',
    secretForm,
    secret,
    'Secret key of Stripe; billing is on when this and STRIPE_WEBHOOK_SECRET are set',
    true,
  ),
  STRIPE_WEBHOOK_SECRET: option(
    'STRIPE_WEBHOOK_SECRET',
    '',
    secretForm,
    secret,
    'Signing secret of the endpoint /webhooks/incoming/stripe',
    true,
  ),
  STRIPE_PRICE_EMAIL_USAGE: option(
    'STRIPE_PRICE_EMAIL_USAGE',
    '',
    priceForm,
    price,
    'Metered price of e-mails; a checkout needs it',
  ),
  STRIPE_PRICE_ONBOARDING: option(
    'STRIPE_PRICE_ONBOARDING',
    '',
    priceForm,
    price,
    'A price that is charged once, at the start of a subscription',
  ),
  STRIPE_METER_EVENT_NAME: option(
    'STRIPE_METER_EVENT_NAME',
    'emails',
    '1 to 100 letters, digits and . _ : -',
    meterName,
    'Event name of the meter behind the metered price',
  ),
  STRIPE_API_BASE: option(
    'STRIPE_API_BASE',
    "Stripe's",
    'an http:// or https:// address without a path',
    originOnly,
    "Another server that speaks Stripe's protocol",
  ),
} as const

function originOnly(text: string): Parsed<string> {
  const parsed = httpAddress(text)
  if ('value' in parsed && new URL(parsed.value).pathname !== '/') return wrong('it has a path')
  return parsed
}

type Values = { [K in keyof typeof billingOptions]?: string }

/** What does not go together, in words. */
export function faultsOfBilling(values: Values, isSet: (name: string) => boolean): string[] {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhook } = values
  const [hasKey, hasWebhook] = [isSet('STRIPE_SECRET_KEY'), isSet('STRIPE_WEBHOOK_SECRET')]
  // One that is wrong has its own fault already.
  if (hasKey !== hasWebhook)
    return key === undefined && webhook === undefined
      ? []
      : ['STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET belong together; set both or neither']
  if (hasKey) return []
  const names = Object.keys(billingOptions) as (keyof typeof billingOptions)[]
  return names
    .filter(name => values[name] !== undefined)
    .map(name => `${name} is set, but STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are not`)
}

const defaultMeter = 'emails'

/** Undefined where billing is off. */
export function stripeSettings(values: Values): StripeSettings | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = values
  if (!secretKey || !webhookSecret) return undefined
  return {
    secretKey,
    webhookSecret,
    usagePrice: values.STRIPE_PRICE_EMAIL_USAGE,
    onboardingPrice: values.STRIPE_PRICE_ONBOARDING,
    meterEventName: values.STRIPE_METER_EVENT_NAME ?? defaultMeter,
    apiBase: values.STRIPE_API_BASE,
  }
}

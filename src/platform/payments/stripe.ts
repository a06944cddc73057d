// Stripe as the payment provider, through its own library. The first call loads that, so an instance pays for it neither in time to
// start nor in memory before somebody asks.
import type Stripe from 'stripe'
import { second } from '../../lib/time'
import { BadSignature, type CheckoutRequest, type PaymentProvider, Refused } from './provider'
import { toInvoice, toPaymentEvent, toUpcomingInvoice } from './stripe-objects'

export interface StripeSettings {
  readonly secretKey: string
  readonly webhookSecret: string
  readonly usagePrice?: string
  readonly onboardingPrice?: string
  readonly meterEventName: string
  /** Undefined: Stripe's own. */
  readonly apiBase?: string
}

const timeLimitMs = 20 * second
/** For one call; each with the same idempotency key, so that what was done already is not done again. */
const maxRetries = 2
/** How old a signature may be. */
const toleranceSeconds = 300

export function stripePayments(settings: StripeSettings): PaymentProvider {
  let opened: Promise<Stripe> | undefined
  const open = (): Promise<Stripe> => {
    opened ??= connect(settings).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
  return {
    canCheckOut: settings.usagePrice !== undefined,
    ...pagesOf(settings, open),
    ...accountsOf(open),
    ...usageOf(settings, open),
    verify: async () => await verify(settings, await open()),
    async readEvent(body, signature, now) {
      const { webhooks, errors } = await library(await open())
      try {
        const { webhookSecret } = settings
        const at = now.getTime()
        return toPaymentEvent(
          await webhooks.constructEventAsync(body, signature, webhookSecret, toleranceSeconds, undefined, at),
        )
      } catch (error) {
        if (error instanceof errors.StripeSignatureVerificationError || error instanceof SyntaxError)
          throw new BadSignature('The event is not signed by the provider', { cause: error })
        throw error
      }
    },
  }
}

async function verify({ usagePrice }: StripeSettings, stripe: Stripe): Promise<void> {
  if (usagePrice === undefined) return void (await stripe.prices.list({ limit: 1 }))
  const { active, recurring } = await stripe.prices.retrieve(usagePrice)
  if (!active) throw new Error(`the price ${usagePrice} is archived`)
  if (recurring?.usage_type !== 'metered') throw new Error(`the price ${usagePrice} is not usage-based`)
}

type Open = () => Promise<Stripe>

async function connect({ secretKey, apiBase }: StripeSettings): Promise<Stripe> {
  const { default: Library } = await import('stripe')
  const settings = { maxNetworkRetries: maxRetries, timeout: timeLimitMs, telemetry: false }
  if (apiBase === undefined) return new Library(secretKey, settings)
  const { protocol, hostname, port } = new URL(apiBase)
  const isPlain = protocol === 'http:'
  return new Library(secretKey, {
    ...settings,
    protocol: isPlain ? 'http' : 'https',
    host: hostname,
    port: port || (isPlain ? 80 : 443),
  })
}

/** The parts of the library that are not about an account. */
async function library(stripe: Stripe) {
  const { default: Library } = await import('stripe')
  return { webhooks: stripe.webhooks, errors: Library.errors }
}

function pagesOf(
  settings: StripeSettings,
  open: Open,
): Pick<PaymentProvider, 'createCheckout' | 'createPortal'> {
  return {
    async createCheckout(request) {
      const { url } = await (await open()).checkout.sessions.create(checkoutOf(settings, request))
      if (!url) throw new Error('the payment provider made a checkout without an address')
      return url
    },
    async createPortal(customer, returnUrl) {
      const portal = (await open()).billingPortal.sessions
      return (await portal.create({ customer, return_url: returnUrl })).url
    },
  }
}

/** A subscription whose periods are calendar months; usage of the first, shorter one is charged as it is. */
function checkoutOf(
  { usagePrice, onboardingPrice }: StripeSettings,
  { projectId, customer, currency, anchor, successUrl, cancelUrl }: CheckoutRequest,
): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'subscription',
    client_reference_id: projectId,
    metadata: { projectId },
    ...(customer ? { customer } : {}),
    currency,
    line_items: [
      ...(onboardingPrice ? [{ price: onboardingPrice, quantity: 1 }] : []),
      { price: usagePrice! },
    ],
    subscription_data: {
      billing_cycle_anchor: Math.floor(anchor.getTime() / 1000),
      proration_behavior: 'none',
      metadata: { projectId },
    },
    allow_promotion_codes: true,
    success_url: successUrl,
    cancel_url: cancelUrl,
  }
}

function accountsOf(
  open: Open,
): Pick<
  PaymentProvider,
  'nameCustomer' | 'readCredits' | 'previewInvoice' | 'listInvoices' | 'cancelSubscription'
> {
  return {
    async nameCustomer(customer, { id, name }) {
      const { customers } = await open()
      await unlessRefused(() => customers.update(customer, { name, metadata: { projectId: id } }))
    },
    async readCredits(id) {
      const customer = await (await open()).customers.retrieve(id)
      return customer.deleted ? null : { balance: customer.balance, currency: customer.currency ?? null }
    },
    async previewInvoice(customer, subscription) {
      const { invoices } = await open()
      return await unlessRefused(async () =>
        toUpcomingInvoice(await invoices.createPreview({ customer, subscription })),
      )
    },
    async listInvoices(customer, limit) {
      const { data } = await (await open()).invoices.list({ customer, limit })
      return data.map(toInvoice)
    },
    async cancelSubscription(subscription) {
      const { subscriptions } = await open()
      // What was used since the last invoice is charged now.
      const work = () => subscriptions.cancel(subscription, { invoice_now: true })
      await unlessRefused(work)
    },
  }
}

/** Null if the provider knows no such thing: it has ended, and nothing more will come of it. */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === 'resource_missing' || code === 'invoice_upcoming_none') return null
    throw error
  }
}

function usageOf(
  { meterEventName }: StripeSettings,
  open: Open,
): Pick<PaymentProvider, 'reportUsage' | 'countUsage'> {
  return {
    async reportUsage({ id, customer, units, at }) {
      const { meterEvents } = (await open()).billing
      try {
        // Without an idempotency key of ours: Stripe would repeat a saved error for a day. The identifier is what counts once.
        await meterEvents.create({
          event_name: meterEventName,
          identifier: id,
          timestamp: secondsOf(at),
          payload: { stripe_customer_id: customer, value: String(units) },
        })
      } catch (error) {
        if (isKnownEvent(error)) return
        throw isRefusal(error) ? new Refused((error as Error).message, { cause: error }) : error
      }
    },
    async countUsage(customer, start, end) {
      const { meters } = (await open()).billing
      const { data } = await meters.list({ status: 'active', limit: 100 })
      const meter = data.find(each => each.event_name === meterEventName)
      if (!meter) throw new Error(`there is no active meter of ${meterEventName}`)
      const span = { customer, start_time: secondsOf(start), end_time: secondsOf(end) }
      const summaries = await meters.listEventSummaries(meter.id, span)
      return summaries.data.reduce((sum, { aggregated_value: value }) => sum + value, 0)
    },
  }
}

function secondsOf(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}

/** Stripe refuses an identifier that it has counted, with words and without a code. */
function isKnownEvent(error: unknown): boolean {
  const { statusCode, message } = error as { statusCode?: unknown; message?: unknown }
  return statusCode === 400 && /event already exists with identifier/i.test(String(message))
}

/** 409 says that another request, perhaps this one's own first attempt, is under way. */
function isRefusal(error: unknown): boolean {
  const { statusCode } = error as { statusCode?: unknown }
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 && statusCode !== 409
}

// A server that speaks Stripe's protocol as far as the product uses it: keys, form bodies, idempotency keys, meter events by identifier.
// It keeps what it was asked, and can be told to fail. Events are signed by Stripe's own library.
import Stripe from 'stripe'

export const stripeKey = 'sk_test_0123456789'
export const stripeSecret = 'whsec_0123456789'

export interface StripeCall {
  method: string
  path: string
  /** The form of the body, or the query of a GET. */
  form: Record<string, string>
  idempotencyKey: string | null
}

export type StripeServer = ReturnType<typeof startStripe>

type Body = Record<string, unknown>

const fault = (type: string, message: string, code?: string): Body => ({ error: { type, message, code } })

export function startStripe() {
  const calls: StripeCall[] = []
  const answered = new Map<string, { status: number; body: Body }>()
  /** Units by customer, each meter event counted once. */
  const metered = new Map<string, number>()
  const seen = new Set<string>()
  const invoices = new Map<string, Body[]>()
  const customers = new Map<string, Body>()
  const cancelled: string[] = []
  let failures: Array<'error' | 'lost'> = []

  function answer({ method, path, form }: StripeCall): { status: number; body: Body } {
    const [, , ...parts] = path.split('/')
    const ok = (body: Body) => ({ status: 200, body })
    const missing = (what: string) => ({
      status: 404,
      body: fault('invalid_request_error', `No such ${what}`, 'resource_missing'),
    })
    switch (`${method} ${parts.join('/').replace(/(cus|sub)_\w+/, '$1')}`) {
      case 'GET prices':
        return ok({ object: 'list', has_more: false, data: [] })
      case 'GET prices/price_usage':
        return ok({ id: 'price_usage', active: true, recurring: { usage_type: 'metered' } })
      case 'GET prices/price_onboarding':
        return ok({ id: 'price_onboarding', active: true, recurring: null })
      case 'POST checkout/sessions':
        return ok({
          id: 'cs_1',
          object: 'checkout.session',
          url: `https://checkout.example/${form['currency']}`,
        })
      case 'POST billing_portal/sessions':
        return ok({ id: 'bps_1', url: `https://portal.example/${form['customer']}` })
      case 'GET customers/cus':
        return ok(
          customers.get(parts[1]!) ?? { id: parts[1], object: 'customer', balance: 0, currency: null },
        )
      case 'POST customers/cus':
        customers.set(parts[1]!, { id: parts[1], object: 'customer', balance: 0, currency: null, ...form })
        return ok(customers.get(parts[1]!)!)
      case 'POST invoices/create_preview':
        return ok(invoiceOf({ customer: form['customer'], amount_due: 1234, subtotal: 1034, total: 1234 }))
      case 'GET invoices':
        return ok({ object: 'list', has_more: false, data: invoices.get(form['customer']!) ?? [] })
      case 'DELETE subscriptions/sub':
        if (cancelled.includes(parts[1]!)) return missing('subscription')
        cancelled.push(parts[1]!)
        return ok({ id: parts[1], object: 'subscription', status: 'canceled' })
      case 'POST billing/meter_events': {
        const customer = form['payload[stripe_customer_id]']!
        if (!seen.has(form['identifier']!))
          metered.set(customer, (metered.get(customer) ?? 0) + Number(form['payload[value]']))
        seen.add(form['identifier']!)
        return ok({ object: 'billing.meter_event', identifier: form['identifier'] })
      }
      default:
        return missing('path')
    }
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const url = new URL(request.url)
      const text = await request.text()
      const call: StripeCall = {
        method: request.method,
        path: url.pathname,
        form: Object.fromEntries(new URLSearchParams(request.method === 'POST' ? text : url.search)),
        idempotencyKey: request.headers.get('idempotency-key'),
      }
      if (request.headers.get('authorization') !== `Bearer ${stripeKey}`)
        return Response.json(fault('invalid_request_error', 'Invalid API Key'), { status: 401 })
      if (
        request.method === 'POST' &&
        !request.headers.get('content-type')?.startsWith('application/x-www-form')
      )
        return Response.json(fault('invalid_request_error', 'not a form'), { status: 400 })
      calls.push(call)
      const failure = failures.shift()
      if (failure === 'error') return Response.json(fault('api_error', 'out of order'), { status: 500 })
      const known = call.idempotencyKey ? answered.get(call.idempotencyKey) : undefined
      const { status, body } = known ?? answer(call)
      if (call.idempotencyKey) answered.set(call.idempotencyKey, { status, body })
      // The work is done, and its answer never arrives.
      if (failure === 'lost')
        return new Response('', { status: 502, headers: { 'stripe-should-retry': 'false' } })
      return Response.json(body, { status })
    },
  })
  return {
    settings: {
      secretKey: stripeKey,
      webhookSecret: stripeSecret,
      usagePrice: 'price_usage' as string | undefined,
      onboardingPrice: 'price_onboarding',
      meterEventName: 'emails',
      apiBase: `http://127.0.0.1:${server.port}`,
    },
    calls,
    metered,
    invoices,
    customers,
    cancelled,
    callsTo: (path: string) => calls.filter(call => call.path === path),
    fail(...how: Array<'error' | 'lost'>) {
      failures = how
    },
    stop: () => server.stop(true),
  }
}

const march = Date.UTC(2026, 2, 1) / 1000

export function invoiceOf(changes: Body): Body {
  return {
    id: 'in_1',
    object: 'invoice',
    number: 'A-1',
    status: 'open',
    amount_due: 500,
    amount_paid: 0,
    currency: 'eur',
    created: march,
    due_date: null,
    period_start: march,
    period_end: march + 86_400,
    hosted_invoice_url: 'https://invoice.example/1',
    invoice_pdf: null,
    subtotal: 500,
    total: 500,
    ...changes,
  }
}

const library = new Stripe(stripeKey)

export interface SignedEvent {
  body: string
  signature: string
}

/** An event as Stripe would send it at that moment. */
export async function signEvent(
  at: Date,
  event: { id?: string; type: string; object: Body },
  secret = stripeSecret,
): Promise<SignedEvent> {
  const { id = `evt_${crypto.randomUUID()}`, type, object } = event
  const payload = JSON.stringify({ id, object: 'event', type, data: { object } })
  const timestamp = Math.floor(at.getTime() / 1000)
  const signature = await library.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp })
  return { body: payload, signature }
}

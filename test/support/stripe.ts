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

/**
 * `error`: a fault that a repeat gets over. `broken`: one that is saved under its idempotency key, like all of Stripe's. `lost`: done,
 * and the answer never arrives. `unreached`: not done, without an answer that says so. `refused`: not done, with one.
 */
type Failure = 'error' | 'broken' | 'lost' | 'unreached' | 'refused'

export type StripeServer = ReturnType<typeof startStripe>

type Body = Record<string, unknown>

const fault = (type: string, message: string, code?: string): Body => ({ error: { type, message, code } })

export function startStripe() {
  const calls: StripeCall[] = []
  const answered = new Map<string, { status: number; body: Body }>()
  /** Units by customer, each meter event counted once. */
  const metered = new Map<string, number>()
  const seen = new Set<string>()
  /** What the summaries of meter events are made from. */
  const events: Array<{ customer: string; at: number; units: number }> = []
  const invoices = new Map<string, Body[]>()
  const customers = new Map<string, Body>()
  const cancelled: string[] = []
  let failures: Failure[] = []

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
        const [customer, identifier, units] = [
          form['payload[stripe_customer_id]']!,
          form['identifier']!,
          Number(form['payload[value]']),
        ]
        const known = `An event already exists with identifier ${identifier}.`
        if (seen.has(identifier)) return { status: 400, body: fault('invalid_request_error', known) }
        metered.set(customer, (metered.get(customer) ?? 0) + units)
        seen.add(identifier)
        events.push({ customer, at: Number(form['timestamp']), units })
        return ok({ object: 'billing.meter_event', identifier })
      }
      case 'GET billing/meters':
        return ok({
          ...{ object: 'list', has_more: false },
          data: [
            { id: 'mtr_1', object: 'billing.meter', event_name: 'others' },
            { id: 'mtr_2', object: 'billing.meter', event_name: 'emails' },
          ],
        })
      case 'GET billing/meters/mtr_2/event_summaries': {
        const [start, end] = [Number(form['start_time']), Number(form['end_time'])]
        if (start % 60 || end % 60)
          return { status: 400, body: fault('invalid_request_error', 'not a minute') }
        const found = events.filter(
          ({ customer, at }) => customer === form['customer'] && at >= start && at < end,
        )
        const total = found.reduce((sum, { units }) => sum + units, 0)
        const data = found.length > 0 ? [{ id: 'mtrusg_1', aggregated_value: total }] : []
        return ok({ object: 'list', has_more: false, data })
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
      const atOnce = { headers: { 'stripe-should-retry': 'false' } }
      if (failure === 'refused')
        return Response.json(fault('invalid_request_error', 'Expired API Key'), { status: 401, ...atOnce })
      if (failure === 'unreached') return new Response('', { status: 502, ...atOnce })
      const saved = { status: 500, body: fault('api_error', 'broken') }
      if (failure === 'broken' && call.idempotencyKey) answered.set(call.idempotencyKey, saved)
      const known = call.idempotencyKey ? answered.get(call.idempotencyKey) : undefined
      const { status, body } = known ?? answer(call)
      if (call.idempotencyKey) answered.set(call.idempotencyKey, { status, body })
      // The work is done, and its answer never arrives.
      if (failure === 'lost') return new Response('', { status: 502, ...atOnce })
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
    /** What becomes of the next calls. */
    fail(...how: Failure[]) {
      failures = how
    },
    /** As after a day: repeated requests and meter events are not known any more. */
    forget() {
      answered.clear()
      seen.clear()
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

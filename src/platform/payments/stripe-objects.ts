// What Stripe's objects mean for us. Pure. Which members they have depends on the version that the endpoint of an account is set to,
// so what is not as expected is an event without meaning and never a fault.
import type Stripe from 'stripe'
import type { Invoice, PaymentEvent, UpcomingInvoice } from './provider'

const maxIdLength = 255

/** The id of something that is given as an id or as the whole object. */
function idOf(given: unknown): string | null {
  const id = typeof given === 'object' && given !== null ? (given as { id?: unknown }).id : given
  return typeof id === 'string' && id !== '' && id.length <= maxIdLength ? id : null
}

function dateOf(seconds: number): Date {
  return new Date(seconds * 1000)
}

export function toInvoice(invoice: Stripe.Invoice): Invoice {
  return {
    id: invoice.id,
    number: invoice.number ?? null,
    status: invoice.status ?? null,
    amountDue: invoice.amount_due,
    amountPaid: invoice.amount_paid,
    currency: invoice.currency,
    created: dateOf(invoice.created),
    dueDate: typeof invoice.due_date === 'number' ? dateOf(invoice.due_date) : null,
    periodStart: dateOf(invoice.period_start),
    periodEnd: dateOf(invoice.period_end),
    hostedInvoiceUrl: invoice.hosted_invoice_url ?? null,
    invoicePdf: invoice.invoice_pdf ?? null,
    subtotal: invoice.subtotal,
    total: invoice.total,
  }
}

export function toUpcomingInvoice(invoice: Stripe.Invoice): UpcomingInvoice {
  const { amountDue, currency, periodStart, periodEnd, subtotal, total } = toInvoice(invoice)
  return { amountDue, currency, periodStart, periodEnd, subtotal, total }
}

export function toPaymentEvent(event: Stripe.Event): PaymentEvent {
  const head = { id: event.id, type: event.type }
  const meaning = meaningOf(event)
  return meaning ? { ...head, ...meaning } : { ...head, kind: 'other' }
}

type Meaning = PaymentEvent extends infer E ? (E extends unknown ? Omit<E, 'id' | 'type'> : never) : never

function meaningOf(event: Stripe.Event): Meaning | undefined {
  switch (event.type) {
    case 'checkout.session.completed':
      return subscribed(event.data.object)
    case 'invoice.paid':
      return invoiced(event.data.object, 'paid')
    case 'invoice.payment_failed':
      return invoiced(event.data.object, 'failed')
    case 'customer.subscription.deleted':
      return ended(event.data.object)
    default:
      return undefined
  }
}

function subscribed(session: Stripe.Checkout.Session): Meaning | undefined {
  const [customer, subscription] = [idOf(session.customer), idOf(session.subscription)]
  if (!customer || !subscription) return undefined
  const { client_reference_id: reference, currency = null, metadata } = session
  // Whoever opens a payment link of the account may put any reference into its address; metadata is ours alone to write.
  const projectId = reference && metadata?.['projectId'] === reference ? reference : null
  return { kind: 'subscribed', projectId, customer, subscription, currency }
}

function invoiced(invoice: Stripe.Invoice, kind: 'paid' | 'failed'): Meaning | undefined {
  const [customer, id] = [idOf(invoice.customer), idOf(invoice.id)]
  if (!customer || !id) return undefined
  if (kind === 'paid') return { kind, customer, invoice: id }
  const amountDue = `${(invoice.amount_due / 100).toFixed(2)} ${invoice.currency.toUpperCase()}`
  const isFirst = invoice.billing_reason === 'subscription_create'
  return { kind, customer, invoice: id, isFirst, amountDue }
}

function ended(subscription: Stripe.Subscription): Meaning | undefined {
  const id = idOf(subscription)
  return id ? { kind: 'ended', subscription: id } : undefined
}

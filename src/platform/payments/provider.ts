// What billing asks of a payment provider. The adapter is made in the composition root; if there is none, billing is off.

export const currencies = ['usd', 'eur', 'gbp'] as const
export type Currency = (typeof currencies)[number]

export interface CheckoutRequest {
  projectId: string
  /** The project's customer of an earlier subscription. */
  customer: string | null
  currency: Currency
  /** When the first period of a month ends. */
  anchor: Date
  successUrl: string
  cancelUrl: string
}

export interface Credits {
  /** In minor units; negative: the customer has credit. */
  balance: number
  currency: string | null
}

export interface UpcomingInvoice {
  amountDue: number
  currency: string
  periodStart: Date
  periodEnd: Date
  subtotal: number
  total: number
}

export interface Invoice {
  id: string
  number: string | null
  status: string | null
  amountDue: number
  amountPaid: number
  currency: string
  created: Date
  dueDate: Date | null
  periodStart: Date
  periodEnd: Date
  hostedInvoiceUrl: string | null
  invoicePdf: string | null
  subtotal: number
  total: number
}

/** What a customer used since the last report; the id makes one that is repeated within a day count once. */
export interface UsageReport {
  id: string
  customer: string
  units: number
  at: Date
}

interface EventHead {
  id: string
  /** As the provider calls it. */
  type: string
}

/** What happened at the provider, as far as it matters here. */
export type PaymentEvent = EventHead &
  (
    | {
        kind: 'subscribed'
        /** Null if it was not made by `createCheckout` of an instance like this one. */
        projectId: string | null
        customer: string
        subscription: string
        currency: string | null
      }
    | { kind: 'paid'; customer: string; invoice: string }
    | { kind: 'failed'; customer: string; invoice: string; isFirst: boolean; amountDue: string }
    | { kind: 'ended'; subscription: string }
    | { kind: 'other' }
  )

/** The provider has read a request and did nothing. After any other error it may have done what it was asked. */
export class Refused extends Error {
  override name = 'Refused'
}

/** The event is not signed by the provider. */
export class BadSignature extends Error {
  override name = 'BadSignature'
}

export interface PaymentProvider {
  /** False if the instance has no price to charge usage by. */
  readonly canCheckOut: boolean
  /** Whether the key is accepted and the price is usage-based; throws with what is wrong. */
  verify(): Promise<void>
  /** Each returns an address that a person is sent to. */
  createCheckout(request: CheckoutRequest): Promise<string>
  createPortal(customer: string, returnUrl: string): Promise<string>
  /** So that whoever looks at the provider's pages knows whose customer it is. */
  nameCustomer(customer: string, project: { id: string; name: string }): Promise<void>
  readCredits(customer: string): Promise<Credits | null>
  /** Null if nothing will be charged. */
  previewInvoice(customer: string, subscription: string): Promise<UpcomingInvoice | null>
  /** The newest ones. */
  listInvoices(customer: string, limit: number): Promise<Invoice[]>
  /** Does nothing if it was counted already; throws Refused where it certainly was not. */
  reportUsage(report: UsageReport): Promise<void>
  /** What it has counted for a customer from one full minute on and before another. */
  countUsage(customer: string, start: Date, end: Date): Promise<number>
  /** Does nothing if it has ended already. */
  cancelSubscription(subscription: string): Promise<void>
  /** Checks the signature of a body as it came, and reads it; throws BadSignature. */
  readEvent(body: string, signature: string, now: Date): Promise<PaymentEvent>
}

// Requests and answers of billing, and how stored rows and the provider's objects become what a client sees.

import { Type } from '@sinclair/typebox'
import { type Static, t } from 'elysia'
import { queryText } from '../../../lib/described'
import { invalid } from '../../../lib/errors'
import type { Credits, Invoice, UpcomingInvoice } from '../../../platform/payments/provider'
import { type Category, categories } from '../../sending/emails'
import { allowancesOf, maxLimit, type PerCategory, shareOf, type UsageState } from './allowance'

/** Any text: an unsupported currency is a 400 of its own. */
export const checkoutQuery = t.Object({
  currency: t.Optional(queryText(10, 'usd (default), eur or gbp')),
})

export const addressAnswer = t.Object({ url: t.String() })

/** Plain types: Elysia's would read a number out of any text before our own rule does. */
const amounts = [
  Type.Null(),
  Type.Integer({ minimum: 1, maximum: maxLimit }),
  Type.String({ pattern: '^[1-9][0-9]{0,9}$', maxLength: 10, examples: ['10000'] }),
]
const limit = Type.Union([...amounts, Type.Object({ limit: Type.Union(amounts) })], {
  description:
    'Emails per calendar month, or null for no limit. Also accepts an object with `limit`, as GET returns it',
})

export const limitsBody = t.Object({
  workflows: limit,
  campaigns: limit,
  transactional: limit,
  inbound: limit,
})

/** The limits as numbers, however they were written; 422 for one out of range. */
export function readLimits(body: Static<typeof limitsBody>): PerCategory<number | null> {
  const entries = categories.map(category => [category, toNumber(category, body[category])])
  return Object.fromEntries(entries)
}

function toNumber(category: Category, given: Static<typeof limit>): number | null {
  if (given === null) return null
  if (typeof given === 'object') return toNumber(category, given.limit)
  const value = Number(given)
  if (value <= maxLimit) return value
  throw invalid([
    { field: category, message: `Must be at most ${maxLimit}`, code: 'too_big', received: given },
  ])
}

const nullableInteger = t.Union([t.Integer(), t.Null()])
const nullableText = t.Union([t.String(), t.Null()])

const share = t.Object(
  {
    limit: nullableInteger,
    usage: t.Integer(),
    percentage: t.Number(),
    isWarning: t.Boolean(),
    isBlocked: t.Boolean(),
  },
  { title: 'BillingLimit' },
)

export const limitsAnswer = t.Object(
  {
    workflows: share,
    campaigns: share,
    transactional: share,
    inbound: share,
    currency: nullableText,
  },
  { title: 'BillingLimits' },
)

export function toLimitsAnswer(standing: UsageState, currency: string | null): Static<typeof limitsAnswer> {
  const { workflows, campaigns, transactional, inbound } = allowancesOf(standing)
  return {
    workflows: shareOf(workflows),
    campaigns: shareOf(campaigns),
    transactional: shareOf(transactional),
    inbound: shareOf(inbound),
    currency,
  }
}

export const consumptionAnswer = t.Object(
  {
    period: t.Object({ start: t.String(), end: t.String() }),
    usage: t.Object({
      total: t.Integer({ description: 'Units: a message, two for one with attachments' }),
      records: t.Array(t.Object({ category: t.String(), units: t.Integer() })),
    }),
    credits: t.Union([
      t.Object({
        balance: t.Integer({ description: 'In minor units; negative is credit' }),
        hasCredits: t.Boolean(),
        creditAmount: t.Integer(),
        currency: nullableText,
      }),
      t.Null(),
    ]),
    upcomingInvoice: t.Union([
      t.Object({
        amountDue: t.Integer(),
        currency: t.String(),
        periodStart: t.String(),
        periodEnd: t.String(),
        subtotal: t.Integer(),
        total: t.Integer(),
      }),
      t.Null(),
    ]),
  },
  { title: 'BillingConsumption' },
)

export interface Consumption {
  period: { start: Date; end: Date }
  units: PerCategory<number>
  credits: Credits | null
  upcoming: UpcomingInvoice | null
}

export function toConsumptionAnswer({
  period,
  units,
  credits,
  upcoming,
}: Consumption): Static<typeof consumptionAnswer> {
  return {
    period: { start: period.start.toISOString(), end: period.end.toISOString() },
    usage: {
      total: categories.reduce((sum, category) => sum + units[category], 0),
      records: categories.map(category => ({ category, units: units[category] })),
    },
    credits: credits && {
      ...credits,
      hasCredits: credits.balance < 0,
      creditAmount: Math.max(0, -credits.balance),
    },
    upcomingInvoice: upcoming && {
      ...upcoming,
      periodStart: upcoming.periodStart.toISOString(),
      periodEnd: upcoming.periodEnd.toISOString(),
    },
  }
}

export const invoicesAnswer = t.Object(
  {
    invoices: t.Array(
      t.Object({
        id: t.String(),
        number: nullableText,
        status: nullableText,
        amountDue: t.Integer(),
        amountPaid: t.Integer(),
        currency: t.String(),
        created: t.String(),
        periodStart: t.String(),
        periodEnd: t.String(),
        hostedInvoiceUrl: nullableText,
        invoicePdf: nullableText,
        subtotal: t.Integer(),
        total: t.Integer(),
        paid: t.Boolean(),
      }),
    ),
    hasUnpaidInvoices: t.Boolean(),
    unpaidInvoices: t.Array(
      t.Object({
        id: t.String(),
        number: nullableText,
        amountDue: t.Integer(),
        currency: t.String(),
        dueDate: nullableText,
        hostedInvoiceUrl: nullableText,
      }),
    ),
  },
  { title: 'BillingInvoices' },
)

/** Open, and for more than nothing: a draft is not due yet, and a voided invoice never will be. */
function isUnpaid({ status, amountDue }: Invoice): boolean {
  return (status === 'open' || status === 'uncollectible') && amountDue > 0
}

export function toInvoicesAnswer(invoices: readonly Invoice[]): Static<typeof invoicesAnswer> {
  const unpaid = invoices.filter(isUnpaid)
  return {
    invoices: invoices.map(({ dueDate, created, periodStart, periodEnd, ...invoice }) => ({
      ...invoice,
      created: created.toISOString(),
      periodStart: periodStart.toISOString(),
      periodEnd: periodEnd.toISOString(),
      paid: invoice.status === 'paid',
    })),
    hasUnpaidInvoices: unpaid.length > 0,
    unpaidInvoices: unpaid.map(({ id, number, amountDue, currency, dueDate, hostedInvoiceUrl }) => ({
      id,
      number,
      amountDue,
      currency,
      dueDate: dueDate?.toISOString() ?? null,
      hostedInvoiceUrl,
    })),
  }
}

export const receivedAnswer = t.Object({
  success: t.Literal(true),
  received: t.Literal(true),
  duplicate: t.Optional(t.Literal(true)),
})

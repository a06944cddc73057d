// A project as a customer: checkout, use, and invoices.

import { AppError, badRequest } from '../../../lib/errors'
import { startOfMonth, startOfNextMonth } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { type Currency, currencies, type Invoice } from '../../../platform/payments/provider'
import type { ProjectActor } from '../../projects'
import type { Consumption } from '../model'
import type { Subscriber } from '../page'
import { selectBilling, selectProjectName, selectUnits } from '../queries'
import { type CheckoutOutcome, returnAddress } from '../return-link'
import { askProvider, requireProvider } from './provider'

/** The address of a checkout; 400 for a subscriber or a currency that is not offered. */
export async function startCheckout(
  ctx: Context,
  { projectId }: ProjectActor,
  currency: string,
): Promise<string> {
  const provider = requireProvider(ctx)
  if (!isOffered(currency)) throw badRequest(`The currency must be one of ${currencies.join(', ')}`)
  const billing = await selectBilling(ctx, projectId)
  if (billing?.subscription) throw badRequest('This project has a subscription already')
  if (!provider.canCheckOut) {
    ctx.log.error({}, 'a checkout was asked for, but STRIPE_PRICE_EMAIL_USAGE is not set')
    throw new AppError(500, 'INTERNAL_SERVER_ERROR', 'Billing has no price on this instance')
  }
  const back = (outcome: CheckoutOutcome): string =>
    returnAddress(ctx.vault, ctx.config.baseUrl, projectId, outcome)
  return await askProvider(ctx, () =>
    provider.createCheckout({
      projectId,
      customer: billing?.customer ?? null,
      currency,
      anchor: startOfNextMonth(ctx.clock.now()),
      successUrl: back('success'),
      cancelUrl: back('canceled'),
    }),
  )
}

function isOffered(currency: string): currency is Currency {
  const offered: readonly string[] = currencies
  return offered.includes(currency)
}

/** The address of the provider's own pages about cards and invoices; 400 for a project that has never been a customer. */
export async function openPortal(ctx: Context, { projectId }: ProjectActor): Promise<string> {
  const provider = requireProvider(ctx)
  const customer = await requireCustomer(ctx, projectId)
  const returnUrl = returnAddress(ctx.vault, ctx.config.baseUrl, projectId, 'portal')
  return await askProvider(ctx, () => provider.createPortal(customer, returnUrl))
}

/** What the return page shows; undefined for a project that is gone, and where billing is off. */
export async function findSubscriber(ctx: Context, projectId: string): Promise<Subscriber | undefined> {
  const name = ctx.payments && (await selectProjectName(ctx, projectId))
  if (name === undefined) return undefined
  const billing = await selectBilling(ctx, projectId)
  return { name, isSubscribed: Boolean(billing?.subscription) }
}

async function requireCustomer(ctx: Context, projectId: string): Promise<string> {
  const billing = await selectBilling(ctx, projectId)
  if (billing?.customer) return billing.customer
  throw badRequest('This project is no customer yet')
}

/** The current month, in UTC: what was used, and what will be charged for it. */
export async function describeConsumption(ctx: Context, projectId: string): Promise<Consumption> {
  const provider = requireProvider(ctx)
  const billing = await selectBilling(ctx, projectId)
  const { customer, subscription } = billing ?? {}
  if (!customer || !subscription) throw badRequest('This project has no subscription')
  const now = ctx.clock.now()
  const [units, credits, upcoming] = await Promise.all([
    selectUnits(ctx, projectId),
    askProvider(ctx, () => provider.readCredits(customer)),
    askProvider(ctx, () => provider.previewInvoice(customer, subscription)),
  ])
  return { period: { start: startOfMonth(now), end: startOfNextMonth(now) }, units, credits, upcoming }
}

const maxInvoices = 100

export async function listInvoices(ctx: Context, projectId: string): Promise<Invoice[]> {
  const provider = requireProvider(ctx)
  const customer = await requireCustomer(ctx, projectId)
  return await askProvider(ctx, () => provider.listInvoices(customer, maxInvoices))
}

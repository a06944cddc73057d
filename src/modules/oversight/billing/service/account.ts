// A project as a customer: checkout, use, and invoices.
import { AppError, badRequest } from '../../../../lib/errors'
import { startOfMonth, startOfNextMonth } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { enqueue } from '../../../../platform/jobs/enqueue'
import {
  type Currency,
  currencies,
  type Invoice,
  type PaymentProvider,
} from '../../../../platform/payments/provider'
import type { ProjectActor } from '../../../accounts/projects'
import { billingKinds } from '../kinds'
import type { Consumption } from '../model'
import { type CheckoutOutcome, returnAddress, type Subscriber } from '../page'
import { selectBilling, selectProjectName, selectUnits } from '../queries'
import { reportProject } from './reports'

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

/** To be called in the transaction that closes a project for good; a job calls the provider, so that the deletion waits for nobody. */
export async function endBillingOf(tx: Context, projectId: string): Promise<void> {
  const billing = await selectBilling(tx, projectId)
  if (!billing?.subscription) return
  await reportProject(tx, projectId)
  await enqueueCancellation(tx, billing.subscription)
}

/** Does nothing for a project that is gone. */
export async function nameCustomer(ctx: Context, projectId: string): Promise<void> {
  const billing = await selectBilling(ctx, projectId)
  const name = await selectProjectName(ctx, projectId)
  if (billing?.customer && name !== undefined)
    await ctx.payments?.nameCustomer(billing.customer, { id: projectId, name })
}

/** The job names no project: that may be gone by the time it runs. */
export async function enqueueCancellation(tx: Context, subscription: string): Promise<void> {
  await enqueue(tx, billingKinds.cancel, { subscription }, { uniqueKey: `billing.cancel:${subscription}` })
}

export async function cancelSubscription(ctx: Context, subscription: string): Promise<void> {
  if (!ctx.payments) {
    ctx.log.error({ subscription }, 'billing is off, so a subscription has to be cancelled by hand')
    return
  }
  await ctx.payments.cancelSubscription(subscription)
}

/** Throws 404 where billing is off. */
export function requireProvider({ payments }: Context): PaymentProvider {
  if (payments) return payments
  throw new AppError(404, 'RESOURCE_NOT_FOUND', 'Billing is not enabled on this instance')
}

/** The provider's errors may name accounts of the operator, so they go to the log only. */
export async function askProvider<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    ctx.log.error({ cause: String(cause) }, 'the payment provider refused or did not answer')
    throw new AppError(503, 'SERVICE_UNAVAILABLE', 'The payment provider could not be asked', {
      suggestion: 'Try again in a minute.',
      headers: { 'Retry-After': '60' },
      cause,
    })
  }
}

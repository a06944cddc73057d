// What a subscription needs at the payment provider: a name, and its cancellation where the project is deleted or nobody needs it.

import type { Context } from '../../../platform/context'
import { enqueue } from '../../../platform/jobs/enqueue'
import { Discard } from '../../../platform/jobs/outcome'
import { billingKinds } from '../kinds'
import { selectBilling, selectProjectName } from '../queries'
import { reportProject } from './usage'

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
    throw new Discard('billing is off')
  }
  await ctx.payments.cancelSubscription(subscription)
}

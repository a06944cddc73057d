// What a subscription needs at the payment provider: a name, and an end where the project is deleted or nobody has use for it.

import type { Context } from '../../../platform/context'
import { enqueue } from '../../../platform/jobs/enqueue'
import { Discard } from '../../../platform/jobs/outcome'
import { billingKinds } from '../kinds'
import { selectBilling, selectProjectName } from '../queries'
import { reportProject } from './usage'

/** In the transaction that closes a project for good; the provider is asked by a job, so that the deletion waits for nobody. */
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

/** Without a project, which may be gone by the time the job runs. */
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

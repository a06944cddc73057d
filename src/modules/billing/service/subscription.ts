// The end of subscriptions that we end: a deleted project's, and one that nobody has use for.
import type { Context } from '../../../platform/context'
import { enqueue } from '../../../platform/jobs/enqueue'
import { Discard } from '../../../platform/jobs/outcome'
import { selectBilling } from '../queries'
import { reportProject } from './usage'

/** In the transaction that closes a project for good; the provider is asked by a job, so that the deletion waits for nobody. */
export async function endBillingOf(tx: Context, projectId: string): Promise<void> {
  const billing = await selectBilling(tx, projectId)
  if (!billing?.subscription) return
  await reportProject(tx, projectId)
  await enqueueCancellation(tx, billing.subscription)
}

/** Without a project, which may be gone by the time the job runs. */
export async function enqueueCancellation(tx: Context, subscription: string): Promise<void> {
  await enqueue(tx, 'billing.cancel', { subscription }, { uniqueKey: `billing.cancel:${subscription}` })
}

export async function cancelSubscription(ctx: Context, subscription: string): Promise<void> {
  if (!ctx.payments) {
    ctx.log.error({ subscription }, 'billing is off, so a subscription has to be cancelled by hand')
    throw new Discard('billing is off')
  }
  await ctx.payments.cancelSubscription(subscription)
}

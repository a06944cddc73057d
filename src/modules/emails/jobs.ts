// Background work of the ledger: delivering.
import type { Context } from '../../platform/context'
import type { JobArgs } from '../../platform/jobs/catalogue'
import type { JobHandlers, JobRun } from '../../platform/jobs/handlers'
import { makeDelivery } from './service'

/** `ctx` is the instance's own: deliveries that run at the same moment share their statements. */
export function emailJobs(ctx: Context) {
  const delivery = makeDelivery(ctx)
  const deliver = (_: Context, ids: JobArgs<'email.deliver'>, run: JobRun): Promise<void> =>
    delivery.deliver(ids.emailId, ids.projectId, run.isLastAttempt)
  return { 'email.deliver': deliver, 'email.follow': deliver } satisfies JobHandlers
}

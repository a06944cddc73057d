// Background work of the ledger: delivering.
import type { Context } from '../../platform/context'
import type { JobHandlers } from '../../platform/jobs/handlers'
import { makeDelivery } from './service'

/** `ctx` is the instance's own: deliveries that run at the same moment share their statements. */
export function emailJobs(ctx: Context) {
  const delivery = makeDelivery(ctx)
  return {
    'email.deliver': (_, { emailId, projectId }, run) =>
      delivery.deliver(emailId, projectId, run.isLastAttempt),
  } satisfies JobHandlers
}

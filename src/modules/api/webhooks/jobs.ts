// Background work of webhooks: calling endpoints, and deleting old deliveries.
import { hour } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { handle } from '../../../platform/jobs/kind'
import { schedule } from '../../../platform/jobs/schedule'
import { webhookKinds } from './kinds'
import { deleteContactDeliveries, makeDeliverer, pruneDeliveries } from './service'

/** `ctx` is the instance's own: calls that end at the same moment share their statements. */
export function webhookJobs(ctx: Context) {
  const deliver = makeDeliverer(ctx)
  return [
    handle(webhookKinds.deliver, (_, { deliveryId }, run) => deliver(run.projectId, deliveryId, run.signal)),
    handle(webhookKinds.eraseContact, (job, { contactId }, run) =>
      deleteContactDeliveries(job, run.projectId, contactId, run.signal),
    ),
    handle(webhookKinds.clean, (job, _, run) => pruneDeliveries(job, run.signal)),
  ]
}

export const webhookSchedules = [schedule(webhookKinds.clean, hour)]

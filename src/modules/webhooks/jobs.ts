// Background work of webhooks: calling endpoints, and deleting old deliveries.
import { hour } from '../../lib/time'
import { handle } from '../../platform/jobs/handlers'
import { schedule } from '../../platform/jobs/schedule'
import { webhookKinds } from './kinds'
import { deliver, forgetDeliveries, pruneDeliveries } from './service'

export const webhookJobs = [
  handle(webhookKinds.deliver, (ctx, { deliveryId }, run) =>
    deliver(ctx, run.projectId, deliveryId, run.signal),
  ),
  handle(webhookKinds.forget, (ctx, { contactId }, run) =>
    forgetDeliveries(ctx, run.projectId, contactId, run.signal),
  ),
  handle(webhookKinds.clean, (ctx, _, run) => pruneDeliveries(ctx, run.signal)),
]

export const webhookSchedules = [schedule(webhookKinds.clean, { everyMs: hour }, {})]

// Background work of the ledger: delivering, adding up what the counts of messages were appended, and emptying old messages.
import { hour, second } from '../../lib/time'
import type { Context } from '../../platform/context'
import type { JobArgs } from '../../platform/jobs/catalogue'
import type { JobHandlers, JobRun } from '../../platform/jobs/handlers'
import { schedule } from '../../platform/jobs/schedule'
import { emptyOldBodies, foldEmailCounts, makeDelivery, type PaceClass } from './service'

/** `ctx` is the instance's own: deliveries that run at the same moment share their statements. */
export function emailJobs(ctx: Context) {
  const delivery = makeDelivery(ctx)
  const deliver =
    (paceClass: PaceClass) =>
    (_: Context, ids: JobArgs<'email.deliver'>, run: JobRun): Promise<void> =>
      delivery.deliver(ids.emailId, ids.projectId, run.isLastAttempt, paceClass)
  return {
    'email.deliver': deliver('transactional'),
    'email.follow': deliver('workflow'),
    'email.empty': async (job, _, run) => ({ emptied: await emptyOldBodies(job, run.signal) }),
    'email.fold': async (job, _, run) => ({ folded: await foldEmailCounts(job, run.signal) }),
  } satisfies JobHandlers
}

export const emailSchedules = [
  schedule('email.fold', { everyMs: 10 * second }, {}),
  schedule('email.empty', { everyMs: hour }, {}),
]

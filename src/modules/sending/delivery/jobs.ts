// Background work of delivery: sending, and deleting what caps count no more.
import { day } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { handle, type JobRun } from '../../../platform/jobs/kind'
import { schedule } from '../../../platform/jobs/schedule'
import { emailKinds } from '../emails'
import { dropOldBookings, makeDelivery, type PaceClass } from './service'

/** `ctx` is the instance's own: deliveries that run at the same moment share their statements. */
export function deliveryJobs(ctx: Context) {
  const delivery = makeDelivery(ctx)
  const deliver =
    (paceClass: PaceClass) =>
    (_: Context, ids: { emailId: string; projectId: string }, run: JobRun): Promise<void> =>
      delivery.deliver(ids, run, paceClass)
  return [
    handle(emailKinds.deliver, deliver('transactional')),
    handle(emailKinds.deliverWorkflow, deliver('workflow')),
    handle(emailKinds.copies, (_, ids, run) => delivery.deliverCopies(ids, run)),
    handle(emailKinds.pruneBookings, (job, _, run) => dropOldBookings(job, run.signal)),
  ]
}

export const deliverySchedules = [schedule(emailKinds.pruneBookings, day)]

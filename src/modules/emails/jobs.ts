// Background work of the ledger: delivering, rolling up the counts of messages, and emptying old messages.

import { day, hour, second } from '../../lib/time'
import type { Context } from '../../platform/context'
import { handle, type JobRun } from '../../platform/jobs/handlers'
import { onlyWhere, schedule } from '../../platform/jobs/schedule'
import { emailKinds } from './kinds'
import {
  clearOldBodies,
  dropOldBookings,
  emptyErased,
  hasUncountedEmails,
  makeDelivery,
  type PaceClass,
  rollUpEmailCounts,
  wakePutOff,
} from './service'

/** `ctx` is the instance's own: deliveries that run at the same moment share their statements. */
export function emailJobs(ctx: Context) {
  const delivery = makeDelivery(ctx)
  const deliver =
    (paceClass: PaceClass) =>
    (_: Context, ids: { emailId: string; projectId: string }, run: JobRun): Promise<void> =>
      delivery.deliver(ids.emailId, ids.projectId, run.isLastAttempt, paceClass)
  return [
    handle(emailKinds.deliver, deliver('transactional')),
    handle(emailKinds.follow, deliver('workflow')),
    handle(emailKinds.copies, (_, ids) => delivery.deliverCopies(ids.emailId)),
    handle(emailKinds.empty, (job, _, run) => clearOldBodies(job, run.signal)),
    handle(emailKinds.erase, (job, _, run) => emptyErased(job, run.projectId, run)),
    handle(emailKinds.wake, job => wakePutOff(job)),
    handle(emailKinds.unbook, (job, _, run) => dropOldBookings(job, run.signal)),
    handle(emailKinds.fold, (job, _, run) => rollUpEmailCounts(job, run.signal)),
  ]
}

export const emailSchedules = [
  onlyWhere(hasUncountedEmails, schedule(emailKinds.fold, { everyMs: 10 * second }, {})),
  schedule(emailKinds.empty, { everyMs: hour }, {}),
  schedule(emailKinds.unbook, { everyMs: day }, {}),
]

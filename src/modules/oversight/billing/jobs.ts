// Background work of billing: reporting usage, notifying members, and cancelling subscriptions.

import { day, minute } from '../../../lib/time'
import { handle } from '../../../platform/jobs/kind'
import { type Schedule, schedule } from '../../../platform/jobs/schedule'
import type { Config } from '../../../settings/config'
import { billingKinds } from './kinds'
import {
  cancelSubscription,
  nameCustomer,
  pruneUsageReports,
  reportUsage,
  resumeReports,
  tellReport,
  warnMembers,
} from './service'

export const billingJobs = [
  handle(billingKinds.cancel, (ctx, { subscription }) => cancelSubscription(ctx, subscription)),
  handle(billingKinds.clean, (ctx, _, run) => pruneUsageReports(ctx, run.signal)),
  handle(billingKinds.meter, async (ctx, _, run) => {
    await reportUsage(ctx, run.signal)
    await resumeReports(ctx, run.signal)
  }),
  handle(billingKinds.renameCustomer, (ctx, { projectId }) => nameCustomer(ctx, projectId)),
  handle(billingKinds.report, (ctx, { reportId }, run) => tellReport(ctx, reportId, run)),
  handle(billingKinds.notifyLimits, (ctx, _, run) => warnMembers(ctx, run.signal)),
]

/** None where billing is off. */
export function billingSchedules({ stripe }: Config): Schedule[] {
  if (!stripe) return []
  return [
    schedule(billingKinds.meter, 5 * minute),
    schedule(billingKinds.notifyLimits, minute),
    schedule(billingKinds.clean, day),
  ]
}

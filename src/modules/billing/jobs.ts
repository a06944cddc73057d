// Background work of billing: reporting usage, telling members, and cancelling subscriptions.

import { day, minute } from '../../lib/time'
import type { JobHandlers } from '../../platform/jobs/handlers'
import { type Schedule, schedule } from '../../platform/jobs/schedule'
import type { Config } from '../../settings/config'
import {
  cancelSubscription,
  forgetOldReports,
  nameCustomer,
  reportUsage,
  resumeReports,
  tellReport,
  warnMembers,
} from './service'

export const billingJobs = {
  'billing.cancel': (ctx, { subscription }) => cancelSubscription(ctx, subscription),
  'billing.clean': (ctx, _, run) => forgetOldReports(ctx, run.signal),
  'billing.meter': async (ctx, _, run) => ({
    reports: await reportUsage(ctx, run.signal),
    resumed: await resumeReports(ctx, run.signal),
  }),
  'billing.name': (ctx, { projectId }) => nameCustomer(ctx, projectId),
  'billing.report': (ctx, { reportId }, run) => tellReport(ctx, reportId, run),
  'billing.warn': async (ctx, _, run) => ({ told: await warnMembers(ctx, run.signal) }),
} satisfies JobHandlers

/** None where billing is off. */
export function billingSchedules({ stripe }: Config): Schedule[] {
  if (!stripe) return []
  return [
    schedule('billing.meter', { everyMs: 5 * minute }, {}),
    schedule('billing.warn', { everyMs: minute }, {}),
    schedule('billing.clean', { everyMs: day }, {}),
  ]
}

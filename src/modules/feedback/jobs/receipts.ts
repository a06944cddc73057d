// Background work of the receivers.
import { hour } from '../../../lib/time'
import type { JobHandlers } from '../../../platform/jobs/handlers'
import { type Schedule, schedule } from '../../../platform/jobs/schedule'
import { forgetReceipts } from '../service'

export const receiptJobs = {
  'feedback.clean': (ctx, _, run) => forgetReceipts(ctx, run.signal),
} satisfies JobHandlers

export const receiptSchedules: Schedule[] = [schedule('feedback.clean', { everyMs: hour }, {})]

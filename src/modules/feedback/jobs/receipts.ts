// Background work of the receivers.

import { hour } from '../../../lib/time'
import { handle } from '../../../platform/jobs/handlers'
import { type Schedule, schedule } from '../../../platform/jobs/schedule'
import { feedbackKinds } from '../kinds'
import { pruneReceipts } from '../service'

export const receiptJobs = [handle(feedbackKinds.clean, (ctx, _, run) => pruneReceipts(ctx, run.signal))]

export const receiptSchedules: Schedule[] = [schedule(feedbackKinds.clean, { everyMs: hour }, {})]

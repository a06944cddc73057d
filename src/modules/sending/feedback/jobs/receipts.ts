// Background work of the receivers.

import { hour, minute } from '../../../../lib/time'
import { enqueue } from '../../../../platform/jobs/enqueue'
import { handle } from '../../../../platform/jobs/kind'
import { type Schedule, schedule } from '../../../../platform/jobs/schedule'
import type { Config } from '../../../../settings/config'
import { feedbackKinds } from '../kinds'
import { pruneReceipts, readReturned } from '../service'
import { reportComplaint } from '../service/simulated'

export const receiptJobs = [
  handle(feedbackKinds.clean, (ctx, _, run) => pruneReceipts(ctx, run.signal)),
  handle(feedbackKinds.simulateComplaint, reportComplaint),
  handle(feedbackKinds.checkMailbox, ctx =>
    enqueue(ctx, feedbackKinds.readMailbox, {}, { uniqueKey: feedbackKinds.readMailbox.kind }),
  ),
  handle(feedbackKinds.readMailbox, (ctx, _, run) => readReturned(ctx, run.signal)),
]

export function receiptSchedules({ bounceMailbox }: Pick<Config, 'bounceMailbox'>): Schedule[] {
  const cleaning = schedule(feedbackKinds.clean, hour)
  return bounceMailbox ? [cleaning, schedule(feedbackKinds.checkMailbox, minute)] : [cleaning]
}

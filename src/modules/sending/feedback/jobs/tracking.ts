// Background work of tracking: hits wait in their table until no more arrive for their message; the table is the only timer.

import { second } from '../../../../lib/time'
import { handle } from '../../../../platform/jobs/kind'
import { type Schedule, schedule } from '../../../../platform/jobs/schedule'
import { feedbackKinds } from '../kinds'
import { hasHits } from '../queries/tracking'
import { classifyQuietHits } from '../service/classify-hits'

export const trackingJobs = [
  handle(feedbackKinds.classify, (ctx, _, run) => classifyQuietHits(ctx, run.signal)),
]

export const trackingSchedules: Schedule[] = [schedule(feedbackKinds.classify, 3 * second, hasHits)]

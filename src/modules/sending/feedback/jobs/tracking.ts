// Background work of tracking: hits wait in their table until no more arrive for their message; the table is the only timer.

import { second } from '../../../../lib/time'
import { handle } from '../../../../platform/jobs/kind'
import { type Schedule, schedule } from '../../../../platform/jobs/schedule'
import { feedbackKinds } from '../kinds'
import { hasHits } from '../queries/tracking'
import { classifyQuietHits } from '../service/classify-hits'

export const trackingJobs = [handle(feedbackKinds.judge, (ctx, _, run) => classifyQuietHits(ctx, run.signal))]

export const trackingSchedules: Schedule[] = [schedule(feedbackKinds.judge, 3 * second, hasHits)]

// Background work of retention: once a day for each project that has rules.
import { hour } from '../../../lib/time'
import { handle } from '../../../platform/jobs/kind'
import { schedule } from '../../../platform/jobs/schedule'
import { retentionKinds } from './kinds'
import { applyRetention, startRetention } from './service/retention'

export const privacyJobs = [
  handle(retentionKinds.startDue, ctx => startRetention(ctx)),
  handle(retentionKinds.apply, (ctx, _, run) => applyRetention(ctx, run.projectId, run.signal)),
]

export const privacySchedules = [schedule(retentionKinds.startDue, hour)]

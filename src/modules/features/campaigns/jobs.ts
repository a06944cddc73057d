// Background work of campaigns: starting those that are due, recording recipients, sending to them, closing what was canceled.
import { minute, second } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { handle } from '../../../platform/jobs/kind'
import { type Schedule, schedule } from '../../../platform/jobs/schedule'
import { campaignKinds } from './kinds'
import { hasCampaignDeltas } from './results/queries/counts'
import { rollUpCampaignCounts } from './results/service/counts'
import { hasDueCampaigns } from './sending/queries/probes'
import { judgeDueTests } from './sending/service/ab-decision'
import { expandOrPause } from './sending/service/expand'
import { releaseReceiver } from './sending/service/receivers'
import { startDueProbes } from './sending/service/recovery'
import { retryRest } from './sending/service/retry'
import { startDueCampaigns } from './sending/service/send'
import { makeSliceSending } from './sending/service/slice'
import { failRestOfCampaign } from './sending/service/stop'

/** `ctx` is the instance's own: slices that are sent at the same moment share its transactions. */
export function campaignJobs(ctx: Context) {
  const sending = makeSliceSending(ctx)
  return [
    handle(campaignKinds.startDue, async job => {
      await startDueCampaigns(job)
      await startDueProbes(job)
      await judgeDueTests(job)
    }),
    handle(campaignKinds.expand, expandOrPause),
    handle(campaignKinds.send, (_, { sliceId }, run) => sending.sendSlice(sliceId, run)),
    handle(campaignKinds.close, (job, ids, run) => failRestOfCampaign(job, ids, run.signal)),
    handle(campaignKinds.retry, (job, { campaignId, after, until }, run) =>
      retryRest(job, { projectId: run.projectId, campaignId, after, until: new Date(until) }, run.signal),
    ),
    handle(campaignKinds.release, (job, { campaignId, receiver }, run) =>
      releaseReceiver(job, { projectId: run.projectId, campaignId, receiver }, run.signal),
    ),
    handle(campaignKinds.rollUp, (job, _, run) => rollUpCampaignCounts(job, run.signal)),
  ]
}

export const campaignSchedules: Schedule[] = [
  schedule(campaignKinds.startDue, 3 * second, hasDueCampaigns),
  schedule(campaignKinds.rollUp, minute, hasCampaignDeltas),
]

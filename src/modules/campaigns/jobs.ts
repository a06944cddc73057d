// Background work of campaigns: starting those that are due, writing recipients down, sending them, closing what was cancelled.
import { minute, second } from '../../lib/time'
import type { Context } from '../../platform/context'
import type { JobHandlers, JobRun } from '../../platform/jobs/handlers'
import { Discard } from '../../platform/jobs/outcome'
import { type Schedule, schedule } from '../../platform/jobs/schedule'
import {
  closeCampaign,
  expandOrPause,
  foldCampaignCounts,
  makeSliceSending,
  retryRest,
  startDueCampaigns,
  startDueProbes,
} from './service'

/** `ctx` is the instance's own: slices that are sent at the same moment share its transactions. */
export function campaignJobs(ctx: Context) {
  const sending = makeSliceSending(ctx)
  return {
    'campaign.sweep': async job => {
      await startDueCampaigns(job)
      await startDueProbes(job)
    },
    'campaign.expand': expandOrPause,
    'campaign.send': (_, { sliceId }, run) => sending.sendSlice(sliceId, run),
    'campaign.close': (job, ids, run) => closeCampaign(job, ids, run.signal),
    'campaign.retry': (job, { campaignId, after, until }, run) =>
      retryRest(job, { projectId: projectOf(run), campaignId, after, until: new Date(until) }, run.signal),
    'campaign.fold': (job, _, run) => foldCampaignCounts(job, run.signal),
  } satisfies JobHandlers
}

export const campaignSchedules: Schedule[] = [
  schedule('campaign.sweep', { everyMs: 3 * second }, {}),
  schedule('campaign.fold', { everyMs: minute }, {}),
]

function projectOf({ projectId }: JobRun): string {
  if (projectId === null) throw new Discard('the job names no project')
  return projectId
}

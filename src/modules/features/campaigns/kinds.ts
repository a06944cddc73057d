// The kinds of background work of campaigns. A job carries ids, never data: what it needs it reads when it runs.
import { Type } from '@sinclair/typebox'
import { minute } from '../../../lib/time'
import { chore, idArgument, job, projectJob, sendingTimes } from '../../../platform/jobs/kind'

export const campaignKinds = {
  /** Closes the recipients that a canceled campaign leaves open. */
  close: job('campaign.close', 'system', { projectId: idArgument, campaignId: idArgument }),
  /** Records the recipients of a campaign, a page at a time. */
  expand: job(
    'campaign.expand',
    'bulk',
    { projectId: idArgument, campaignId: idArgument },
    { maxAttempts: 50, timeLimitMs: 10 * minute },
  ),
  /** Rolls up the counts of campaigns. */
  rollUp: job('campaign.rollUp', 'system', {}, { ...chore, formerly: 'campaign.fold' }),
  /** Makes due again what waited because a receiver refused the campaign. */
  release: projectJob('campaign.release', 'system', {
    campaignId: idArgument,
    receiver: Type.String({ maxLength: 253 }),
  }),
  /** Continues queueing again those that a campaign did not reach, after a contact; `until` is when that was asked for, in ISO 8601. */
  retry: projectJob('campaign.retry', 'system', {
    campaignId: idArgument,
    after: idArgument,
    until: Type.String({ maxLength: 30 }),
  }),
  /** Sends a slice of a campaign, and comes back until none of its recipients is open. */
  send: job('campaign.send', 'bulk', { sliceId: idArgument }, { maxAttempts: 50, ...sendingTimes }),
  /** Starts the campaigns that are due, tries those again that were interrupted, and judges A/B tests. */
  startDue: job(
    'campaign.startDue',
    'system',
    {},
    { ...chore, startsSending: true, formerly: 'campaign.sweep' },
  ),
}

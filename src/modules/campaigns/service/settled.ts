// What settled and reported messages add to the counts of their campaigns, in the transaction that stores it.

import type { Context } from '../../../platform/context'
import type { EmailSettlement } from '../../emails'
import type { ReducedMail } from '../../feedback'
import { clicksOf } from '../clicks'
import { type CountChange, countsOfSettled } from '../counts'
import { appendCounts, recordClicks } from '../queries'

export async function countSettled(tx: Context, settlements: readonly EmailSettlement[]): Promise<void> {
  const changes = settlements.flatMap(
    ({ email: { projectId, campaignId }, outcome, wasHeld }): CountChange[] =>
      campaignId ? [{ projectId, campaignId, ...countsOfSettled({ ...outcome, wasHeld }) }] : [],
  )
  await appendCounts(tx, changes)
}

export async function countReported(tx: Context, reduced: readonly ReducedMail[]): Promise<void> {
  const changes = reduced.flatMap(({ mail: { projectId, campaignId }, deltas }): CountChange[] =>
    campaignId ? [{ projectId, campaignId, ...deltas }] : [],
  )
  await appendCounts(tx, changes)
  await recordClicks(tx, clicksOf(reduced))
}

// What settled and reported messages add to the counts of their campaigns, in the transaction that stores it.

import type { Context } from '../../../../platform/context'
import type { EmailSettlement } from '../../../sending/emails'
import type { ReducedMail } from '../../../sending/feedback'
import { clicksOf } from '../clicks'
import { countsOfSettled } from '../counts'
import { appendCounts, recordClicks } from '../queries'
import { learnFromReports, learnFromSettled } from './receivers'
import { type MailChange, withVariants } from './variant-counts'

export async function countSettled(tx: Context, settlements: readonly EmailSettlement[]): Promise<void> {
  const changes = settlements.flatMap(
    ({ email: { projectId, campaignId, contactId }, outcome, wasHeld }): MailChange[] =>
      campaignId ? [{ projectId, campaignId, contactId, ...countsOfSettled({ ...outcome, wasHeld }) }] : [],
  )
  await appendCounts(tx, await withVariants(tx, changes))
  await learnFromSettled(tx, settlements)
}

export async function countReported(tx: Context, reduced: readonly ReducedMail[]): Promise<void> {
  const changes = reduced.flatMap(({ mail: { projectId, campaignId, contactId }, deltas }): MailChange[] =>
    campaignId ? [{ projectId, campaignId, contactId, ...deltas }] : [],
  )
  await appendCounts(tx, await withVariants(tx, changes))
  await recordClicks(tx, clicksOf(reduced))
  await learnFromReports(tx, reduced)
}

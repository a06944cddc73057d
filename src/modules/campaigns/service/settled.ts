// What settled and reported messages add to the counts of their campaigns, in the transaction that stores it.
import type { Context } from '../../../platform/context'
import type { Outcome } from '../../emails/service'
import type { FoldedMail } from '../../feedback/fold'
import { type CountChange, countsOfSettled } from '../counts'
import { appendCounts } from '../queries'

export async function countSettled(tx: Context, outcomes: readonly Outcome[]): Promise<void> {
  const changes = outcomes.flatMap(({ email: { projectId, campaignId }, settlement }): CountChange[] =>
    campaignId ? [{ projectId, campaignId, ...countsOfSettled(settlement) }] : [],
  )
  await appendCounts(tx, changes)
}

export async function countReported(tx: Context, folded: readonly FoldedMail[]): Promise<void> {
  const changes = folded.flatMap(({ mail: { projectId, campaignId }, deltas }): CountChange[] =>
    campaignId ? [{ projectId, campaignId, ...deltas }] : [],
  )
  await appendCounts(tx, changes)
}

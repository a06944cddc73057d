// Stopping campaigns for good or for a while, and resuming them. Each is one guarded statement on the campaign's row; the jobs that send
// check it before every batch.
import { type Context, inTransaction } from '../../../../../platform/context'
import { enqueue, enqueueMany } from '../../../../../platform/jobs/enqueue'
import type { ProjectActor } from '../../../../accounts/projects'
import { recordEvents } from '../../../../audience/events'
import { requireVerifiedSender } from '../../../../sending/domains'
import { countRecipientsOf } from '../../authoring/service/audience'
import { campaignKinds } from '../../kinds'
import type { CountedCampaign } from '../../model'
import { type CampaignChanges, type CampaignRow, changeCampaign, lockCampaign } from '../../queries'
import { selectCampaignCounts } from '../../results/queries/counts'
import { campaignNotFound, counted, noteCampaign } from '../../service'
import { type CampaignAction, requireAllowed } from '../../state'
import { type Slice, selectOpenSlices } from '../queries/slices'
import { requireApprovedStart } from './approval'

/** Runs the transition, or throws what its state says about it. */
async function move(
  tx: Context,
  projectId: string,
  id: string,
  action: CampaignAction,
  changes: CampaignChanges,
): Promise<CampaignRow> {
  const row = await lockCampaign(tx, projectId, id)
  if (!row) throw campaignNotFound(id)
  requireAllowed(action, row)
  return (await changeCampaign(tx, row, action, changes))!
}

/** Back to a draft, as long as nothing has left: also within the delay that Send was asked for with. */
export async function unscheduleCampaign(
  ctx: Context,
  { projectId, by }: ProjectActor,
  id: string,
): Promise<CountedCampaign> {
  return inTransaction(ctx, async tx => {
    const changes = { status: 'DRAFT' as const, scheduledFor: null, totalRecipients: 0 }
    const row = await move(tx, projectId, id, 'unschedule', changes)
    await noteCampaign(tx, by, 'campaign.unscheduled', row)
    return counted(tx, row)
  })
}

/** What has not left by now will not leave: its rows become FAILED by a job. */
export async function cancelCampaign(
  ctx: Context,
  { projectId, by }: ProjectActor,
  id: string,
): Promise<CountedCampaign> {
  return inTransaction(ctx, async tx => {
    const changes = {
      status: 'CANCELLED' as const,
      finishedAt: tx.clock.now(),
      ...notPaused,
    }
    const row = await move(tx, projectId, id, 'cancel', changes)
    await noteCampaign(tx, by, 'campaign.cancelled', row)
    if (row.sentAt) await enqueue(tx, campaignKinds.close, { projectId, campaignId: id }, { projectId })
    return counted(tx, row)
  })
}

export async function pauseCampaign(
  ctx: Context,
  { projectId, by }: ProjectActor,
  id: string,
): Promise<CountedCampaign> {
  return inTransaction(ctx, async tx => {
    const row = await move(tx, projectId, id, 'pause', { ...notPaused, pausedAt: tx.clock.now() })
    await noteCampaign(tx, by, 'campaign.paused', row)
    return counted(tx, row)
  })
}

export const notPaused = { pausedAt: null, pausedReason: null, probeAt: null, probes: 0 }

/** Goes on where it stopped; 403 where the sender is no longer verified, 409 where one that has not begun is not approved. */
export async function resumeCampaign(
  ctx: Context,
  { projectId, by }: ProjectActor,
  id: string,
): Promise<CountedCampaign> {
  return inTransaction(ctx, async tx => {
    const row = await lockCampaign(tx, projectId, id)
    if (!row) throw campaignNotFound(id)
    requireAllowed('resume', row)
    await requireVerifiedSender(tx, projectId, row.fromEmail)
    if (hasNotBegun(row)) await requireApprovedStart(tx, row, () => countRecipientsOf(tx, row))
    await noteCampaign(tx, by, 'campaign.resumed', row)
    return counted(tx, (await goOn(tx, row, 'resume'))!)
  })
}

/** None of its recipients is recorded yet. */
const hasNotBegun = ({ isExpanded, expandedTo }: CampaignRow): boolean => !isExpanded && expandedTo === null

/** Ends the pause and queues what is open; undefined if the campaign is not paused in the way that the action wants. */
export async function goOn(
  tx: Context,
  campaign: Pick<CampaignRow, 'projectId' | 'id'>,
  action: 'resume' | 'recover',
): Promise<CampaignRow | undefined> {
  const { projectId, id } = campaign
  const { settled } = (await selectCampaignCounts(tx, projectId, [id])).get(id)!
  const changes = { ...notPaused, measuredFrom: tx.clock.now(), measuredBase: settled }
  const row = await changeCampaign(tx, campaign, action, changes)
  if (!row) return undefined
  await enqueue(
    tx,
    campaignKinds.expand,
    { projectId, campaignId: id },
    { projectId, uniqueKey: `expand:${id}` },
  )
  await enqueueSlices(tx, await selectOpenSlices(tx, projectId, id))
  return row
}

/**
 * A job for each slice; one that waits or runs already stays the only one, and does not wait for the next try of a message that was
 * deferred: others may leave now.
 */
export async function enqueueSlices(
  tx: Context,
  slices: readonly Pick<Slice, 'id' | 'projectId'>[],
): Promise<void> {
  await enqueueMany(
    tx,
    campaignKinds.send,
    slices.map(({ id, projectId }) => ({
      args: { sliceId: id },
      projectId,
      uniqueKey: `slice:${id}`,
    })),
    { hastens: true },
  )
}

interface Pause {
  /** The other side's last words, or why nothing is sent. */
  response: string
  /** When Waxwing tries again; null where a person has to resume it. */
  nextTryAt: Date | null
  /** Undefined for a pause as a whole. */
  provider?: { receiver: string; heldCount: number; refusedCount: number; answerCount: number }
}

/** In the transaction of the pause. It is about no contact, so it starts no workflow. */
export async function recordPause(
  tx: Context,
  { id, projectId, name }: Pick<CampaignRow, 'id' | 'projectId' | 'name'>,
  { response, nextTryAt, provider }: Pause,
): Promise<void> {
  const data = {
    ...{ campaignId: id, name, receiver: null, response },
    ...provider,
    nextTryAt: nextTryAt?.toISOString() ?? null,
  }
  await recordEvents(tx, projectId, [{ name: 'campaign.paused', data }])
}

/** An event without a contact outlives the erasure of one, so it does not name whom the message was for. */
export function withoutRecipient(words: string, address: string): string {
  const wanted = address.toLowerCase()
  return words
    .split(/([\s<>(),;:"[\]]+)/)
    .map(word => (word.replace(/\.$/, '').toLowerCase() === wanted ? '…' : word))
    .join('')
}

// What a person decides about a receiver that refuses a campaign: to go on with it, or to leave out the rest.
import { conflict, notFound } from '../../../../lib/errors'
import { type Context, inTransaction } from '../../../../platform/context'
import type { ProjectActor } from '../../../accounts/projects'
import type { CountedCampaign } from '../model'
import * as queries from '../queries'
import { noteCampaign } from './audit'
import { campaignNotFound, counted } from './read'
import { letGo } from './receivers'

/** Messages that wait for the receiver are sent at once. */
export async function resumeReceiver(
  ctx: Context,
  actor: ProjectActor,
  id: string,
  receiver: string,
): Promise<CountedCampaign> {
  return await decide(ctx, actor, { id, receiver }, queries.resumeReceiver, 'campaign.resumed')
}

/** They become SKIPPED instead. */
export async function leaveOutReceiver(
  ctx: Context,
  actor: ProjectActor,
  id: string,
  receiver: string,
): Promise<CountedCampaign> {
  return await decide(ctx, actor, { id, receiver }, queries.skipReceiver, 'campaign.receiverLeftOut')
}

async function decide(
  ctx: Context,
  { projectId, by }: ProjectActor,
  { id, receiver }: { id: string; receiver: string },
  change: (tx: Context, name: queries.ReceiverName) => Promise<boolean>,
  action: 'campaign.resumed' | 'campaign.receiverLeftOut',
): Promise<CountedCampaign> {
  return await inTransaction(ctx, async tx => {
    const row = await queries.lockCampaign(tx, projectId, id)
    if (!row) throw campaignNotFound(id)
    if (row.status !== 'SENDING')
      throw conflict("This campaign is not sending, so its mailbox providers can't be resumed or skipped", {
        details: { status: row.status },
      })
    const name = { projectId, campaignId: id, receiver }
    if (!(await change(tx, name))) throw notFound('Paused receiver', receiver)
    await letGo(tx, name)
    await noteCampaign(tx, by, action, row, { receiver })
    return counted(tx, row)
  })
}

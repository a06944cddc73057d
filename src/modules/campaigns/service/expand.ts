// Writes a campaign's recipients down. Page, cursor, slice and the job that sends the slice are one transaction: a crash repeats
// nothing and loses nothing.
import { asciiAddress, domainOf } from '../../../lib/address'
import { type Context, inTransaction, newId } from '../../../platform/context'
import type { JobRun } from '../../../platform/jobs/handlers'
import { Snooze } from '../../../platform/jobs/outcome'
import { classOf } from '../compose'
import {
  type CampaignRow,
  finishCampaign,
  insertRecipients,
  insertSlice,
  lockCampaign,
  moveCursor,
  projectName,
} from '../queries'
import { audienceQuery } from './audience'
import { enqueueSlices } from './control'

const pageSize = 1_000
const beforeAll = '00000000-0000-0000-0000-000000000000'

interface CampaignId {
  projectId: string
  campaignId: string
}

/** Page after page until all recipients are written down; goes on later where it has to stop. */
export async function expandCampaign(
  ctx: Context,
  ids: CampaignId,
  run: Pick<JobRun, 'signal'>,
): Promise<void> {
  while (await inTransaction(ctx, tx => expandPage(tx, ids))) if (run.signal.aborted) throw new Snooze(0)
  // Nobody may be in the audience any more, or all slices may be done already.
  await finishCampaign(ctx, ids.projectId, ids.campaignId)
}

/** True while there is more to do. */
async function expandPage(tx: Context, ids: CampaignId): Promise<boolean> {
  const campaign = await lockCampaign(tx, ids.projectId, ids.campaignId)
  if (campaign?.status !== 'SENDING' || campaign.isExpanded) return false
  const after = campaign.expandedTo ?? beforeAll
  const upTo = campaign.boundary ?? beforeAll
  const facts = { ...ids, ...(await factsOf(tx, campaign)), after, upTo }
  const page = await insertRecipients(tx, await audienceQuery(tx, campaign), facts, pageSize)
  const isLast = page.found < pageSize
  const last = isLast ? upTo : page.last!
  if (page.found > 0) {
    const slice = { id: newId(tx), ...ids, after, upTo: last, recipients: page.added }
    await insertSlice(tx, slice)
    if (!campaign.pausedAt) await enqueueSlices(tx, [slice])
  }
  await moveCursor(tx, ids, last, isLast)
  return !isLast
}

async function factsOf(tx: Context, campaign: CampaignRow) {
  const { fromEmail, fromName, replyTo, subject, type, projectId } = campaign
  return {
    ...classOf(type),
    subject,
    fromEmail,
    fromName: fromName || (await projectName(tx, projectId)),
    replyTo,
    messageIdDomain: domainOf(asciiAddress(fromEmail)),
  }
}

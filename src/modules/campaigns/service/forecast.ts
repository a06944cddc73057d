// On which days a campaign leaves, while its sender is in a warm-up.

import { domainOf } from '../../../lib/address'
import { canonicalDomain } from '../../../lib/domain-name'
import type { Context } from '../../../platform/context'
import { type DayOfForecast, forecastWarmUp } from '../../domains'
import { type CampaignRow, selectCampaignCounts, selectSending } from '../queries'
import { countRecipientsOf } from './audience'
import { requireCampaign } from './read'

export interface CampaignForecast {
  domain: string
  /** Who has still to be written to. */
  recipients: number
  days: DayOfForecast[]
}

/** What other campaigns of the domain have begun to send goes first. Without a warm-up, and when it is over, there are no days. */
export async function forecastCampaign(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<CampaignForecast> {
  const row = await requireCampaign(ctx, projectId, id)
  const domain = senderOf(row)
  const recipients = await recipientsLeft(ctx, row)
  const ahead = row.status === 'SENDING' ? 0 : await openBefore(ctx, projectId, domain)
  const now = ctx.clock.now()
  const from = row.status === 'SCHEDULED' && row.scheduledFor! > now ? row.scheduledFor! : now
  const days = await forecastWarmUp(ctx, { projectId, domain }, { ahead, messages: recipients, from })
  return { domain, recipients, days }
}

function senderOf({ fromEmail }: Pick<CampaignRow, 'fromEmail'>): string {
  const domain = domainOf(fromEmail)
  return canonicalDomain(domain) ?? domain
}

async function recipientsLeft(ctx: Context, row: CampaignRow): Promise<number> {
  switch (row.status) {
    case 'DRAFT':
    case 'SCHEDULED':
      return await countRecipientsOf(ctx, row)
    case 'SENDING': {
      const counts = await selectCampaignCounts(ctx, row.projectId, [row.id])
      return Math.max(0, row.totalRecipients - counts.get(row.id)!.settled)
    }
    default:
      return 0
  }
}

/** How many of the campaigns that are sending from this domain have still to leave. */
async function openBefore(ctx: Context, projectId: string, domain: string): Promise<number> {
  const sending = (await selectSending(ctx, projectId)).filter(row => senderOf(row) === domain)
  const ids = sending.map(({ id }) => id)
  const counts = ids.length > 0 ? await selectCampaignCounts(ctx, projectId, ids) : new Map()
  const open = sending.map(({ id, totalRecipients }) =>
    Math.max(0, totalRecipients - counts.get(id)!.settled),
  )
  return open.reduce((sum, one) => sum + one, 0)
}

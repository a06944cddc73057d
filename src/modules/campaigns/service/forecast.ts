// When a campaign leaves: the moments of its recipients, and on which days while its sender is in a warm-up.

import { domainOf } from '../../../lib/address'
import { canonicalDomain } from '../../../lib/domain-name'
import { after, hour } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { type DayOfForecast, forecastWarmUp } from '../../domains'
import {
  type CampaignRow,
  countDue,
  countPlans,
  type Moments,
  type PlanCount,
  selectAbTest,
  selectCampaignCounts,
  selectMomentRules,
  selectSending,
} from '../queries'
import { hoursOf } from '../timing'
import { audienceQuery, countRecipientsOf } from './audience'
import { momentsFor } from './moments'
import { requireCampaign } from './read'

export interface CampaignForecast {
  domain: string
  /** Who has still to be written to. */
  recipients: number
  days: DayOfForecast[]
  /** How many are due in each hour; none where everybody is at once. */
  moments: HourOfForecast[]
  /** Those whose time zone is not known, and who get it by the project's. */
  withoutTimeZone: number
}

export interface HourOfForecast {
  at: Date
  recipients: number
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
  return { domain, recipients, days, ...(await momentsOf(ctx, row, from)) }
}

/** Of one that is being sent, its recipients have their moments already. */
async function momentsOf(
  ctx: Context,
  row: CampaignRow,
  from: Date,
): Promise<Pick<CampaignForecast, 'moments' | 'withoutTimeZone'>> {
  const nothing = { moments: [], withoutTimeZone: 0 }
  if (row.status === 'SENT' || row.status === 'CANCELLED') return nothing
  const rules = (await selectMomentRules(ctx, row.projectId))!
  const moments = await momentsFor(ctx, { ...row, ...rules }, row.sentAt ?? from)
  if (!moments) return nothing
  if (row.status === 'SENDING')
    return { moments: await countDue(ctx, row.projectId, row.id), withoutTimeZone: 0 }
  const audience = await audienceQuery(ctx, row)
  const counted = await countPlans(ctx, audience, moments)
  const test = await selectAbTest(ctx, row.projectId, row.id)
  const part = (test?.share ?? 100) / 100
  const hours = hoursOfPlans(moments, counted, part)
  if (test && part < 1) {
    // The others are planned when the test ends, its hours after the last of its share.
    const end = after(new Date(Math.max(...hours.keys(), from.getTime())), test.afterHours * hour)
    const later = (await momentsFor(ctx, { ...row, ...rules }, end))!
    for (const [at, count] of hoursOfPlans(later, await countPlans(ctx, audience, later), 1 - part))
      hours.set(at, (hours.get(at) ?? 0) + count)
  }
  const sorted = [...hours].toSorted(([a], [b]) => a - b)
  return {
    moments: sorted.map(([at, recipients]) => ({ at: new Date(at), recipients })),
    withoutTimeZone: counted.find(each => each.plan === null)?.recipients ?? 0,
  }
}

/** How many are due in each hour, if only this part of them counts. */
function hoursOfPlans(moments: Moments, counted: readonly PlanCount[], part: number): Map<number, number> {
  const hours = new Map<number, number>()
  for (const { plan, recipients } of counted)
    for (const [at, count] of hoursOf(moments.plans[plan ?? moments.other]!, Math.round(recipients * part)))
      hours.set(at, (hours.get(at) ?? 0) + count)
  return hours
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

// When a campaign leaves: the moments of its recipients, and on which days while its sender is in a warm-up.
import { domainOf } from '../../../../../lib/address'
import { canonicalDomain } from '../../../../../lib/domain-name'
import { after, hour } from '../../../../../lib/time'
import type { Context } from '../../../../../platform/context'
import { plansFor } from '../../../../sending/delivery'
import { type DayOfForecast, forecastWarmUp } from '../../../../sending/domains'
import { inFilterTurn } from '../../../segments'
import { type CampaignRow, selectSending } from '../../queries'
import { selectCampaignCounts } from '../../results/queries/counts'
import { countDue, countPlans, selectMomentRules } from '../../sending/queries/moments'
import { momentsFor } from '../../sending/service/moments'
import { requireCampaign } from '../../service'
import type { PlanFactors } from '../forecast-hours'
import { bothForecasts, type ForecastHours, type ForecastUnknown, forecastHours } from '../forecast-hours'
import { selectAbTest } from '../queries/ab-tests'
import { audienceQuery, countRecipientsOf, isForSubscribed } from './audience'

export interface CampaignForecast {
  domain: string
  /** The transports in a warm-up that bound it, because there is no other way. */
  transports: string[]
  /** Who has still to be written to. */
  recipients: number
  days: DayOfForecast[]
  /** How many are due in each hour; none where everybody is at once. */
  moments: HourOfForecast[]
  /** Those whose time zone is not known, and who get it by the project's. */
  withoutTimeZone: number
  /** Of one that has not begun. */
  heldByCap: number
  skippedByCap: number
  unknown: ForecastUnknown[]
}

export interface HourOfForecast {
  at: Date
  recipients: number
}

/** What other campaigns have begun to send goes first. Without a warm-up, and when it is over, there are no days. */
export async function forecastCampaign(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<CampaignForecast> {
  const row = await requireCampaign(ctx, projectId, id)
  const domain = senderOf(row)
  const recipients = await recipientsLeft(ctx, row)
  const now = ctx.clock.now()
  const from = row.status === 'SCHEDULED' && row.scheduledFor! > now ? row.scheduledFor! : now
  const { arrivals, hasCap, ...counts } = await momentsOf(ctx, row, from, recipients)
  const transportPlans = plansFor(ctx, row)
  const ahead =
    row.status === 'SENDING' ? { domain: 0, transports: 0 } : await openBefore(ctx, projectId, domain)
  const sender = { projectId, domain, transports: transportPlans.plans }
  const { days, transports } = await forecastWarmUp(ctx, sender, { ahead, arrivals, from })
  const unknown: ForecastUnknown[] = [
    ...(transports.length > 0 ? ['OTHER_PROJECTS' as const] : []),
    ...(transportPlans.isByRecipient && transports.length > 0 ? ['RECIPIENT_TRANSPORTS' as const] : []),
    ...(hasCap ? ['OTHER_MAIL' as const] : []),
  ]
  return { domain, transports, recipients, days, ...counts, unknown }
}

interface MomentsOfForecast
  extends Pick<CampaignForecast, 'moments' | 'withoutTimeZone' | 'heldByCap' | 'skippedByCap'> {
  /** How many are due on each day, as dates in UTC. */
  arrivals: Map<string, number>
  hasCap: boolean
}

/** Of one that is being sent, its recipients have their moments already. */
async function momentsOf(
  ctx: Context,
  row: CampaignRow,
  from: Date,
  recipients: number,
): Promise<MomentsOfForecast> {
  const arrivals = new Map([[dateOf(from.getTime()), recipients]])
  const atOnce = { moments: [], withoutTimeZone: 0, heldByCap: 0, skippedByCap: 0, arrivals, hasCap: false }
  if (row.status === 'SENT' || row.status === 'CANCELLED') return atOnce
  const rules = (await selectMomentRules(ctx, row.projectId))!
  const cap = isForSubscribed(row.type) ? rules.mailCap : null
  const moments = await momentsFor(ctx, { ...row, ...rules }, row.sentAt ?? from)
  if (!moments && !cap) return atOnce
  const hasCap = cap !== null
  if (row.status === 'SENDING')
    return { ...atOnce, hasCap, moments: await countDue(ctx, row.projectId, row.id) }
  const counts = await inFilterTurn(ctx, row.projectId, heavy =>
    planned(heavy, row, { moments, cap, from }, end => momentsFor(ctx, { ...row, ...rules }, end)),
  )
  // Where nobody is told of anything but now, there is nothing to tell.
  if (!moments && counts.heldByCap + counts.skippedByCap === 0) return { ...atOnce, hasCap }
  const sorted = [...counts.hours].toSorted(([a], [b]) => a - b)
  arrivals.clear()
  for (const [at, count] of sorted) {
    const date = dateOf(Math.max(at, from.getTime()))
    arrivals.set(date, (arrivals.get(date) ?? 0) + count)
  }
  return {
    moments: sorted.map(([at, count]) => ({ at: new Date(at), recipients: count })),
    withoutTimeZone: moments ? counts.withoutTimeZone : 0,
    heldByCap: counts.heldByCap,
    skippedByCap: counts.skippedByCap,
    ...{ arrivals, hasCap },
  }
}

/** In an A/B test the others are planned when it ends, its hours after the last of its share. */
async function planned(
  ctx: Context,
  row: CampaignRow,
  factors: PlanFactors,
  momentsFrom: (end: Date) => Promise<PlanFactors['moments']>,
): Promise<ForecastHours & { withoutTimeZone: number }> {
  const audience = await audienceQuery(ctx, row)
  const counted = await countPlans(ctx, audience, factors)
  const unzoned = counted.filter(({ plan }) => plan === null)
  const withoutTimeZone = unzoned.reduce((sum, { recipients }) => sum + recipients, 0)
  const test = await selectAbTest(ctx, row.projectId, row.id)
  const share = (count: number): number => Math.round((count * (test?.share ?? 100)) / 100)
  const first = forecastHours(counted, share, factors)
  if (!test || test.share === 100) return { ...first, withoutTimeZone }
  const end = after(new Date(Math.max(...first.hours.keys(), factors.from.getTime())), test.afterHours * hour)
  const later = { ...factors, from: end, moments: await momentsFrom(end) }
  const others = await countPlans(ctx, audience, later)
  const both = bothForecasts(
    first,
    forecastHours(others, count => count - share(count), later),
  )
  return { ...both, withoutTimeZone }
}

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

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

/** How many messages of the campaigns that are being sent have still to leave: from this domain, and in all, for they share the transports. */
async function openBefore(
  ctx: Context,
  projectId: string,
  domain: string,
): Promise<{ domain: number; transports: number }> {
  const sending = await selectSending(ctx, projectId)
  const ids = sending.map(({ id }) => id)
  const counts = ids.length > 0 ? await selectCampaignCounts(ctx, projectId, ids) : new Map()
  const openOf = (rows: typeof sending): number =>
    rows.reduce(
      (sum, { id, totalRecipients }) => sum + Math.max(0, totalRecipients - counts.get(id)!.settled),
      0,
    )
  return { domain: openOf(sending.filter(row => senderOf(row) === domain)), transports: openOf(sending) }
}

// The counts of a campaign: which there are, what one settled message changes in them, and the rates that are made from them; and who followed
// which link, as rows to add. Pure.
import type { DeliveryOutcome } from '../../../../platform/transports/outcome'
import { isHeld, isSkippedByRule } from '../../../sending/emails'
import type { ReducedMail } from '../../../sending/feedback'

export const campaignCountNames = [
  'settled',
  'sent',
  'delivered',
  'opened',
  'clicked',
  'machineOpened',
  'machineClicked',
  'bounced',
  'complained',
  'unsubscribed',
  'failed',
  'skipped',
  'held',
  'capped',
] as const
export type CountName = (typeof campaignCountNames)[number]

export type CampaignCounts = Record<CountName, number>

/** A change of some counts of one campaign. */
export interface CountChange extends Partial<CampaignCounts> {
  projectId: string
  campaignId: string
}

export function noCampaignCounts(): CampaignCounts {
  return Object.fromEntries(campaignCountNames.map(name => [name, 0])) as CampaignCounts
}

/** What a message that was just settled adds. One that waits for its next attempt adds nothing. */
export function countsOfSettled(settled: {
  status: DeliveryOutcome['status']
  sentAt: Date | null
  deliveredAt: Date | null
  bouncedAt: Date | null
  reason: DeliveryOutcome['reason']
  wasHeld?: boolean | undefined
}): Partial<CampaignCounts> {
  return {
    held: (isHeld(settled) ? 1 : 0) - (settled.wasHeld ? 1 : 0),
    capped: isSkippedByRule(settled) ? 1 : 0,
    settled: settled.status === 'PENDING' ? 0 : 1,
    sent: settled.sentAt ? 1 : 0,
    delivered: settled.deliveredAt ? 1 : 0,
    bounced: settled.bouncedAt ? 1 : 0,
    failed: hasFailed(settled) ? 1 : 0,
    skipped: settled.status === 'SKIPPED' ? 1 : 0,
  }
}

/** Whom it did not reach: also those whose attempts were used up, or whose mailbox is full. */
function hasFailed({ status, bouncedAt }: Pick<DeliveryOutcome, 'status' | 'bouncedAt'>): boolean {
  return status === 'FAILED' || (status === 'BOUNCED' && bouncedAt === null)
}

/** One change per campaign, those that change nothing left out. */
export function sumChanges(changes: readonly CountChange[]): CountChange[] {
  const sums = new Map<string, CountChange>()
  for (const change of changes) {
    const sum = sums.get(change.campaignId) ?? {
      projectId: change.projectId,
      campaignId: change.campaignId,
      ...noCampaignCounts(),
    }
    for (const name of campaignCountNames) sum[name] = (sum[name] ?? 0) + (change[name] ?? 0)
    sums.set(change.campaignId, sum)
  }
  return [...sums.values()].filter(sum => campaignCountNames.some(name => sum[name] !== 0))
}

/** Percentage of what was sent; 0 where nothing was. */
export function percent(part: number, sent: number): number {
  return sent === 0 ? 0 : Math.round((part / sent) * 10_000) / 100
}

export interface Click {
  projectId: string
  campaignId: string
  contactId: string
  link: string
  ownClicks: number
  providerClicks: number
  firstAt: Date
}

/** One row per contact and link, however often it was followed. */
export function clicksOf(reduced: readonly ReducedMail[]): Click[] {
  const clicks = new Map<string, Click>()
  for (const { mail, followed } of reduced) {
    const { projectId, campaignId, contactId } = mail
    if (!campaignId) continue
    for (const { link, at, source } of followed) {
      const key = `${campaignId} ${contactId} ${link}`
      const known = clicks.get(key)
      const click = known ?? {
        projectId,
        campaignId,
        contactId,
        link,
        ownClicks: 0,
        providerClicks: 0,
        firstAt: at,
      }
      click[source === 'own' ? 'ownClicks' : 'providerClicks'] += 1
      if (at < click.firstAt) click.firstAt = at
      clicks.set(key, click)
    }
  }
  return [...clicks.values()]
}

// What home works out of the answers: which campaign was the last, what is usual, opens by hour, and what comes up.
import type { Schemas } from '../../api/client'

type CampaignRow = Schemas['Campaign']

export const rates = ['delivered', 'opened', 'clicked', 'bounced'] as const
export type Rate = (typeof rates)[number]

const rateOf = (campaign: CampaignRow, rate: Rate): number => campaign[`${rate}Count`] / campaign.sentCount

const begun = (campaign: CampaignRow): string => campaign.sentAt ?? ''

/** The campaign that was sent last, or is being sent. */
export function lastOf(campaigns: readonly CampaignRow[]): CampaignRow | undefined {
  return campaigns.toSorted((a, b) => begun(b).localeCompare(begun(a)))[0]
}

/** How many campaigns there have to be before something is usual. */
const fewest = 3

/** The median of the last ten campaigns of the same topic, or else of the project; nothing while there are too few. */
export function usualOf(campaign: CampaignRow, sent: readonly CampaignRow[], rate: Rate): number | undefined {
  const before = sent
    .filter(({ id, sentCount }) => id !== campaign.id && sentCount > 0)
    .toSorted((a, b) => begun(b).localeCompare(begun(a)))
  const sameTopic = before.filter(({ topicId }) => topicId === campaign.topicId)
  const compared = sameTopic.length >= fewest ? sameTopic : before
  if (compared.length < fewest) return undefined
  const values = compared
    .slice(0, 10)
    .map(each => rateOf(each, rate))
    .sort((a, b) => a - b)
  const middle = Math.floor(values.length / 2)
  return values.length % 2 === 1 ? values[middle] : (values[middle - 1]! + values[middle]!) / 2
}

const hourMs = 3_600_000

/** Opens in each of the first hours after sending began. */
export function opensByHour(
  { hours }: Schemas['CampaignTimeline'],
  sentAt: string,
  length: number,
): number[] {
  const opens = new Array<number>(length).fill(0)
  for (const { at, opened } of hours) {
    const hour = Math.max(Math.floor((Date.parse(at) - Date.parse(sentAt)) / hourMs), 0)
    if (hour < length) opens[hour]! += opened
  }
  return opens
}

type Activity = Schemas['Activity']

/** Something that will happen by itself: runs of one workflow within an hour are one. */
export interface Due {
  id: string
  kind: 'campaign' | 'email' | 'workflow'
  /** Of the campaign, email or workflow. */
  about: string
  at: string
  name: string
  contactEmail?: string
  /** Recipients of a campaign, or runs of a workflow. */
  count: number
}

export function dueOf(activities: readonly Activity[]): Due[] {
  const due = new Map<string, Due>()
  for (const activity of activities) {
    const one = dueFrom(activity)
    const key = one.kind === 'workflow' ? `${one.about} ${one.at.slice(0, 13)}` : one.id
    const known = due.get(key)
    if (known) known.count++
    else due.set(key, one)
  }
  return [...due.values()]
}

function dueFrom({ id, type, timestamp: at, contactEmail, metadata }: Activity): Due {
  const text = (name: string): string => String(metadata[name] ?? '')
  const common = { id, at, contactEmail, count: 1 }
  if (type === 'campaign.scheduled')
    return {
      ...{ ...common, kind: 'campaign', about: text('campaignId'), name: text('campaignName') },
      count: Number(metadata['totalRecipients'] ?? 0),
    }
  if (type === 'email.scheduled')
    return { ...common, kind: 'email', about: text('emailId'), name: text('subject') }
  return { ...common, kind: 'workflow', about: text('workflowId'), name: text('workflowName') }
}

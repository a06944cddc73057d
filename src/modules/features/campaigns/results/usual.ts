// What campaigns of a project usually reach: the median of the last ones, rate by rate. Pure.
import { type CampaignCounts, percent } from './counts'

/** With fewer there is no usual. */
const fewest = 3
export const mostCompared = 10

export interface UsualRates {
  /** How many campaigns it is the median of. */
  campaigns: number
  deliveryRate: number
  openRate: number
  clickRate: number
  bounceRate: number
  unsubscribeRate: number
}

export function usualOf(all: readonly CampaignCounts[]): UsualRates | null {
  const sent = all.filter(counts => counts.sent > 0)
  if (sent.length < fewest) return null
  const rate = (name: 'delivered' | 'opened' | 'clicked' | 'bounced' | 'unsubscribed'): number =>
    median(sent.map(counts => percent(counts[name], counts.sent)))
  return {
    campaigns: sent.length,
    deliveryRate: rate('delivered'),
    openRate: rate('opened'),
    clickRate: rate('clicked'),
    bounceRate: rate('bounced'),
    unsubscribeRate: rate('unsubscribed'),
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const value = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
  return Math.round(value * 100) / 100
}

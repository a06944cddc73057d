// What campaigns are ranked by, rates and trends. Pure.

/** Columns of the counts of campaigns. */
export const campaignMetrics = ['opened', 'clicked', 'sent', 'delivered', 'bounced', 'unsubscribed'] as const
export type CampaignMetric = (typeof campaignMetrics)[number]

/** Percent; 0 where there is nothing to be a part of. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (part / whole) * 100
}

export function toOneDecimal(value: number): number {
  return Math.round(value * 10) / 10
}

/** Rounded percent by which a count has changed; 100 where there was nothing before. */
export function trendOf(count: number, before: number): number {
  return before === 0 ? 100 : Math.round(((count - before) / before) * 100)
}

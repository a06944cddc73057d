// How much mail a project may make in a month: the categories, the free tier, and the words at the limit. Pure.
import { type Category, categories, type Excess } from '../../sending/emails'

export type PerCategory<T> = Record<Category, T>

/** Messages per month, in all categories together, for a project without a subscription. */
export const freeTierLimit = 1_000

/** The largest number that the column can hold. */
export const maxLimit = 2_147_483_647

/** In percent of a limit: members are warned from here on. */
export const warningPercent = 80

export interface UsageState {
  isSubscribed: boolean
  limits: PerCategory<number | null>
  used: PerCategory<number>
}

export interface Allowance {
  /** Null: no limit. */
  limit: number | null
  usage: number
}

/** One limit for everything, unless the project pays or has limits of its own. */
export function isFreeTier({ isSubscribed, limits }: Pick<UsageState, 'isSubscribed' | 'limits'>): boolean {
  return !isSubscribed && categories.every(category => limits[category] === null)
}

/** The allowance of each category; in the free tier all of them show the same shared figures. */
export function allowancesOf(standing: UsageState): PerCategory<Allowance> {
  const { limits, used } = standing
  const all = categories.reduce((sum, category) => sum + used[category], 0)
  const isFree = isFreeTier(standing)
  const entries = categories.map(category => [
    category,
    isFree ? { limit: freeTierLimit, usage: all } : { limit: limits[category], usage: used[category] },
  ])
  return Object.fromEntries(entries)
}

export interface Share extends Allowance {
  percentage: number
  isWarning: boolean
  isBlocked: boolean
}

export function shareOf({ limit, usage }: Allowance): Share {
  if (limit === null) return { limit, usage, percentage: 0, isWarning: false, isBlocked: false }
  return {
    limit,
    usage,
    percentage: Math.round((usage / limit) * 10_000) / 100,
    isWarning: usage * 100 >= limit * warningPercent,
    isBlocked: usage >= limit,
  }
}

/** Undefined if `requested` more messages are within the limit; reaching it exactly is fine. */
export function excessOf(standing: UsageState, category: Category, requested: number): Excess | undefined {
  const { limit, usage } = allowancesOf(standing)[category]
  return limit !== null && usage + requested > limit ? { category, limit, usage, requested } : undefined
}

/** A category, or everything together in the free tier. */
export type NoticeTopic = Category | 'all'
export type NoticeKind = 'warning' | 'limit'

export interface UsageNotice extends Allowance {
  topic: NoticeTopic
  kind: NoticeKind
  limit: number
}

/** The notices that members should have received by now. Once the limit is reached, the warning before it is no longer needed. */
export function noticesOf(standing: UsageState): UsageNotice[] {
  const allowances = allowancesOf(standing)
  const topics: Array<[NoticeTopic, Allowance]> = isFreeTier(standing)
    ? [['all', allowances.transactional]]
    : categories.map(category => [category, allowances[category]])
  return topics.flatMap(([topic, allowance]) => {
    const { limit, usage, isWarning, isBlocked } = shareOf(allowance)
    if (limit === null || !isWarning) return []
    return [{ topic, kind: isBlocked ? 'limit' : 'warning', limit, usage }]
  })
}

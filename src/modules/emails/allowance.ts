// How the mail that a project makes in a month is counted, and what the error says where it is too much. The limits themselves are not
// known here: a module above supplies them, where there are any. Pure.
import { AppError } from '../../lib/errors'
import type { SourceType } from './schema'

export const categories = ['workflows', 'campaigns', 'transactional', 'inbound'] as const
export type Category = (typeof categories)[number]

export const categoryOf: Readonly<Record<SourceType, Category>> = {
  WORKFLOW: 'workflows',
  CAMPAIGN: 'campaigns',
  TRANSACTIONAL: 'transactional',
  INBOUND: 'inbound',
}

/** Messages that somebody wants to make. */
export interface Demand {
  projectId: string
  sourceType: SourceType
  /** Messages. */
  count: number
}

/** A request for more than is left. */
export interface Excess {
  category: Category
  limit: number
  usage: number
  requested: number
}

export function limitSentence({ category, limit, usage, requested }: Excess): string {
  const left = Math.max(0, limit - usage)
  const wanted = requested > 1 ? `; ${left} of the ${requested} messages asked for are left` : ''
  return `Billing limit reached: ${usage} of ${limit} messages of this month are used (${category})${wanted}`
}

export function limitReached(excess: Excess): AppError {
  return new AppError(429, 'BILLING_LIMIT_EXCEEDED', limitSentence(excess), {
    details: { ...excess },
    suggestion: 'Raise the limit in the billing settings, subscribe, or wait for the next month (UTC).',
  })
}

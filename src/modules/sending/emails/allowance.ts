// How the mail that a project makes in a month is counted, and what the error says where it is too much. The limits themselves are not
// known here: a module above supplies them, where there are any. Pure.
import { AppError } from '../../../lib/errors'
import { type LimitExcess, limitSentence } from '../../../platform/transports/reason'
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
export interface Excess extends LimitExcess {
  category: Category
}

export function limitReached(excess: Excess): AppError {
  return new AppError(429, 'BILLING_LIMIT_EXCEEDED', limitSentence(excess), {
    details: { ...excess },
    suggestion: 'Raise the limit in the billing settings, subscribe, or wait for the next month (UTC).',
  })
}

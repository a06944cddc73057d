// The one policy for withholding: which messages may not leave at the moment of sending, and for how long one is tried. Pure.

import { hour } from '../../../lib/time'
import { type DeliveryOutcome, failed, skipped } from '../../../platform/transports/outcome'
import { type DeliveryFacts, isForAudience } from '../emails'

type Purpose = Pick<DeliveryFacts, 'sourceType' | 'campaignId'>

/** Undefined if the message may leave. */
export function whyWithheld(message: DeliveryFacts): DeliveryOutcome | undefined {
  const withhold = isForAudience(message) ? skipped : failed
  if (message.projectDisabled) return withhold('projectDisabled')
  if (message.contactState === 'gone') return withhold('contactDeleted')
  if (message.suppressed) return withhold('suppressed', { suppression: message.suppressed })
  if (message.contactState === 'unsubscribed') return withhold('unsubscribed')
  if (message.contactState === 'outOfTopic') return withhold('topic')
  return undefined
}

/** How long delivery is attempted: a password mail is worth a day, a newsletter six hours. */
export function retryTimeFor({ sourceType, campaignId }: Purpose): number {
  return sourceType === 'TRANSACTIONAL' && campaignId === null ? 24 * hour : 6 * hour
}

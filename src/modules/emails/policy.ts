// The one policy for withholding: which messages may not leave at the moment of sending, and for how long one is tried. Pure.

import { hour } from '../../lib/time'
import { type DeliveryOutcome, failed, skipped } from '../../platform/mail/outcome'
import { suppressionSentence } from '../suppressions'
import type { SourceType } from './schema'

interface Purpose {
  sourceType: SourceType
  campaignId: string | null
}

/** What was known about a message when it was taken for sending, a moment ago. */
export interface DeliveryFacts extends Purpose {
  projectDisabled: boolean
  /** Of the contact, where it matters: subscription decides for an audience, not for a message that was asked for. */
  contactState: 'gone' | 'unsubscribed' | 'outOfTopic' | null
  /** Reason of the suppression of its address, if any. */
  suppressed: string | null
}

/** From a campaign or a workflow: nobody asked for this very message, so where it is not wanted it is skipped, and nothing has failed. */
export function isForAudience({ sourceType, campaignId }: Purpose): boolean {
  return campaignId !== null || sourceType === 'WORKFLOW'
}

/** Undefined if the message may leave. */
export function whyWithheld(message: DeliveryFacts): DeliveryOutcome | undefined {
  const withhold = isForAudience(message) ? skipped : failed
  if (message.projectDisabled) return withhold('project is disabled', 'projectDisabled')
  if (message.contactState === 'gone') return withhold('contact was deleted', 'contactDeleted')
  if (message.suppressed)
    return withhold(
      suppressionSentence(message.suppressed),
      message.suppressed === 'erased' ? 'erased' : 'suppressed',
    )
  if (message.contactState === 'unsubscribed') return withhold('contact is unsubscribed', 'unsubscribed')
  if (message.contactState === 'outOfTopic') return withhold('contact does not want the topic', 'topic')
  return undefined
}

/** How long delivery is attempted: a password mail is worth a day, a newsletter six hours. */
export function retryTimeFor({ sourceType, campaignId }: Purpose): number {
  return sourceType === 'TRANSACTIONAL' && campaignId === null ? 24 * hour : 6 * hour
}

// The one policy of withholding: which message may not leave at all at the moment of sending, and for how long one is tried. Pure.

import { hour } from '../../lib/time'
import { type DeliveryOutcome, failed, skipped } from '../../platform/mail/outcome'
import { suppressionSentence } from '../suppressions'
import type { SourceType } from './schema'

interface Purpose {
  sourceType: SourceType
  campaignId: string | null
}

/** What is known about a message when it was taken for sending, a moment ago. */
export interface DeliveryFacts extends Purpose {
  projectDisabled: boolean
  /** Of the contact, where that decides: an audience is asked, a message that was asked for is not. */
  contactState: 'gone' | 'unsubscribed' | null
  /** Reason of the suppression of its address, if any. */
  suppressed: string | null
}

/** A campaign's or a workflow's: nobody asked for this very message, so where it is not wanted it is left out, and nothing has failed. */
function isForAudience({ sourceType, campaignId }: Purpose): boolean {
  return campaignId !== null || sourceType === 'WORKFLOW'
}

/** Undefined if the message may leave. */
export function whyWithheld(message: DeliveryFacts): DeliveryOutcome | undefined {
  const withhold = isForAudience(message) ? skipped : failed
  if (message.projectDisabled) return withhold('project is disabled')
  if (message.contactState === 'gone') return withhold('contact was deleted')
  if (message.suppressed) return withhold(suppressionSentence(message.suppressed))
  if (message.contactState === 'unsubscribed') return withhold('contact is unsubscribed')
  return undefined
}

/** How long a message is tried: a password mail is worth a day, a newsletter six hours. */
export function retryTimeFor({ sourceType, campaignId }: Purpose): number {
  return sourceType === 'TRANSACTIONAL' && campaignId === null ? 24 * hour : 6 * hour
}

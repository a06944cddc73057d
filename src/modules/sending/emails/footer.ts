// The class of a message, which decides its footer and headers.
import type { ContentType, MailClass, SourceType } from './schema'

/**
 * What a message counts as: a send is transactional whatever its template says; campaigns and workflows are only where their content is.
 */
export function sourceTypeOf(origin: 'send' | 'campaign' | 'workflow', type: ContentType): SourceType {
  if (origin === 'send' || type === 'TRANSACTIONAL') return 'TRANSACTIONAL'
  return origin === 'campaign' ? 'CAMPAIGN' : 'WORKFLOW'
}

/** HEADLESS content wins, then a transactional source; everything else is marketing. `type` is null for content without one. */
export function mailClassOf(type: ContentType | null, source: SourceType): MailClass {
  if (type === 'HEADLESS') return 'headless'
  return source === 'TRANSACTIONAL' ? 'transactional' : 'marketing'
}

export function hasFooter(mailClass: MailClass): boolean {
  return mailClass === 'marketing'
}

/** From a campaign or a workflow: nobody asked for this very message, so where it is not wanted it is skipped, and nothing has failed. */
export function isForAudience(email: { sourceType: SourceType; campaignId: string | null }): boolean {
  return email.campaignId !== null || email.sourceType === 'WORKFLOW'
}

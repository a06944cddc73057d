// The headers by which mailbox providers and mail programs tell one stream of mail from another: List-Id (RFC 2919) and Feedback-ID, which
// Google's Postmaster Tools group complaints by. They name ids of ours and no person.
import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import type { SourceType } from './schema'

export interface ListedEmail {
  projectId: string
  sourceType: SourceType
  campaignId: string | null
  templateId: string | null
  /** The topic that the email, or its campaign, is about. */
  topicId?: string | null
}

/** None for what was asked for one by one. `host` is that of BASE_URL. */
export function listHeaders(email: ListedEmail, host: string): Record<string, string> {
  const { projectId, campaignId, topicId } = email
  if (campaignId === null && email.sourceType !== 'WORKFLOW') return {}
  const list = topicId ? `${topicId}.${projectId}` : projectId
  return { 'List-Id': `<${list}.${nameOf(host)}>`, 'Feedback-ID': feedbackId(email, host) }
}

/**
 * `campaign:project:kind:sender`. Google reads four fields at most, the last of which is the same in all mail of a sender, 5 to 15
 * characters long.
 */
function feedbackId({ projectId, campaignId, templateId }: ListedEmail, host: string): string {
  const kind = campaignId === null ? 'workflow' : 'campaign'
  return [campaignId ?? templateId ?? 'none', projectId, kind, senderOf(host)].join(':')
}

function senderOf(host: string): string {
  return createHash('sha256').update(host).digest('hex').slice(0, 12)
}

/** RFC 2919 has `localhost` for those who have no name. */
function nameOf(host: string): string {
  return isIP(host.replace(/[[\]]/g, '')) === 0 ? host : 'localhost'
}

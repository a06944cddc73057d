// A stored message as the mail that leaves: the headers its class calls for, and what the row holds.
import type { ComposedMail } from '../../../mail/mime/mail'
import type { StoredCopy } from './copies'
import { mailHeaders } from './headers'
import type { Links } from './links'
import { listHeaders } from './list-headers'
import type { MailClass, Metadata, SourceType } from './schema'

export interface StoredAttachment {
  filename: string
  contentType: string
  contentId: string | null
  disposition: 'attachment' | 'inline'
  content: Buffer
}

export interface DueEmail {
  id: string
  projectId: string
  contactId: string
  sourceType: SourceType
  mailClass: MailClass
  templateId: string | null
  campaignId: string | null
  /** Of a campaign's row: that of the campaign. */
  topicId?: string | null
  toEmail: string
  toName: string | null
  fromEmail: string
  fromName: string | null
  replyTo: string | null
  subject: string
  html: string
  text: string
  headers: Record<string, string>
  attachmentSet: string | null
  submittedSet?: string | null
  copies?: StoredCopy[] | null
  tags?: string[] | null
  metadata?: Metadata | null
  /** Set where it was to leave later than it was made. */
  scheduledFor?: Date | null
  messageId: string
  attempts: number
  /** Hops of the events that it causes, where a workflow sends it. */
  hops?: number | null
  createdAt: Date
  /** Links that stay as they are. */
  givenLinks?: string[] | null
  /** Whether its links are to be replaced when it is handed over. */
  tracked: boolean
}

/**
 * The same row gives the same mail at every attempt: its date is when it was accepted, or was to leave, and its Message-ID was fixed
 * then. `host` is that of BASE_URL.
 */
export function mailOf(
  email: DueEmail,
  attachments: StoredAttachment[],
  links: Links,
  host: string,
): ComposedMail {
  return {
    from: email.fromEmail,
    fromName: email.fromName,
    to: email.toEmail,
    toName: email.toName,
    ...(email.copies ? { cc: email.copies.filter(({ kind }) => kind === 'cc') } : {}),
    replyTo: email.replyTo,
    subject: email.subject,
    html: email.html,
    text: email.text,
    headers: mailHeaders({ email, links, list: listHeaders(email, host) }),
    attachments: attachments.map(({ content, ...rest }) => ({
      ...rest,
      content: content.toString('base64'),
    })),
    messageId: email.messageId,
    date: email.scheduledFor ?? email.createdAt,
  }
}

// A stored message as the mail that leaves: the headers its class calls for, and what the row holds.
import type { ComposedMail } from '../../../mail/mime/mail'
import { mailHeaders } from './headers'
import type { Links } from './links'
import { listHeaders } from './list-headers'
import type { DueEmail, StoredAttachment } from './queries'

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

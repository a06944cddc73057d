// A composed mail as data: what goes into its headers and bodies.

export interface MailAttachment {
  filename: string
  contentType: string
  /** Base64. */
  content: string
  disposition: 'attachment' | 'inline'
  /** What `cid:` links in the body name; the file name where it is missing. */
  contentId?: string | null
}

export interface Mailbox {
  email: string
  name: string | null
}

export interface ComposedMail {
  from: string
  fromName?: string | null
  to: string
  toName?: string | null
  /** Named in the header Cc. */
  cc?: readonly Mailbox[]
  replyTo?: string | null
  subject: string
  html: string
  /** The plain-text alternative; left out of the message where it is empty. */
  text: string
  /** In addition to those that follow from the other members; names are unique, whatever their case. */
  headers: Readonly<Record<string, string>>
  attachments: readonly MailAttachment[]
  /** With or without angle brackets. */
  messageId: string
  date: Date
}

// Reports as other mail servers send them back, after real ones.

export interface DsnOptions {
  /** Of the message that came back, with brackets. */
  messageId: string
  recipient?: string
  action?: string
  status?: string
  diagnostic?: string
  original?: 'message/rfc822' | 'text/rfc822-headers' | 'none'
  /** More lines of the report's own header. */
  headers?: string[]
}

/** A notification as Postfix composes it. */
export function dsn(options: DsnOptions): string {
  const { messageId, recipient = 'ada@example.com', action = 'failed', status = '5.1.1' } = options
  const { diagnostic = 'smtp; 550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown' } =
    options
  const original = options.original ?? 'message/rfc822'
  return [
    'Return-Path: <>',
    'Date: Sun,  1 Mar 2026 11:59:30 +0000 (UTC)',
    'From: MAILER-DAEMON@relay.example (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    'To: hello@acme.example',
    'Auto-Submitted: auto-replied',
    ...(options.headers ?? []),
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status;',
    '\tboundary="4A1B2C3D.1234/relay.example"',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--4A1B2C3D.1234/relay.example',
    'Content-Description: Notification',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    "I'm sorry to have to inform you that your message could not",
    'be delivered to one or more recipients.',
    '',
    '--4A1B2C3D.1234/relay.example',
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; relay.example',
    'X-Postfix-Queue-ID: 4A1B2C3D',
    'Arrival-Date: Sun,  1 Mar 2026 11:59:00 +0000 (UTC)',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    `Original-Recipient: rfc822;${recipient}`,
    `Action: ${action}`,
    `Status: ${status}`,
    'Remote-MTA: dns; mx.example.com',
    `Diagnostic-Code: ${diagnostic.replace(' ', '\r\n    ')}`,
    '',
    ...(original === 'none'
      ? []
      : [
          '--4A1B2C3D.1234/relay.example',
          'Content-Description: Undelivered Message',
          `Content-Type: ${original}`,
          '',
          'Return-Path: <hello@acme.example>',
          'DKIM-Signature: v=1; a=rsa-sha256;',
          '\tb=abc',
          'From: Acme <hello@acme.example>',
          'Message-ID:',
          ` ${messageId}`,
          'Subject: Hello',
          '',
          ...(original === 'message/rfc822' ? ['Hello', ''] : []),
        ]),
    '--4A1B2C3D.1234/relay.example--',
    '',
  ].join('\r\n')
}

/** A complaint as feedback loops send it (ARF). */
export function arf(messageId: string, type = 'abuse'): string {
  return [
    'From: <abusedesk@example.com>',
    'Date: Sun, 1 Mar 2026 11:59:30 +0000',
    'Subject: FW: Hello',
    'To: <fbl@acme.example>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="part1"',
    '',
    '--part1',
    'Content-Type: text/plain; charset="US-ASCII"',
    '',
    'This is an email abuse report.',
    '',
    '--part1',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${type}`,
    'User-Agent: SomeGenerator/1.0',
    'Version: 1',
    'Original-Mail-From: <hello@acme.example>',
    'Arrival-Date: Sun, 1 Mar 2026 11:59:00 +0000',
    '',
    '--part1',
    'Content-Type: message/rfc822',
    'Content-Disposition: inline',
    '',
    'From: <hello@acme.example>',
    `Message-ID: ${messageId}`,
    'Subject: Hello',
    '',
    'Hello',
    '--part1--',
    '',
  ].join('\r\n')
}

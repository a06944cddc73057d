// The outbox, shown as an inbox.

export const outbox = {
  title: 'Outbox',
  hint: 'No transport is set up, so emails stay on this server. This is what recipients would see.',
  empty: 'No emails yet',
  emptyHint: 'Emails that you send appear here, and so do test emails, invitations, and system emails.',
  from: (from: string) => `From ${from}`,
  to: (to: string) => `To ${to}`,
  kinds: { TEST: 'Test', INVITATION: 'Invitation', NOTICE: 'Notice', ACCOUNT: 'Account' },
  parts: { html: 'Email', text: 'Text' },
}

// The outbox, shown as an inbox.

export const outbox = {
  title: 'Outbox',
  hint: 'No transport is set, so mail stays on this machine. This is what readers would see.',
  empty: 'No mail yet',
  emptyHint: 'What you send shows up here within a moment.',
  from: (from: string) => `From ${from}`,
  to: (to: string) => `To ${to}`,
  kinds: { TEST: 'Test', INVITATION: 'Invitation', NOTICE: 'Notice', ACCOUNT: 'Account' },
  parts: { html: 'Mail', text: 'Text' },
}

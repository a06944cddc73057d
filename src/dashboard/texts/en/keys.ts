// Restricted keys, and the rotation of the secret and the public key.

export const keys = {
  title: 'Restricted keys',
  hint: 'One key per app, with only the permissions it needs. Each can be revoked separately.',
  empty: 'No restricted keys yet',
  emptyHint: 'Create one for each app, so that you can revoke it without affecting the others.',
  make: 'Create key',
  makeHint: 'The key is shown only once.',
  nameHint: 'The app that uses the key, such as “Shop”.',
  scopes: 'Permissions',
  scopeNames: { send: 'Send', track: 'Track', read: 'Read', write: 'Write' },
  scopeHints: {
    send: 'Send emails by API and SMTP',
    track: 'Record events, like the public key',
    read: 'Read contacts, emails, campaigns, and statistics',
    write: 'Change contacts, templates, campaigns, and workflows, but not send',
  },
  domains: 'Sender domains (none selected: all domains)',
  life: 'Valid',
  lives: { never: 'until revoked', '30': 'for 30 days', '90': 'for 90 days', '365': 'for 1 year' },
  secretWords: {
    title: 'Your new key',
    hint: 'Copy the key now. You won’t be able to see it again.',
    kept: 'I’ve saved it',
  },
  used: (when: string) => `used ${when}`,
  unused: 'never used',
  until: (date: string) => `valid until ${date}`,
  noEnd: 'never expires',
  expired: 'Expired',
  from: (domains: string) => `Sends from ${domains}`,
  former: { SECRET: 'Former secret key', PUBLIC: 'Former public key' },
  revoking: (name: string) => ({
    action: 'Revoke',
    question: `Revoke ${name}?`,
    consequence:
      'The key stops working immediately. Apps that still use it get error 401. Other keys keep working.',
  }),
  revoked: (name: string) => `${name} revoked`,
  rotation: {
    action: 'Rotate keys',
    question: 'Rotate the secret and public key?',
    overlap: 'Old keys',
    overlaps: {
      '0': 'stop working immediately',
      '1': 'keep working for 1 hour',
      '24': 'keep working for 24 hours',
      '168': 'keep working for 7 days',
      '720': 'keep working for 30 days',
    },
    atOnce:
      'The old secret and public key stop working immediately. Apps and web pages that use them get error 401 until you give them the new keys, so they can’t send emails or record events.',
    later:
      'Use this time to give your apps and web pages the new keys. The old keys are in the list below with their last use, and you can revoke them earlier.',
    done: 'Keys rotated. Give your apps the new keys.',
  },
}

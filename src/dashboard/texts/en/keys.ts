// Keys besides the pair, and replacing the pair.

export const keys = {
  title: 'Keys for a part of the work',
  hint: 'Each with a name, for one program: it opens little, and can be revoked on its own.',
  empty: 'No other keys yet',
  emptyHint:
    'Make one for each program that sends or reads, so that you can revoke it without touching the others.',
  make: 'Make a key',
  makeHint: 'It is shown once, when it is made.',
  nameHint: 'The program that uses it, such as “Shop”.',
  scopes: 'What it may do',
  scopeNames: { send: 'Send', track: 'Track', read: 'Read', write: 'Write' },
  scopeHints: {
    send: 'Mail by the API and by SMTP',
    track: 'Record events, like the public key',
    read: 'See contacts, messages, campaigns and figures',
    write: 'Change contacts, templates, campaigns and workflows, without sending',
  },
  domains: 'Only from these domains (none chosen: all of the project)',
  life: 'Works',
  lives: { never: 'until it is revoked', '30': 'for 30 days', '90': 'for 90 days', '365': 'for a year' },
  secretWords: {
    title: 'Your new key',
    hint: 'It is shown only this once: copy it into your program now. Only its hash is kept.',
    kept: 'I have kept it',
  },
  used: (when: string) => `used ${when}`,
  unused: 'never used',
  until: (date: string) => `valid until ${date}`,
  noEnd: 'without an end',
  expired: 'Expired',
  from: (domains: string) => `Sends from ${domains}`,
  former: { SECRET: 'Former secret key', PUBLIC: 'Former public key' },
  revoking: (name: string) => ({
    action: 'Revoke',
    question: `Revoke ${name}?`,
    consequence:
      'It stops at once: a program that still uses it is refused (401). Other keys stay as they are.',
  }),
  revoked: (name: string) => `${name} was revoked.`,
  rotation: {
    action: 'Replace both keys',
    question: 'Replace both keys?',
    overlap: 'The old keys',
    overlaps: {
      '0': 'stop at once',
      '1': 'go on working for an hour',
      '24': 'go on working for a day',
      '168': 'go on working for a week',
      '720': 'go on working for 30 days',
    },
    atOnce:
      'The old secret key and the old public key stop at once. Every program, page and app that uses them is refused (401) until it has the new ones: no mail is sent and no event is recorded by them meanwhile.',
    later:
      'Put the new keys into your programs one after another: the old ones go on working meanwhile. They are in the list below, with their last use, and can be revoked there before their time.',
    done: 'The keys were replaced. Put the new ones into your programs.',
  },
}

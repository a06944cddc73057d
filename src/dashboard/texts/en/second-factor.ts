// The second factor of the user's own account.
import { count } from './numbers'

export const secondFactor = {
  title: 'Second factor',
  hint: 'Beside the password, signing in asks for a code from an authenticator app.',
  since: (date: string) => `since ${date}`,
  left: (codes: number) => count(codes, { one: '# recovery code left', other: '# recovery codes left' }),
  few: 'Make new ones soon',
  setUp: 'Set up a second factor',
  passwordHint: 'Your password first, so that nobody else does this.',
  goOn: 'Continue',
  scanHint: 'Scan the code with your authenticator, then type what it shows.',
  qr: 'The secret as a QR code',
  typeHint: 'No camera? Type this secret:',
  firstCode: 'Code of the authenticator',
  codes: 'Your recovery codes',
  codesHint:
    'For the day that you lose the authenticator. Each works once. They are shown now and never again.',
  kept: 'I have kept them',
  renew: 'Make new recovery codes',
  renewHint: 'Those that you have stop working.',
  remove: 'Turn it off',
  removeHint: 'Signing in then takes the password alone.',
  removed: 'The second factor is off.',
  rule: {
    title: 'A second factor for everybody',
    hint: 'Whoever signs in with a password alone is turned away from this project until they have set one up. Keys go on working, and people who sign in with a provider are not asked.',
    required: 'Required',
    optional: 'Not required',
    lacking: (members: number) =>
      members === 0
        ? 'Everybody who needs one has one.'
        : count(members, { one: '# member has none yet.', other: '# members have none yet.' }),
    require: 'Require it',
    question: 'Require a second factor of all members?',
    consequence: (members: number) =>
      members === 0
        ? 'Nobody is turned away now. Whoever joins later needs one.'
        : count(members, {
            one: '# member can’t see or change the project until they have set one up.',
            other: '# members can’t see or change the project until they have set one up.',
          }),
    drop: 'Require it no longer',
    ownerOnly: 'The owner of the project can change this.',
    ownFirst: 'Set up your own first; then you can require one of others.',
    states: { ON: 'Second factor', OFF: 'Password alone', PROVIDER: 'Signs in with a provider' },
  },
  missing: {
    title: 'This project asks for a second factor',
    hint: (project: string) =>
      `The owner of ${project} requires one of all members, and you have none yet. It takes a minute and an authenticator app; after that you are in again.`,
  },
}

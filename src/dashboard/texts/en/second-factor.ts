// Two-factor authentication of the user's own account, and the project's rule about it.
import { count } from './numbers'

export const secondFactor = {
  title: 'Two-factor authentication',
  hint: 'After your password, you enter a code from an authenticator app.',
  since: (date: string) => `since ${date}`,
  left: (codes: number) => count(codes, { one: '# recovery code left', other: '# recovery codes left' }),
  few: 'Create new codes soon',
  setUp: 'Set up two-factor authentication',
  passwordHint: 'Enter your password to confirm that it’s you.',
  goOn: 'Continue',
  scanHint: 'Scan the QR code with your authenticator app, then enter the code that it shows.',
  qr: 'QR code for the authenticator app',
  typeHint: 'Can’t scan? Enter this setup key:',
  firstCode: 'Code from the app',
  codes: 'Your recovery codes',
  codesHint:
    'Use a recovery code if you lose your device. Each works once. Save them now: you won’t be able to see them again.',
  kept: 'I’ve saved them',
  renew: 'Create new recovery codes',
  renewHint: 'Your current recovery codes stop working.',
  remove: 'Turn off two-factor authentication',
  removeHint: 'You’ll sign in with your password only.',
  removed: 'Two-factor authentication turned off',
  rule: {
    title: 'Two-factor authentication for members',
    hint: 'If required, members who sign in with a password lose access to this project until they set it up. API keys keep working, and members who sign in through a provider aren’t affected.',
    required: 'Required',
    optional: 'Not required',
    lacking: (members: number) =>
      members === 0
        ? 'All members who need it have set it up.'
        : count(members, { one: '# member hasn’t set it up.', other: '# members haven’t set it up.' }),
    require: 'Require',
    question: 'Require two-factor authentication?',
    consequence: (members: number) =>
      members === 0
        ? 'No one loses access now. New members will have to set it up.'
        : count(members, {
            one: '# member loses access to this project until they set it up.',
            other: '# members lose access to this project until they set it up.',
          }),
    drop: 'Make optional',
    ownerOnly: 'Only the owner can change this.',
    ownFirst: 'Set it up for your own account first.',
    states: {
      ON: 'Two-factor authentication',
      OFF: 'Password only',
      PROVIDER: 'Signs in through a provider',
    },
  },
  missing: {
    title: 'Two-factor authentication required',
    hint: (project: string) =>
      `${project} requires two-factor authentication. Set it up with an authenticator app to regain access.`,
  },
}

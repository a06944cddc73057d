// The second factor of the own account.
import { plural } from '../plural'

const count = plural('en')

export const secondFactor = {
  title: 'Second factor',
  hint: 'Beside the password, signing in asks for a code from an authenticator app.',
  on: 'On',
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
  turnOn: 'Turn on',
  codes: 'Your recovery codes',
  codesHint:
    'For the day that you lose the authenticator. Each works once. They are shown now and never again.',
  kept: 'I have kept them',
  renew: 'Make new recovery codes',
  renewHint: 'Those that you have stop working.',
  remove: 'Turn it off',
  removeHint: 'Signing in then takes the password alone.',
  removed: 'The second factor is off.',
}

// The wording of mails about accounts. Pure.
import { type ComposedEmail, composeEmail } from '../system-emails'

export function verificationEmail(url: string): ComposedEmail {
  return composeEmail({
    subject: 'Confirm your e-mail address',
    opening: ['Please confirm that this address belongs to your Waxwing account.'],
    link: { words: 'Confirm the address', url },
    closing: ['The link works for one hour.', 'If you have no account, you can ignore this mail.'],
  })
}

/** For an invited address whose account was made in another way than by the link of the invitation. */
export function claimEmail(url: string): ComposedEmail {
  return composeEmail({
    subject: 'Confirm your e-mail address',
    opening: [
      'Somebody, probably you, made a Waxwing account for this address, which is invited to a project.',
      'Choose a password to confirm that the address is yours. It takes the place of the one that the account was made with.',
    ],
    link: { words: 'Choose a password', url },
    closing: [
      'The link works once, for one hour.',
      'If it was not you, the account is yours with the new password, and whoever made it is locked out.',
    ],
  })
}

export function resetEmail(url: string): ComposedEmail {
  return composeEmail({
    subject: 'Set a new password',
    opening: ['Somebody, probably you, asked for a new password for your Waxwing account.'],
    link: { words: 'Set a new password', url },
    closing: [
      'The link works once, for one hour. Setting a password ends all sessions of the account.',
      'If it was not you, you can ignore this mail: nothing has changed.',
    ],
  })
}

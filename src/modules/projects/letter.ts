// The mail that invites somebody to a project. Pure; what people wrote is escaped.
import { type Letter, writeLetter } from '../letters'
import { quotedName } from './name'
import { roleWords } from './roles'

export interface InvitationWords {
  projectName: string
  role: keyof typeof roleWords
  /** Somebody made an account with the address, and nobody has proved whose it is. */
  hasAccount: boolean
}

export function invitationLetter(url: string, { projectName, role, hasAccount }: InvitationWords): Letter {
  return writeLetter({
    subject: `You are invited to the project ${quotedName(projectName)}`,
    opening: [
      `You are invited to join the project ${quotedName(projectName)} on Waxwing as ${roleWords[role]}.`,
      hasAccount
        ? 'There is an account for your address, but the address was never confirmed. Choose a password to confirm it: it takes the place of the one that the account was made with, and ends its sessions.'
        : 'There is no account for your address yet.',
    ],
    link: { words: 'Accept the invitation', url },
    closing: ['The link works for seven days.', 'If you expected no invitation, you can ignore this mail.'],
  })
}

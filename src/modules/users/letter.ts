// The wording of platform mails, as text and as HTML of the same content. Pure; what people wrote is escaped.
import { escapeHtml } from '../../lib/escape'
import { quotedName } from '../projects/name'

export interface Letter {
  subject: string
  text: string
  html: string
}

interface Content {
  subject: string
  /** What happened, before the link. */
  opening: string[]
  link: { words: string; url: string }
  /** What else to know, after it. */
  closing: string[]
}

export function verificationLetter(url: string): Letter {
  return write({
    subject: 'Confirm your e-mail address',
    opening: ['Please confirm that this address belongs to your Waxwing account.'],
    link: { words: 'Confirm the address', url },
    closing: ['The link works for one hour.', 'If you have no account, you can ignore this mail.'],
  })
}

/** To an address that is invited, when an account was made for it in another way than by the link of the invitation. */
export function claimLetter(url: string): Letter {
  return write({
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

export function resetLetter(url: string): Letter {
  return write({
    subject: 'Set a new password',
    opening: ['Somebody, probably you, asked for a new password for your Waxwing account.'],
    link: { words: 'Set a new password', url },
    closing: [
      'The link works once, for one hour. Setting a password ends all sessions of the account.',
      'If it was not you, you can ignore this mail: nothing has changed.',
    ],
  })
}

export interface InvitationWords {
  projectName: string
  role: string
  /** Somebody made an account with the address, and nobody has proved whose it is. */
  hasAccount: boolean
}

export function invitationLetter(url: string, { projectName, role, hasAccount }: InvitationWords): Letter {
  return write({
    subject: `You are invited to the project ${quotedName(projectName)}`,
    opening: [
      `You are invited to join the project ${quotedName(projectName)} on Waxwing as ${role}.`,
      hasAccount
        ? 'There is an account for your address, but the address was never confirmed. Choose a password to confirm it: it takes the place of the one that the account was made with, and ends its sessions.'
        : 'There is no account for your address yet.',
    ],
    link: { words: 'Accept the invitation', url },
    closing: ['The link works for seven days.', 'If you expected no invitation, you can ignore this mail.'],
  })
}

function write({ subject, opening, link, closing }: Content): Letter {
  const text = [...opening, `${link.words}:\n${link.url}`, ...closing].join('\n\n')
  const paragraph = (words: string): string => `<p>${escapeHtml(words)}</p>`
  const anchor = `<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.words)}</a></p>`
  const body = [...opening.map(paragraph), anchor, ...closing.map(paragraph)].join('\n')
  return { subject, text, html: `<!doctype html><html lang="en"><body>\n${body}\n</body></html>` }
}

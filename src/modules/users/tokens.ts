// One-time tokens as they travel in links: how long they are, how they are made, and the hash that is stored. A token is 256 random bits,
// so a plain SHA-256 is enough: there is nothing to guess.
import { createHash } from 'node:crypto'
import { hexToken, type Random } from '../../lib/ids'
import { hour } from '../../lib/time'

export const tokenLength = 64

/** How long a link in a mail is valid. */
export const tokenLifeMs = hour

export function makeToken(random: Random): string {
  return hexToken(random, tokenLength / 2)
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** The pages that links lead to. */
export type LinkPage = 'verify-email' | 'reset-password' | 'invitation'

/** The address of a page with its token. */
export function tokenLink(baseUrl: string, page: LinkPage, token: string): string {
  return `${baseUrl}/auth/${page}?token=${token}`
}

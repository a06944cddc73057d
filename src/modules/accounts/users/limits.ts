// How often somebody may guess a password or have a mail sent: the limits, and the names under which attempts are counted. A window is
// fixed: it opens with the first attempt, and further ones don't move its end.
import { createHash } from 'node:crypto'
import { hour, minute } from '../../../lib/time'
import type { AttemptKind } from './schema'

export const attemptWindowMs = 15 * minute

/** How many failures close an address for the rest of the window. */
export const addressLimit = 5

/** How many wrong codes in a day close the second step of an account, besides the limit of the shorter window. */
export const codesOfADay = 30

/** How many failures, over all addresses, close a client. */
export const clientLimit = 100

export const mailWindowMs = hour

/** How many mails of one kind may be requested within the window, for one address or user. */
export const mailLimit = 3

/** Sign-ups by one client within an hour: a class or an office may share one address. */
export const signUpLimit = 300

/** The name under which something is counted; a hash, because nobody needs to read who the table is about. */
export function attemptSubject(kind: AttemptKind, text: string): string {
  return createHash('sha256').update(`${kind}:${text}`).digest('hex')
}

/** Whole seconds from now until the window ends, at least one. */
export function retryAfterSeconds(closesAt: Date, now: Date): number {
  return Math.max(1, Math.ceil((closesAt.getTime() - now.getTime()) / 1000))
}

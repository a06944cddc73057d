// Whom an answer concerns besides its message: the server as a whole, our account there, or how much we send. Codes get their
// meaning in this library and nowhere else. Pure.
import type { RefusedAt } from './refusal'

export interface GivenAnswer {
  /** Undefined where the other side names no place, such as a provider over HTTP. */
  at: RefusedAt
  /** Undefined for a connection that broke. */
  code: number | undefined
  status: string | undefined
  words: string
  /** Try again later. */
  temporary: boolean
}

/** What a server answers to these is about the message. */
const aboutMessage: ReadonlySet<RefusedAt> = new Set<RefusedAt>(['mail', 'rcpt', 'data'])

/** The server is closing, at whatever command (RFC 5321, 3.8). */
export function isClosing(code: number | undefined): boolean {
  return code === 421
}

/** RFC 4954, 6: signing in is required, too weak, wrong, or wants encryption. Some say so only at MAIL. */
const signInCodes: ReadonlySet<number | undefined> = new Set([530, 534, 535, 538])

/** Signing in failed or is asked for, which says nothing about the message. */
export function isAboutSignIn(code: number | undefined): boolean {
  return signInCodes.has(code)
}

/** The connection or the server as a whole, and not this message. */
export function isServerFault({ at, code, temporary }: GivenAnswer): boolean {
  return temporary && (code === undefined || isClosing(code) || !aboutMessage.has(at))
}

/** 4.3.1 and 4.3.2: the relay is full, or takes nothing now. 5.4.5: what the account may send is used up (Gmail). */
const quotaCodes: ReadonlySet<string | undefined> = new Set(['4.3.1', '4.3.2', '5.4.5'])
const quotaWords = /\bquota\b|\b(?:daily|hourly|monthly|sending|message) limit\b/i

/** What we may send through this server is used up. RCPT speaks of the recipient's mailbox, and so do x.2.x anywhere. */
export function isAllowanceUsedUp({ at, status, words, temporary }: GivenAnswer): boolean {
  if (at !== 'mail' && at !== 'data') return false
  if (quotaCodes.has(status)) return true
  return temporary && !/^[45]\.2\./.test(status ?? '') && quotaWords.test(words)
}

/** Too many connections, too many messages, too little trust for as much as this. */
export function asksForLess({ at, code, status, temporary }: GivenAnswer): boolean {
  return temporary && aboutMessage.has(at) && (isClosing(code) || (status?.startsWith('4.7.') ?? false))
}

// What a form signs: the link in the mail that asks for the confirmation, and the time stamp in the form itself, so that a program can't make
// it up. Filling in a form takes a person some seconds; a script that does its arithmetic for exactly this address may be faster.
import { createHash } from 'node:crypto'
import { isUuid } from '../../../lib/ids'
import { hour, second } from '../../../lib/time'
import type { Vault } from '../../../lib/vault'

const purpose = 'form-ticket'

/** Nobody types an address and presses a button in less. */
export const leastAgeMs = 2 * second
/** A page may stay open over a working day. */
export const mostAgeMs = 12 * hour
/** Leading zero bits of the hash: some 30,000 attempts, a fraction of a second in a browser. */
export const puzzleBits = 15

export interface Ticket {
  issuedAt: Date
  nonce: string
}

export function makeTicket(vault: Vault, formId: string, { issuedAt, nonce }: Ticket): string {
  const time = issuedAt.getTime().toString(36)
  return `${time}.${nonce}.${vault.sign(purpose, payload(formId, time, nonce))}`
}

/** Undefined for a text that is not ours, or was for another form. */
export function readTicket(vault: Vault, formId: string, text: string): Ticket | undefined {
  const [time = '', nonce = '', signature = '', ...more] = text.length <= 100 ? text.split('.') : []
  if (more.length > 0 || !vault.verify(purpose, payload(formId, time, nonce), signature)) return undefined
  return { issuedAt: new Date(Number.parseInt(time, 36)), nonce }
}

/** `early`: it was made a moment ago; `good` for a form; `stale` beyond a day of work. */
export function ageOf({ issuedAt }: Ticket, now: Date): 'early' | 'good' | 'stale' {
  const age = now.getTime() - issuedAt.getTime()
  if (age < leastAgeMs) return 'early'
  return age > mostAgeMs ? 'stale' : 'good'
}

/** Whether the work was done for this ticket and this address. */
export function isSolved(ticket: string, email: string, answer: string): boolean {
  if (answer === '' || answer.length > 20) return false
  const digest = createHash('sha256').update(`${ticket}:${email}:${answer}`).digest()
  return digest.readUInt32BE(0) >>> (32 - puzzleBits) === 0
}

function payload(formId: string, time: string, nonce: string): string {
  return JSON.stringify([formId, time, nonce])
}

const linkPurpose = 'form-confirmation'

export interface ConfirmLink {
  requestId: string
  version: number
  expiresAt: Date
}

export function confirmUrl(vault: Vault, baseUrl: string, formId: string, link: ConfirmLink): string {
  return `${baseUrl}/forms/${formId}/confirm?t=${tokenOf(vault, formId, link)}`
}

export function tokenOf(
  vault: Vault,
  formId: string,
  { requestId, version, expiresAt }: ConfirmLink,
): string {
  const facts = `${requestId}.${version.toString(36)}.${expiresAt.getTime().toString(36)}`
  return `${facts}.${vault.sign(linkPurpose, `${formId}/${facts}`)}`
}

/** Undefined for a text that is not ours, or was for another form. Whether its time is over is another question. */
export function readConfirmToken(vault: Vault, formId: string, token: string): ConfirmLink | undefined {
  if (token.length > 120) return undefined
  const end = token.lastIndexOf('.')
  const facts = token.slice(0, Math.max(0, end))
  if (!vault.verify(linkPurpose, `${formId}/${facts}`, token.slice(end + 1))) return undefined
  const [requestId = '', version = '', expires = ''] = facts.split('.')
  if (!isUuid(requestId)) return undefined
  return {
    requestId,
    version: Number.parseInt(version, 36),
    expiresAt: new Date(Number.parseInt(expires, 36)),
  }
}

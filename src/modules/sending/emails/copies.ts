// Copies of a message: further recipients of the very same bytes. The message is that of the one in `To`: its status, its events and its
// opens are that recipient's, and if it may not go there it goes to nobody. The outcome of each copy is stored with it. Pure.

import { retryDelayMs } from '../../../lib/backoff'
import { after, hour } from '../../../lib/time'
import type { Failure } from '../../../mail/bounces'
import type { SendResult, Untaken } from '../../../mail/message'
import { becauseSuppressed, type FailedReason, sentenceOf } from '../../../platform/transports/reason'
import { isOwnSimulator } from './simulator'

export interface Copy {
  /** cc: the others see it. bcc: nobody does. */
  kind: 'cc' | 'bcc'
  email: string
  name: string | null
}

/** As it is stored with its message. PENDING: nobody has taken it yet. */
export interface StoredCopy extends Copy {
  status: 'PENDING' | 'SENT' | 'BOUNCED' | 'FAILED'
  error: string | null
  /** Why it did not arrive, and the code that came with the words. */
  reason?: Failure | FailedReason
  code?: string
}

/** An address whose copy was refused, and which gets nothing more. */
export interface GoneAddress {
  email: string
  detail: string
}

export interface SettledCopies {
  copies: StoredCopy[]
  gone: GoneAddress[]
  /** Some wait for another attempt. */
  isOpen: boolean
}

export function waitingCopies(copies: readonly Copy[]): StoredCopy[] {
  return copies.map(({ kind, email, name }) => ({ kind, email, name, status: 'PENDING', error: null }))
}

/** `suppressed` maps the addresses that get nothing to the reason. */
export function withholdCopies(
  copies: readonly StoredCopy[],
  suppressed: Readonly<Record<string, string>>,
): StoredCopy[] {
  return copies.map(copy => {
    const reason = copy.status === 'PENDING' ? suppressed[copy.email] : undefined
    return reason === undefined
      ? copy
      : { ...copy, status: 'FAILED', error: sentenceOf(becauseSuppressed(reason)), reason: 'suppressed' }
  })
}

/** The addresses of copies that wait, each once; none that are only simulated. */
export function openAddresses(copies: readonly StoredCopy[]): string[] {
  const open = copies.filter(({ status, email }) => status === 'PENDING' && !isOwnSimulator(email))
  return [...new Set(open.map(({ email }) => email))]
}

/** What an attempt made of its copies. Where the message was not accepted, or not even tried, nothing has become of them. */
export function settleCopies(copies: readonly StoredCopy[], result: SendResult | undefined): SettledCopies {
  if (result?.outcome !== 'accepted') return { copies: [...copies], gone: [], isOpen: false }
  const untaken = new Map(result.untaken?.map(one => [one.address, one]))
  const settled = copies.map(copy =>
    copy.status === 'PENDING' ? settleCopy(copy, untaken.get(copy.email)) : copy,
  )
  const gone = [...untaken.values()]
    .filter(one => one.outcome === 'refused' && one.blame === 'address')
    .map(one => ({ email: one.address, detail: one.response }))
  return { copies: settled, gone, isOpen: settled.some(({ status }) => status === 'PENDING') }
}

function settleCopy(copy: StoredCopy, untaken: Untaken | undefined): StoredCopy {
  if (!untaken) return { ...copy, status: 'SENT', error: null }
  const error = untaken.response.trim() || 'no reason was given'
  if (untaken.outcome === 'deferred') return { ...copy, error }
  const code = untaken.enhanced ?? untaken.code?.toString()
  const failed = { ...copy, error, ...(code === undefined ? {} : { code }) }
  const reason = untaken.blame === 'address' ? 'dead' : (untaken.meaning ?? 'unknown')
  return { ...failed, status: reason === 'dead' || reason === 'full' ? 'BOUNCED' : 'FAILED', reason }
}

const retryForMs = 24 * hour

/** When copies that wait are tried again; undefined once that is no longer worthwhile. `tries` is how often they have been tried. */
export function nextTryOfCopies(
  { since, tries }: { since: Date; tries: number },
  now: Date,
  fraction: number,
): Date | undefined {
  const at = after(now, retryDelayMs(tries, fraction))
  return at > after(since, retryForMs) ? undefined : at
}

export function giveUpCopies(copies: readonly StoredCopy[], why?: string | null): StoredCopy[] {
  return copies.map(copy =>
    copy.status === 'PENDING'
      ? { ...copy, status: 'BOUNCED', error: `gave up: ${why ?? copy.error}`, reason: 'expired' }
      : copy,
  )
}

/** How many addresses the message goes to: each counts against the limits of billing. */
export function addresseesOf(copies: readonly Copy[] | null | undefined): number {
  return 1 + (copies?.length ?? 0)
}

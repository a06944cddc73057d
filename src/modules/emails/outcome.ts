// What the other side's answer means for a message: its next status, when to try again, when to give up.
import { retrySteps } from '../../lib/backoff'
import { after, hour } from '../../lib/time'
import type { SendResult } from '../../platform/mail/transport'
import type { EmailStatus, SourceType } from './schema'

/** How long a message is tried: a password mail is worth a day, a newsletter six hours. */
export function patience(sourceType: SourceType): number {
  return sourceType === 'TRANSACTIONAL' ? 24 * hour : 6 * hour
}

/** The pause after the `attempt`-th try (from 1), ±20 % by `fraction` in [0, 1) so that messages don't come back in step. */
export function pauseAfter(attempt: number, fraction: number): number {
  const pause = retrySteps[Math.min(attempt, retrySteps.length) - 1]!
  return Math.round(pause * (0.8 + 0.4 * fraction))
}

export interface Verdict {
  status: EmailStatus
  error: string | null
  providerId: string | null
  sentAt: Date | null
  deliveredAt: Date | null
  bouncedAt: Date | null
  nextAttemptAt: Date | null
  /** The address gets nothing more, because of this answer. */
  suppress: boolean
  /** Its time ran out in temporary failures, which counts as one soft bounce of the address. */
  gaveUp: boolean
}

const nothing: Verdict = {
  status: 'PENDING',
  error: null,
  providerId: null,
  sentAt: null,
  deliveredAt: null,
  bouncedAt: null,
  nextAttemptAt: null,
  suppress: false,
  gaveUp: false,
}

/** The message may not leave at all: a suppressed address, a disabled project. */
export function withheld(error: string): Verdict {
  return { ...nothing, status: 'FAILED', error }
}

/** The message is no longer wanted: its recipient has opted out or is gone. */
export function leftOut(error: string): Verdict {
  return { ...nothing, status: 'SKIPPED', error }
}

/** Judges one answer. `now` is when it came; `fraction` in [0, 1) is the jitter of the next try. */
export function judge(
  email: { attempts: number; createdAt: Date; sourceType: SourceType },
  result: SendResult,
  now: Date,
  fraction: number,
): Verdict {
  switch (result.outcome) {
    case 'accepted':
      return {
        ...nothing,
        status: result.delivered ? 'DELIVERED' : 'SENT',
        providerId: result.providerId ?? null,
        sentAt: now,
        deliveredAt: result.delivered ? now : null,
      }
    case 'refused':
      return result.blame === 'address'
        ? { ...nothing, status: 'BOUNCED', error: reasonOf(result), bouncedAt: now, suppress: true }
        : { ...nothing, status: 'FAILED', error: reasonOf(result) }
    case 'deferred': {
      const nextAttemptAt = after(now, pauseAfter(email.attempts, fraction))
      const deadline = after(email.createdAt, patience(email.sourceType))
      if (nextAttemptAt > deadline)
        return {
          ...nothing,
          status: 'FAILED',
          error: `gave up after ${email.attempts} tries: ${reasonOf(result)}`,
          gaveUp: true,
        }
      return { ...nothing, error: reasonOf(result), nextAttemptAt }
    }
  }
}

function reasonOf({ response }: SendResult): string {
  return response.trim() || 'no reason was given'
}

/** What is kept with a message that does not leave because of the list of suppressed addresses. */
export function suppressionSentence(reason: string): string {
  return `address is suppressed (${reason})`
}

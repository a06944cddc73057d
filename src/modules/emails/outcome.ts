// What the other side's answer means for a message: its next status, when to try again, when to give up.
import { after, hour, minute, second } from '../../lib/time'
import type { SendResult } from '../../platform/mail/transport'
import type { EmailStatus, SourceType } from './schema'

/** Pauses after the first, second, … temporary failure; the last one repeats. */
const pauses = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour]

/** How long a message is tried: a password mail is worth a day, a newsletter six hours. */
export function patience(sourceType: SourceType): number {
  return sourceType === 'TRANSACTIONAL' ? 24 * hour : 6 * hour
}

/** The pause after the `attempt`-th try (from 1), ±20 % by `fraction` in [0, 1) so that messages don't come back in step. */
export function pauseAfter(attempt: number, fraction: number): number {
  const pause = pauses[Math.min(attempt, pauses.length) - 1]!
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
}

/** The message may not leave at all: a suppressed address, a disabled project. */
export function withheld(error: string): Verdict {
  return { ...nothing, status: 'FAILED', error }
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
        ? { ...nothing, status: 'BOUNCED', error: result.response, bouncedAt: now, suppress: true }
        : { ...nothing, status: 'FAILED', error: result.response }
    case 'deferred': {
      const nextAttemptAt = after(now, pauseAfter(email.attempts, fraction))
      const deadline = after(email.createdAt, patience(email.sourceType))
      if (nextAttemptAt > deadline)
        return {
          ...nothing,
          status: 'FAILED',
          error: `gave up after ${email.attempts} tries: ${result.response}`,
        }
      return { ...nothing, error: result.response, nextAttemptAt }
    }
  }
}

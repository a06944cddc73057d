// What a transport's answer means for a message, whoever sends it: done, to be tried again and when, or given up. Pure.

import { retryDelayMs } from '../../lib/backoff'
import { after } from '../../lib/time'
import { type Failure, isServerFault, judge } from '../../mail/bounces'
import type { SendResult } from '../../mail/message'
import { asAnswer } from '../../mail/smtp/reply'
import { because, type EmailReason, noReason, type ReasonDetail, type Reasoned } from './reason'

/** What becomes of a message, by one answer or because it may not leave. */
export interface DeliveryOutcome extends Reasoned {
  /** PENDING: to be tried again, at `nextAttemptAt` where that is set. */
  status: 'PENDING' | 'SENT' | 'DELIVERED' | 'BOUNCED' | 'FAILED' | 'SKIPPED'
  providerId: string | null
  sentAt: Date | null
  deliveredAt: Date | null
  bouncedAt: Date | null
  nextAttemptAt: Date | null
  /** The address gets no more mail, because of this answer. */
  suppress: boolean
  /** Its time ran out in temporary failures, or the mailbox is full, which counts as one soft bounce of the address. */
  gaveUp: boolean
}

const nothing: DeliveryOutcome = {
  ...noReason,
  status: 'PENDING',
  providerId: null,
  sentAt: null,
  deliveredAt: null,
  bouncedAt: null,
  nextAttemptAt: null,
  suppress: false,
  gaveUp: false,
}

/** It was not tried, and will not be. */
export function failed(reason: EmailReason, detail: ReasonDetail | null = null): DeliveryOutcome {
  return { ...nothing, status: 'FAILED', ...because(reason, detail) }
}

/** It is no longer wanted: its recipient has opted out or was deleted. */
export function skipped(reason: EmailReason, detail: ReasonDetail | null = null): DeliveryOutcome {
  return { ...nothing, status: 'SKIPPED', ...because(reason, detail) }
}

/** It waits until then. */
export function waiting(
  reason: EmailReason,
  until: Date,
  detail: ReasonDetail | null = null,
): DeliveryOutcome {
  return { ...nothing, ...because(reason, detail), nextAttemptAt: until }
}

/** It was taken and not tried, and waits as before. */
export const putBack = nothing

export interface TriedMessage {
  /** The number of this attempt, from 1. */
  attempts: number
  /** Since when it has been tried. */
  since: Date
  /** How long it is worth trying. */
  retryForMs: number
}

/** The one place that says what an answer means. `now` is when it came; `fraction` in [0, 1) is the jitter of the next attempt. */
export function outcomeOfResult(
  result: SendResult,
  tried: TriedMessage,
  now: Date,
  fraction: number,
): DeliveryOutcome {
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
      return outcomeOfRefusal(result, now)
    case 'deferred':
      return outcomeOfDeferral(result, tried, now, fraction)
  }
}

/** A full mailbox may be emptied, so it bounces softly even where the code is permanent: to try for a day would not help. */
function outcomeOfRefusal(result: SendResult & { outcome: 'refused' }, now: Date): DeliveryOutcome {
  const reason: Failure = result.blame === 'address' ? 'dead' : (result.meaning ?? 'unknown')
  const settled = { ...nothing, ...because(reason, saidBy(result)) }
  if (reason === 'dead') return { ...settled, status: 'BOUNCED', bouncedAt: now, suppress: true }
  return reason === 'full'
    ? { ...settled, status: 'BOUNCED', gaveUp: true }
    : { ...settled, status: 'FAILED' }
}

function outcomeOfDeferral(
  result: SendResult,
  { attempts, since, retryForMs }: TriedMessage,
  now: Date,
  fraction: number,
): DeliveryOutcome {
  const nextAttemptAt = after(now, retryDelayMs(attempts, fraction))
  if (nextAttemptAt <= after(since, retryForMs)) return waiting('deferred', nextAttemptAt, saidBy(result))
  // A fault of ours is no word of the other side.
  if ('internal' in result && result.internal) return failed('internal', { ...saidBy(result), attempts })
  const why = because(whyGivenUp(result), { ...saidBy(result), attempts })
  return { ...nothing, ...why, status: 'BOUNCED', gaveUp: true }
}

/** A receiver that put us off to the end for the sender's sake, or a transport that failed, says nothing about the address. */
function whyGivenUp(result: SendResult): EmailReason {
  const { code, enhanced: status, response: words } = result
  const { meaning } = judge({ code, status, words })
  if (meaning === 'full' || meaning === 'refused') return meaning
  return isServerFault(asAnswer(result)) ? 'transport' : 'expired'
}

function saidBy({ response, enhanced, code }: SendResult): ReasonDetail {
  return { words: response.trim() || undefined, code: enhanced ?? code?.toString() }
}

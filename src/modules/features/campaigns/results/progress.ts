// How far a campaign has got, how fast it goes and how long it will take. Pure.
import { second } from '../../../../lib/time'
import type { CampaignStatus } from '../schema'

export interface ProgressFacts {
  status: CampaignStatus
  pausedAt: Date | null
  totalRecipients: number
  /** Recipients that are no longer open. */
  settled: number
  /** From when on the rate is measured, and how many were settled by then. */
  measuredFrom: Date | null
  measuredBase: number
  /** Most of them wait for the winner of an A/B test, so the rate says nothing of them. */
  isTesting?: boolean
}

export interface CampaignProgress {
  /** Recipients that are done, in whatever way. */
  processed: number
  remaining: number
  /** Recipients per second since sending began or was resumed; null while nothing is sent. */
  ratePerSecond: number | null
  secondsLeft: number | null
}

export function progressOf(facts: ProgressFacts, now: Date): CampaignProgress {
  const { status, pausedAt, totalRecipients, settled, measuredFrom, measuredBase, isTesting } = facts
  const processed = Math.min(settled, totalRecipients)
  const remaining = totalRecipients - processed
  const isMoving = status === 'SENDING' && pausedAt === null && measuredFrom !== null
  if (!isMoving) return { processed, remaining, ratePerSecond: null, secondsLeft: null }
  const seconds = Math.max(1, (now.getTime() - measuredFrom.getTime()) / second)
  const rate = Math.max(0, settled - measuredBase) / seconds
  return {
    processed,
    remaining,
    ratePerSecond: Math.round(rate * 100) / 100,
    secondsLeft: rate > 0 && !isTesting ? Math.ceil(remaining / rate) : null,
  }
}

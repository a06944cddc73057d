// What a run came to. A handler that returns has completed; what it throws is a Snooze, a database that is away, or a failure, which is
// tried again with growing waits until the attempts are used up.
import { retryDelayMs } from '../../lib/backoff'
import type { Random } from '../../lib/ids'
import { after, second } from '../../lib/time'
import { isDatabaseAway } from '../db/errors'

/** Thrown by a handler: not now, later, and this run does not count as an attempt. */
export class Snooze extends Error {
  override readonly name = 'Snooze'
  /** `until` is a moment, or milliseconds from now. */
  constructor(readonly until: Date | number) {
    super('snoozed')
  }
}

export type JobOutcome =
  | { type: 'completed' }
  | { type: 'snoozed'; at: Date }
  | { type: 'retried'; at: Date; error: string }
  | { type: 'failed'; error: string }
  /** Told to stop because the process does: put back untouched. */
  | { type: 'released' }

export interface RunFacts {
  attempt: number
  maxAttempts: number
  backoffMs: readonly number[]
  now: Date
  random: Random
}

/** What a thrown value means for the job. */
export function outcomeOf(thrown: unknown, facts: RunFacts): JobOutcome {
  const { attempt, maxAttempts, backoffMs, now, random } = facts
  if (thrown instanceof Snooze)
    return { type: 'snoozed', at: thrown.until instanceof Date ? thrown.until : after(now, thrown.until) }
  const error = describe(thrown)
  const isAway = isDatabaseAway(thrown)
  const isLast = attempt >= maxAttempts
  if (isLast && !isAway) return { type: 'failed', error }
  const wait = retryDelayMs(attempt, random.fraction(), backoffMs)
  // A database that was away says nothing about the job, and no number of outages uses its attempts up. It comes back soon, but past its
  // last attempt only after the wait of its kind, because it may be what brings the database down.
  const isSoon = isAway && !isLast
  const waitMs = isSoon ? Math.min(wait, retryDelayMs(attempt, random.fraction(), [2 * second])) : wait
  return { type: 'retried', at: after(now, waitMs), error }
}

/** An error as text that PostgreSQL can store: bounded, without the NUL that its text type refuses, and without halves of characters. */
export function describe(thrown: unknown): string {
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)
  return text.replaceAll('\0', '').slice(0, 2_000).toWellFormed()
}

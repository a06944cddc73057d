// What a run came to. A handler that returns has completed; what it throws is one of the three instructions below, a database that is
// away, or a failure, which is tried again with growing waits until the attempts are used up.
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

/** Thrown by a handler: failed, try again at this moment (or in so many milliseconds) instead of after the kind's own wait. */
export class Retry extends Error {
  override readonly name = 'Retry'
  constructor(
    readonly at: Date | number,
    reason: string,
  ) {
    super(reason)
  }
}

/** Thrown by a handler: never again; the reason stays on the row. */
export class Discard extends Error {
  override readonly name = 'Discard'
}

export type JobOutcome =
  | { type: 'completed' }
  | { type: 'snoozed'; at: Date }
  | { type: 'retried'; at: Date; error: string }
  | { type: 'discarded'; error: string }
  | { type: 'failed'; error: string }
  /** Put back untouched because the process stops. */
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
  if (thrown instanceof Snooze) return { type: 'snoozed', at: moment(thrown.until, facts.now) }
  const error = describe(thrown)
  if (thrown instanceof Discard) return { type: 'discarded', error }
  if (isDatabaseAway(thrown)) return { type: 'retried', at: after(facts.now, outageWaitMs(facts)), error }
  if (facts.attempt >= facts.maxAttempts) return { type: 'failed', error }
  const wait = retryDelayMs(facts.attempt, facts.random, facts.backoffMs)
  return { type: 'retried', at: moment(thrown instanceof Retry ? thrown.at : wait, facts.now), error }
}

const outageSteps = [2 * second]

/**
 * A database that was away says nothing about the job, and nobody can claim a job while it is: it comes back soon, and no number of outages
 * uses its attempts up. Past the last one it waits as long as its kind does, because it may be what brings the database down.
 */
function outageWaitMs({ attempt, maxAttempts, random, backoffMs }: RunFacts): number {
  const wait = retryDelayMs(attempt, random, backoffMs)
  return attempt < maxAttempts ? Math.min(wait, retryDelayMs(attempt, random, outageSteps)) : wait
}

function moment(value: Date | number, now: Date): Date {
  return value instanceof Date ? value : after(now, value)
}

const maxErrorLength = 2_000

/** An error as text that PostgreSQL can store: bounded, and without the NUL that its text type refuses. */
export function describe(thrown: unknown): string {
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)
  return text.replaceAll('\0', '').slice(0, maxErrorLength)
}

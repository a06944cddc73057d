// The health of one transport, as this process has seen it: one that fails as a whole is passed over for its cooling time, which grows with
// each failure that follows. When it is over, a single message tries; the others wait for how that goes and take another route meanwhile.
import { after, type Clock, minute, second } from '../../../lib/time'
import type { SendResult } from '../../../mail/message'
import { failsAsWhole } from './verdict'

export interface RouteHealth {
  /** Failures since it last worked. */
  failures: number
  /** Passed over until then. */
  coolsUntil?: Date
  /** What it said last, while it fails. */
  fault?: string
}

export interface Cooling {
  /** Whether the next message may take it. */
  isOpen(): boolean
  /** Begins a try; the function that it returns must be told how it went. */
  enter(): (result: SendResult) => void
  health(): RouteHealth
}

const firstMs = 10 * second
const longestMs = 10 * minute

/** After so many failures in a row. */
export function coolingTime(failures: number): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 20))
}

export function makeCooling(clock: Clock): Cooling {
  let failures = 0
  let coolsUntil: Date | undefined
  let fault: string | undefined
  let isProbed = false
  /** Tries are numbered: those that were under way when it failed say nothing new, neither for nor against it. */
  let tries = 0
  let failedAtTry = 0

  const isCooling = (): boolean => coolsUntil !== undefined && clock.now() < coolsUntil

  function recover(): void {
    failures = 0
    coolsUntil = undefined
    fault = undefined
  }

  function fail(words: string): void {
    failures++
    failedAtTry = tries
    fault = words
    coolsUntil = after(clock.now(), coolingTime(failures))
  }

  return {
    isOpen: () => !isCooling() && !isProbed,
    enter() {
      const number = ++tries
      const isProbe = failures > 0
      // Where no other route is left, messages go by one that cools; only its recovery is news then.
      const counts = !isCooling()
      if (isProbe) isProbed = true
      return result => {
        if (isProbe) isProbed = false
        if (number <= failedAtTry) return
        if (!failsAsWhole(result)) recover()
        else if (counts) fail(result.response)
      }
    },
    health: () => ({ failures, ...(isCooling() ? { coolsUntil } : {}), ...(fault ? { fault } : {}) }),
  }
}

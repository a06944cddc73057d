// How long to wait before the next attempt: growing steps, then the last one again and again, with jitter so that failures that happen together
// don't come back together.
import { hour, minute, second } from './time'

/** For a temporary failure of the outside world. */
export const retrySteps: readonly number[] = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
]

/**
 * Milliseconds to wait after failed attempt number `attempt` (the first is 1), ±20 % by `fraction` in [0, 1), so that what failed together
 * doesn't come back together.
 */
export function retryDelayMs(
  attempt: number,
  fraction: number,
  steps: readonly number[] = retrySteps,
): number {
  const step = steps[Math.min(Math.max(attempt, 1), steps.length) - 1] ?? 0
  return Math.round(step * (0.8 + 0.4 * fraction))
}

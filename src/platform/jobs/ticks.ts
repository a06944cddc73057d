// When schedules are due: pure arithmetic over a list of schedules and the clock's word.
import { Cron } from 'croner'

/** Either a whole number of milliseconds, aligned to the epoch so that all instances agree, or a cron pattern. */
export type Rhythm = { everyMs: number } | { cron: string; timezone?: string }

/** The latest tick at or before `now`; undefined for a pattern that never came up. */
export function latestTick(rhythm: Rhythm, now: Date): Date | undefined {
  if ('everyMs' in rhythm) return new Date(Math.floor(now.getTime() / rhythm.everyMs) * rhythm.everyMs)
  // Croner looks strictly before its reference.
  return pattern(rhythm).previousRuns(1, new Date(now.getTime() + 1))[0]
}

/** The first tick after `now`. */
export function nextTick(rhythm: Rhythm, now: Date): Date | undefined {
  if ('everyMs' in rhythm) return new Date((Math.floor(now.getTime() / rhythm.everyMs) + 1) * rhythm.everyMs)
  return pattern(rhythm).nextRun(now) ?? undefined
}

/** Throws on a pattern or time zone that does not exist. */
export function checkRhythm(rhythm: Rhythm): void {
  if ('everyMs' in rhythm) {
    if (!Number.isInteger(rhythm.everyMs) || rhythm.everyMs < 1_000)
      throw new Error('a schedule needs a second at least')
  } else {
    // Croner looks at the time zone only when it has to reckon with it.
    pattern(rhythm).nextRun(new Date(0))
  }
}

function pattern(rhythm: { cron: string; timezone?: string }): Cron {
  return new Cron(rhythm.cron, { paused: true, timezone: rhythm.timezone ?? 'UTC' })
}

/**
 * The ticks to fire: for each schedule the latest one at or before `now`, where it is later than the last that was fired, or that one is
 * later than `latest`. Of several missed ticks one is fired. A schedule that was never seen before is not due until its next tick.
 */
export function dueTicks<S extends { name: string; rhythm: Rhythm }>(
  schedules: readonly S[],
  lastTicks: ReadonlyMap<string, Date>,
  now: Date,
  latest: Date,
): { schedule: S; tick: Date }[] {
  return schedules.flatMap(schedule => {
    const last = lastTicks.get(schedule.name)
    const tick = latestTick(schedule.rhythm, now)
    return last && tick && (tick > last || last > latest) ? [{ schedule, tick }] : []
  })
}

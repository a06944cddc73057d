// How many jobs of workflows may run at once while requests are under way: each takes its turns in the event loop between those of the
// requests, so where the loop is late fewer are begun; what runs goes on, and the rest waits in its queue. Mails, imports and the
// instance's own chores are not held back.

/** Between two looks. */
const intervalMs = 50
/** A loop that is later than this makes itself felt: an answer takes about ten of its turns. */
const lateMs = 25
/** At least this many go on, whatever else does. */
const minJobs = 2

export interface Pressure {
  /** A job has begun: looks until `end` is called. */
  begin(): void
  /** Nothing runs any more. */
  end(): void
}

/** How many jobs may run after a look that came `lateBy` milliseconds late, of `allowed` before it. */
export function nextAllowed(allowed: number, most: number, lateBy: number, isWaitedFor: boolean): number {
  if (lateBy > lateMs && isWaitedFor) return Math.max(Math.min(minJobs, most), Math.floor(allowed / 2))
  return Math.min(most, allowed + 1)
}

/** `isWaitedFor` says whether requests are under way; `tell` is told each new number of jobs. */
export function watchPressure(
  most: number,
  isWaitedFor: () => boolean,
  tell: (allowed: number) => void,
): Pressure {
  let allowed = most
  let timer: Timer | undefined
  let expected = 0
  const change = (next: number): void => {
    if (next === allowed) return
    allowed = next
    tell(allowed)
  }
  const look = (): void => {
    const now = performance.now()
    const next = nextAllowed(allowed, most, now - expected, isWaitedFor())
    expected = now + intervalMs
    change(next)
  }
  return {
    begin() {
      if (timer) return
      expected = performance.now() + intervalMs
      timer = setInterval(look, intervalMs)
    },
    end() {
      clearInterval(timer)
      timer = undefined
      change(most)
    },
  }
}

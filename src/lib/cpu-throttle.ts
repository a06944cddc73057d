// Keeps CPU-bound work from holding up everything else: pieces of it run one after another, and once they have taken a while
// whatever waits for the process (requests, answers of the database) comes first.

/** Runs a piece of work: at once, as long as all pieces together are quick. `behindMs`: what the caller will do with it in the same turn. */
export type CpuThrottle = <T>(work: () => T, behindMs?: number) => Promise<T>

/** While somebody is waited for: after so much work it rests for this many times as long. */
const besideOthers = { maxMs: 1, rests: 4, maxRestMs: 1_000 }

/**
 * Lets others in after `maxMs` of work, and sooner and for longer while `isWaitedFor`: then it takes a fifth of the time. A single piece that takes longer
 * is not cut short.
 */
export function makeCpuThrottle(maxMs = 20, isWaitedFor: () => boolean = () => false): CpuThrottle {
  let spentMs = 0
  let pause: Promise<void> | undefined
  return async (work, behindMs = 0) => {
    // The first of those who wait for the end of a pause may begin the next one.
    while (pause) await pause
    const from = performance.now()
    try {
      return work()
    } finally {
      spentMs += performance.now() - from + behindMs
      const isAlone = !isWaitedFor()
      if (spentMs > (isAlone ? maxMs : besideOthers.maxMs)) {
        const restMs = isAlone ? 0 : Math.min(besideOthers.rests * spentMs, besideOthers.maxRestMs)
        spentMs = 0
        pause = new Promise<void>(resolve => void setTimeout(resolve, restMs)).then(() => {
          pause = undefined
        })
      }
    }
  }
}

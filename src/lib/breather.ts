// Keeps CPU-bound work from holding up everything else: pieces of it run one after another, and once they have taken a while
// whatever waits for the process (requests, answers of the database) comes first.

/** Runs a piece of work: at once, as long as all pieces together are quick. */
export type Breather = <T>(work: () => T) => Promise<T>

/** Lets others in after `maxMs` of work; a single piece that takes longer is not cut short. */
export function makeBreather(maxMs = 20): Breather {
  let spentMs = 0
  let pause: Promise<void> | undefined
  return async work => {
    // The first of those who wait for the end of a pause may begin the next one.
    while (pause) await pause
    const from = performance.now()
    try {
      return work()
    } finally {
      spentMs += performance.now() - from
      if (spentMs > maxMs) {
        spentMs = 0
        pause = new Promise<void>(resolve => void setTimeout(resolve, 0)).then(() => {
          pause = undefined
        })
      }
    }
  }
}

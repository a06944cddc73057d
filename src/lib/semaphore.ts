// Bounds how much runs at the same time within a process.

/** Returns a function that runs its work at once while fewer than `places` run, and in the order of asking otherwise. */
export function semaphore(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: Array<() => void> = []
  let free = places
  return async work => {
    if (free > 0) free--
    else await new Promise<void>(resolve => void waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place goes straight to the next one, so that nobody can slip in between.
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

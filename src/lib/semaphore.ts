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

/** Returns a function that runs work of one key one after the other, in the order of asking; other keys wait for none of it. */
export function oneForEach<K>(): <T>(key: K, work: () => Promise<T>) => Promise<T> {
  const queues = new Map<K, { inTurn: ReturnType<typeof semaphore>; users: number }>()
  return async (key, work) => {
    const queue = queues.get(key) ?? { inTurn: semaphore(1), users: 0 }
    queues.set(key, queue)
    queue.users++
    try {
      return await queue.inTurn(work)
    } finally {
      if (--queue.users === 0) queues.delete(key)
    }
  }
}

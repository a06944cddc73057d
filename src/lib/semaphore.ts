// Bounds how much runs at the same time within a process.

/** Returns a function that resolves with a place, to be left once: at once while fewer than `places` are taken, and in the order of asking otherwise. */
export function slots(places: number | (() => number)): () => Promise<() => void> {
  const most = typeof places === 'number' ? () => places : places
  const waiting: Array<() => void> = []
  let taken = 0
  const leave = (): void => {
    taken--
    // Places go straight to the next ones, so that nobody can slip in between.
    for (let free = most() - taken; free > 0 && waiting.length > 0; free--) {
      taken++
      waiting.shift()!()
    }
  }
  return async () => {
    if (waiting.length === 0 && taken < most()) taken++
    else await new Promise<void>(resolve => void waiting.push(resolve))
    return leave
  }
}

/**
 * Returns a function that runs its work at once while fewer than `places` run, and in the order of asking otherwise. A number that changes, and
 * is one at least, is looked at when there is work to begin and when some has ended.
 */
export function semaphore(places: number | (() => number)): <T>(work: () => Promise<T>) => Promise<T> {
  const enter = slots(places)
  return async work => {
    const leave = await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

/** Returns a function that runs work of one key one piece after another, in the order of asking; other keys don't wait for it. */
export function queuePerKey<K>(): <T>(key: K, work: () => Promise<T>) => Promise<T> {
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

export interface QueueBounds<K> {
  /** How much of all keys together runs at once; unbounded unless given. */
  places?: number
  /** How much of one key may wait or run; more is refused. */
  maxPerKey: number
  /** The error that says so. */
  full(key: K): Error
}

/** Returns a function that runs work of one key one piece after another, so that no key holds what others need; throws `full` beyond the bound. */
export function boundedQueue<K>({
  places,
  maxPerKey,
  full,
}: QueueBounds<K>): <T>(key: K, work: () => Promise<T>) => Promise<T> {
  const inTurn = queuePerKey<K>()
  const place = semaphore(places ?? Number.POSITIVE_INFINITY)
  const present = new Map<K, number>()
  return async (key, work) => {
    const before = present.get(key) ?? 0
    if (before >= maxPerKey) throw full(key)
    present.set(key, before + 1)
    try {
      return await inTurn(key, () => place(work))
    } finally {
      const left = present.get(key)! - 1
      if (left === 0) present.delete(key)
      else present.set(key, left)
    }
  }
}

// Lets calls that arrive at about the same time share one piece of work (one statement, one commit), while each caller still gets its own
// answer. A call that comes alone starts at once; batches grow with the load and vanish without it.

export interface BatcherOptions {
  /** Most items in a batch. A batch starts as soon as this many wait. */
  size: number
  /** With fewer, a batch starts this long after the one before it started: at once, if that is over. */
  delayMs: number
}

/** Batches that run at the same time: one that waits for a lock or the disk doesn't hold up the next. */
const maxRunning = 3

/** What became of one item: its result, or the error for its caller. */
export type Settled<O> = { value: O } | { error: unknown }

interface Waiting<I, O> {
  item: I
  resolve(value: O): void
  reject(error: unknown): void
}

/**
 * Returns a function that hands its argument to `run` together with the others that are waiting. `run` returns one Settled for each
 * item, in order. If it rejects, its items are run again each by itself, so that one bad item can't fail its neighbors; what must not be done
 * twice answers for each item instead.
 */
export function batcher<I, O>(
  run: (items: I[]) => Promise<Settled<O>[]>,
  { size, delayMs }: BatcherOptions,
): (item: I) => Promise<O> {
  const waiting: Waiting<I, O>[] = []
  let running = 0
  let startedAt = Number.NEGATIVE_INFINITY
  let timer: Timer | undefined

  const start = (): void => {
    clearTimeout(timer)
    while (running < maxRunning && waiting.length > 0) {
      const early = startedAt + delayMs - performance.now()
      if (waiting.length < size && early > 0) {
        timer = setTimeout(start, Math.ceil(early))
        return
      }
      startedAt = performance.now()
      running++
      void work(waiting.splice(0, size)).finally(() => {
        running--
        start()
      })
    }
  }
  const work = async (batch: Waiting<I, O>[]): Promise<void> => {
    try {
      settle(batch, await run(batch.map(entry => entry.item)))
    } catch (error) {
      if (batch.length === 1) batch[0]!.reject(error)
      else await Promise.all(batch.map(entry => work([entry])))
    }
  }
  const startSoon = onceAfterTurn(start)
  return item =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      startSoon()
    })
}

/** Does the work when the callbacks of this turn of the event loop have run, so that items that come together share a batch. */
function onceAfterTurn(work: () => void): () => void {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    setImmediate(() => {
      isDue = false
      work()
    })
  }
}

function settle<I, O>(batch: Waiting<I, O>[], results: Settled<O>[]): void {
  batch.forEach((entry, index) => {
    const result = results[index]
    if (!result) entry.reject(new Error('a batch answered fewer results than it had items'))
    else if ('error' in result) entry.reject(result.error)
    else entry.resolve(result.value)
  })
}

/** Looks rows up by name. Calls that come together share a statement; nothing is remembered. */
export function batchedLookup<N, R>(
  select: (names: N[]) => Promise<R[]>,
  nameOf: (of: N | R) => string,
): (name: N) => Promise<R | undefined> {
  const run = async (names: N[]): Promise<Settled<R | undefined>[]> => {
    const distinct = [...new Map(names.map(name => [nameOf(name), name])).values()]
    const found = new Map((await select(distinct)).map(row => [nameOf(row), row]))
    return names.map(name => ({ value: found.get(nameOf(name)) }))
  }
  return batcher(run, { size: 100, delayMs: 1 })
}

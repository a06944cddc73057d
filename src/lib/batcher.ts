// Lets calls that arrive in the same moment share one piece of work (one statement, one commit), while each caller still gets
// its own answer. Nobody waits on purpose, unless the options say so: a call starts at once when a slot is free, and only calls that
// find all slots busy are gathered, so the batch grows with the load and vanishes without it.

export interface BatcherOptions {
  /** At most this many items in a batch. */
  maxItems: number
  /** Batches that may run at the same time. */
  slots: number
  /**
   * A second batch starts beside a fresh one only when this many items wait; 1 unless given. Few large batches cost less than many
   * small ones, where statements have a price of their own. A function is asked each time.
   */
  crowd?: number | (() => number)
  /** For how long a running batch is fresh. One that a lock holds up for longer must not hold up those who wait. */
  freshMs?: number
  /** A batch that has ended stays fresh: where items come all the time and nobody waits for one, few large batches are made whatever they take. */
  staysFresh?: boolean
  /**
   * Begins once the callbacks of this turn of the event loop have run: items that come together share the first batch too, where otherwise
   * the first of them has one to itself.
   */
  afterTurn?: boolean
  /** Weight of an item, when items differ in size; a batch stops at `maxWeight`. */
  maxWeight?: number
  /** Whether a batch that failed with this error may be run again item by item; false if it may have taken effect. */
  mayRepeat?: (error: unknown) => boolean
}

/** What became of one item: its result, or the error for its caller. */
export type Settled<O> = { value: O } | { error: unknown }

interface Waiting<I, O> {
  item: I
  weight: number
  resolve(value: O): void
  reject(error: unknown): void
}

/**
 * Returns a function that hands its argument to `run` together with the others that are waiting. `run` returns one Settled for each
 * item, in order. When it rejects as a whole, its items are run again one by one (where `mayRepeat` allows), so that one bad item can't fail its neighbours.
 */
export function batcher<I, O>(
  run: (items: I[]) => Promise<Settled<O>[]>,
  options: BatcherOptions,
): (item: I, weight?: number) => Promise<O> {
  const waiting: Waiting<I, O>[] = []
  const { crowd = 1, freshMs = 50 } = options
  const crowdNow = typeof crowd === 'function' ? crowd : () => crowd
  let busy = 0

  const take = (): Waiting<I, O>[] => {
    let count = 0
    let weight = 0
    while (count < waiting.length && count < options.maxItems) {
      weight += waiting[count]!.weight
      if (count > 0 && weight > (options.maxWeight ?? Number.POSITIVE_INFINITY)) break
      count++
    }
    return waiting.splice(0, count)
  }
  const start = (): void => {
    if (busy >= options.slots || waiting.length === 0) return
    const enough = crowdNow()
    if (waiting.length < enough && fresh.count() > 0) return
    busy++
    const end = enough > 1 ? fresh.begin() : undefined
    void work(take()).finally(() => {
      busy--
      if (!options.staysFresh) end?.()
      start()
    })
  }
  const fresh = freshness(freshMs, start)
  const work = async (batch: Waiting<I, O>[]): Promise<void> => {
    try {
      settle(batch, await run(batch.map(entry => entry.item)))
    } catch (error) {
      if (batch.length > 1 && (options.mayRepeat?.(error) ?? true)) {
        for (const entry of batch) await work([entry])
      } else for (const entry of batch) entry.reject(error)
    }
  }
  const begin = options.afterTurn ? onceAfterTurn(start) : start
  return (item, weight = 1) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, weight, resolve, reject })
      begin()
    })
}

/** Does the work when the callbacks of this turn of the event loop have run, once however often it is asked to meanwhile. */
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

interface Freshness {
  count(): number
  /** Counts one more, until its time is over or the returned function is called. */
  begin(): () => void
}

function freshness(freshMs: number, onAged: () => void): Freshness {
  const timers = new Set<Timer>()
  return {
    count: () => timers.size,
    begin() {
      const timer = setTimeout(() => {
        timers.delete(timer)
        onAged()
      }, freshMs)
      timers.add(timer)
      return () => {
        clearTimeout(timer)
        timers.delete(timer)
      }
    },
  }
}

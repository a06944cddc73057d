// The requests that this process is answering. Whoever must know that nobody is still writing asks here which are under way, and
// later which of those are left; long work in the background asks whether anybody wants answers meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'
import { boundedTurns, semaphore, type Turns } from '../lib/semaphore'
import { second } from '../lib/time'
import { noteWork } from './memory'

export interface LiveRequest {
  /** Monotonic milliseconds. */
  readonly startedAt: number
}

export interface LiveRequests {
  begin(request: LiveRequest): void
  end(request: LiveRequest): void
  underway(): LiveRequest[]
  /** Calls `listener` when a request begins. */
  onBegin(listener: () => void): void
  /** Those that have ever begun. */
  readonly count: number
}

/** Longer than any handler works: an answer that was never finished, because its reader went away, is no work. */
const maxMs = 60_000

export function liveRequests(): LiveRequests {
  const live = new Set<LiveRequest>()
  const listeners: Array<() => void> = []
  let count = 0
  return {
    begin(request) {
      noteWork()
      live.add(request)
      count++
      for (const listener of listeners) listener()
    },
    onBegin: listener => void listeners.push(listener),
    get count() {
      return count
    },
    end: request => void live.delete(request),
    underway() {
      const since = performance.now() - maxMs
      for (const request of live) if (request.startedAt < since) live.delete(request)
      return [...live]
    },
  }
}

/** While there are requests, all long work together leaves them this many times the time that it takes itself. */
const restForWork = 4
const maxRestMs = 1_000
/** How much long work each instance has at the moment, whether it works or rests. */
const longWork = new WeakMap<LiveRequests, number>()

/**
 * Runs one piece of long work, and rests after it where requests came meanwhile: the event loop and the database are theirs too, and
 * what a person waits for comes before what a file waits for. Returns whether there were any.
 */
export async function givingWay(requests: LiveRequests, work: () => Promise<void>): Promise<boolean> {
  const before = requests.count
  const began = performance.now()
  count(requests, 1)
  try {
    await work()
    if (requests.count === before) return false
    const rest = Math.min(restForWork * (performance.now() - began), maxRestMs)
    await sleep(rest * longWork.get(requests)!)
    return true
  } finally {
    count(requests, -1)
  }
}

/** Does a piece of long work that a request asked for. */
export type RestingTurns<K> = <T>(requests: LiveRequests, key: K, work: () => Promise<T>) => Promise<T>

/** Whoever has not had its turn by then is told to come back later: after a minute the connection would be closed without an answer. */
const maxWaitMs = 20 * second

/**
 * Long work that requests ask for: of each key one piece after another, and all of it gives way to other requests. Whoever asked is answered
 * before the rest: what waits for that is the key's next piece. Throws `full` beyond the bound, and where the turn does not come in time.
 */
export function restingTurns<K>(
  { places, ...bounds }: Turns<K>,
  waitMs: number = maxWaitMs,
): RestingTurns<K> {
  const inTurn = boundedTurns<K>(bounds)
  // Whoever rests leaves its place to another key.
  const place = semaphore(places ?? Number.POSITIVE_INFINITY)
  return (requests, key, work) =>
    new Promise((resolve, reject) => {
      let isGivenUp = false
      const timer = setTimeout(() => {
        isGivenUp = true
        reject(bounds.full(key))
      }, waitMs)
      const begin = async (): Promise<void> => {
        clearTimeout(timer)
        if (!isGivenUp) await work().then(resolve, reject)
      }
      inTurn(key, () => givingWay(requests, () => place(begin))).catch(error => {
        clearTimeout(timer)
        reject(error)
      })
    })
}

function count(requests: LiveRequests, by: 1 | -1): void {
  longWork.set(requests, (longWork.get(requests) ?? 0) + by)
}

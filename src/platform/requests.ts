// The requests that this process is answering. Whoever must know that nobody is still writing asks here which are under way, and
// later which of those are left; long work in the background asks whether anybody wants answers meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'
import { boundedQueue, type QueueBounds, semaphore } from '../lib/semaphore'
import { second } from '../lib/time'

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
  /** Whether so many came in the last second that work in the background should leave them room. Single slow ones don't count. */
  isBusy(): boolean
}

const busyPerSecond = 25

/** Longer than any handler works: an answer that was never finished, because its reader went away, is no work. */
const maxMs = 60_000

/** Counts what happens, the earlier the less: at a steady rate, it comes to what happens in a second. Times in milliseconds. */
function fadingCount() {
  let count = 0
  let lastAt = 0
  const at = (now: number): number => count * Math.exp((lastAt - now) / second)
  const add = (now: number): void => {
    count = at(now) + 1
    lastAt = now
  }
  return { at, add }
}

/** `now` in milliseconds, for distances only. */
export function liveRequests(now = () => performance.now()): LiveRequests {
  const live = new Set<LiveRequest>()
  const listeners: Array<() => void> = []
  const recent = fadingCount()
  let count = 0
  return {
    begin(request) {
      live.add(request)
      count++
      recent.add(now())
      for (const listener of listeners) listener()
    },
    onBegin: listener => void listeners.push(listener),
    get count() {
      return count
    },
    end: request => void live.delete(request),
    underway() {
      const since = now() - maxMs
      for (const request of live) if (request.startedAt < since) live.delete(request)
      return [...live]
    },
    isBusy: () => recent.at(now()) > busyPerSecond,
  }
}

/** The rule for work in the background: while requests keep the instance busy, it takes half of its slots. */
export function slotsBeside({ requests }: { requests: Pick<LiveRequests, 'isBusy'> }, slots: number): number {
  return requests.isBusy() ? Math.floor(slots / 2) : slots
}

/** While there are requests, all long work together leaves them this many times the time that it takes itself, except an import for single ones. */
const restForWork = 4
/** Of what a thread renders within its bound, too. */
const maxRestMs = 4_000

interface LongWork {
  isResting: boolean
  /** Whether another piece of its kind waits for the end of the rest. */
  hasNext(): boolean
}

/** The long work that each instance has at the moment. */
const longWork = new WeakMap<LiveRequests, Set<LongWork>>()

/**
 * Runs one piece of long work, and rests after it where requests came meanwhile: the event loop and the database are theirs too, and
 * what a person waits for comes before what a file waits for. Other long work makes the rest longer, except what is the last of its kind
 * (`hasNext` says no) and rests already. `rests`: how many times as long as the work took.
 */
export async function throttleLongWork(
  requests: LiveRequests,
  work: () => Promise<void>,
  { hasNext = () => true, rests = restForWork }: { hasNext?: () => boolean; rests?: number } = {},
): Promise<void> {
  const all = longWork.get(requests) ?? new Set()
  longWork.set(requests, all)
  const own: LongWork = { isResting: false, hasNext }
  const before = requests.count
  const began = performance.now()
  all.add(own)
  try {
    await work()
    if (requests.count === before) return
    const remaining = Math.min(rests * (performance.now() - began), maxRestMs)
    own.isResting = true
    const others = [...all].filter(each => each !== own && (!each.isResting || each.hasNext()))
    await sleep(remaining * (1 + others.length))
  } finally {
    all.delete(own)
  }
}

/** Does a piece of long work that a request asked for. */
export type LongWorkQueue<K> = <T>(requests: LiveRequests, key: K, work: () => Promise<T>) => Promise<T>

/** Whoever has not had its turn by then is told to come back later: after a minute the connection would be closed without an answer. */
const maxWaitMs = 20 * second

/**
 * Long work that requests ask for: of each key one piece after another, and all of it gives way to other requests. Whoever asked is answered
 * before the rest: what waits for that is the key's next piece. Throws `full` beyond the bound, and where the turn does not come in time.
 */
export function longWorkQueue<K>(
  { places, ...bounds }: QueueBounds<K>,
  waitMs: number = maxWaitMs,
): LongWorkQueue<K> {
  const inTurn = boundedQueue<K>(bounds)
  // Whoever rests leaves its place to another key.
  const place = semaphore(places ?? Number.POSITIVE_INFINITY)
  const waiting = new Map<K, number>()
  const count = (key: K, by: 1 | -1): void => {
    const left = (waiting.get(key) ?? 0) + by
    if (left === 0) waiting.delete(key)
    else waiting.set(key, left)
  }
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
      let isWaiting = true
      const stopWaiting = (): void => {
        if (isWaiting) count(key, -1)
        isWaiting = false
      }
      const turn = (): Promise<void> => {
        stopWaiting()
        return throttleLongWork(requests, () => place(begin), { hasNext: () => waiting.has(key) })
      }
      count(key, 1)
      inTurn(key, turn).catch(error => {
        clearTimeout(timer)
        stopWaiting()
        reject(error)
      })
    })
}

// Work on large things: bodies, messages on their way in and out. All of it in one process is done in small pieces, and while requests keep
// the instance busy all pieces together leave them most of the time: whoever sends something large waits for it, and nobody else does.
import { setTimeout as sleep } from 'node:timers/promises'
import { type CpuThrottle, makeCpuThrottle } from '../lib/cpu-throttle'
import { semaphore } from '../lib/semaphore'
import type { LiveRequests } from './requests'

export interface LargeWork {
  /** Runs a piece that keeps the event loop busy. */
  throttle: CpuThrottle
  /**
   * Runs a piece that the database does, one at a time: the driver takes about as long for it as the server does, and commits of others wait
   * for what it writes.
   */
  store<T>(piece: () => Promise<T>): Promise<T>
}

/** Of the time that the piece before has taken. */
const restForStore = 2
const maxRestMs = 1_000

/** `isWaitedFor`: whether it has to leave time to others. */
export function makeLargeWork(isWaitedFor: () => boolean = () => false): LargeWork {
  const inTurn = semaphore(1)
  return {
    throttle: makeCpuThrottle(2, isWaitedFor),
    store: piece =>
      inTurn(async () => {
        const began = performance.now()
        try {
          return await piece()
        } finally {
          if (isWaitedFor()) await sleep(Math.min(restForStore * (performance.now() - began), maxRestMs))
        }
      }),
  }
}

const made = new WeakMap<LiveRequests, LargeWork>()

/** The one of an instance. */
export function largeWorkOf({ requests }: { requests: LiveRequests }): LargeWork {
  const work = made.get(requests) ?? makeLargeWork(requests.isBusy)
  made.set(requests, work)
  return work
}

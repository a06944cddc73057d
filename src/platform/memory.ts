// Collects garbage before much of it has gathered. The engine sizes its heap by the memory of the machine: a campaign leaves a hundred
// megabytes of garbage a second behind, and on a machine with much memory it would wait for half a gigabyte.
import { edenGC } from 'bun:jsc'
import { second } from '../lib/time'

const megabyte = 1024 * 1024
const everyMs = second
/** Growth since the last collection that is worth one while the instance works: young objects only, 5 ms instead of 40. */
const growthAtWork = 48 * megabyte
/** Growth that is worth collecting everything once the memory in use has not changed for a while. */
const growthAtRest = 4 * megabyte
const restAfter = 20

export interface Collector {
  /** Bytes that are resident. */
  resident(): number
  collectYoung(): void
  collectAll(): void
}

/** Returns a function to be called once a second. Its first call collects what starting left behind. */
export function makeCollecting({ resident, collectYoung, collectAll }: Collector): () => void {
  // Resident after the last collection of either kind, and after the last one of everything.
  let afterAny = 0
  let afterAll = 0
  let last = 0
  let unchanged = 0
  return () => {
    const now = resident()
    unchanged = Math.abs(now - last) < megabyte ? unchanged + 1 : 0
    last = now
    const isFirst = afterAll === 0
    afterAny = Math.min(afterAny, now)
    afterAll = Math.min(afterAll, now)
    if (isFirst || (unchanged >= restAfter && now > afterAll + growthAtRest)) {
      collectAll()
      afterAny = afterAll = resident()
    } else if (now > afterAny + growthAtWork) {
      collectYoung()
      afterAny = resident()
    }
  }
}

/** Until the returned function is called. */
export function keepSmall(): () => void {
  const collect = makeCollecting({
    resident: () => process.memoryUsage.rss(),
    collectYoung: edenGC,
    collectAll: () => Bun.gc(true),
  })
  const timer = setInterval(collect, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

// Keeps the process small while it works. The engine sizes its heap by the memory of the machine: a campaign leaves a hundred megabytes
// of garbage a second behind, and on a machine with much memory it would wait for half a gigabyte of it. Collecting as soon as some
// has gathered costs no throughput (measured at 500 signed messages a second: 20 ms, some three times a second).
export interface MemoryMeter {
  /** Bytes resident at the moment. */
  resident(): number
  /** Collects garbage, and returns when that is done. */
  collect(): void
  /** Milliseconds, for distances only. */
  now(): number
}

const megabyte = 1024 * 1024
/** Below this nothing is done: an idle instance has half of it. */
const unnoticed = 185 * megabyte
/** What may gather beyond what the last collection left, for that is in use. */
const leeway = 32 * megabyte
/** Of the time, at most this share goes into collecting: memory that is really in use can't be collected away. */
const mostShare = 0.25
/** One collection may take long because others have the processor; that is no reason to let garbage gather. */
const longestRestMs = 1_000

const ofThisProcess: MemoryMeter = {
  resident: () => process.memoryUsage.rss(),
  collect: () => Bun.gc(true),
  now: () => performance.now(),
}

/** Returns a function to be called often. */
export function makeCollecting(meter: MemoryMeter = ofThisProcess): () => void {
  let limit = unnoticed
  let notBefore = Number.NEGATIVE_INFINITY
  return () => {
    if (meter.resident() < limit) return
    const began = meter.now()
    if (began < notBefore) return
    meter.collect()
    const ended = meter.now()
    notBefore = ended + Math.min((ended - began) / mostShare, longestRestMs)
    limit = Math.max(unnoticed, meter.resident() + leeway)
  }
}

const lookEveryMs = 100

/** Until the returned function is called. */
export function keepSmall(): () => void {
  const timer = setInterval(makeCollecting(), lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

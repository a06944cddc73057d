// Keeps the process small while it works. The engine sizes its heap by the memory of the machine: a campaign leaves a hundred megabytes
// of garbage a second behind, and on a machine with much memory it would wait for half a gigabyte of it. Collecting as soon as some
// has gathered costs no throughput (measured at 500 signed messages a second: 20 ms each).
export interface MemoryMeter {
  /** Bytes resident at the moment. */
  resident(): number
  /** Collects garbage, and answers how many bytes of the heap are in use then. */
  collect(): number
  /** Milliseconds, for distances only. */
  now(): number
}

const megabyte = 1024 * 1024
/** Below this nothing is done: an idle instance has half of it. */
const unnoticed = 150 * megabyte
/** The program itself, and what others than its heap take. */
const beside = 90 * megabyte
/** Of the time, at most this share goes into collecting: memory that is really in use can't be collected away. */
const mostShare = 0.25
/** One collection may take long because others have the processor; that is no reason to let garbage gather. */
const longestRestMs = 250
/**
 * Where no more than this has gathered since the last collection, the next one would find little: what the allocator keeps for later.
 * A collection takes as long for a little as for much (8 instead of 24: 15 % of the time of a campaign at 1,500 messages a second).
 */
const worthwhile = 24 * megabyte
const longestWaitMs = 10_000

const ofThisProcess: MemoryMeter = {
  resident: () => process.memoryUsage.rss(),
  collect() {
    Bun.gc(true)
    return process.memoryUsage().heapUsed
  },
  now: () => performance.now(),
}

/** Returns a function to be called often. */
export function makeCollecting(meter: MemoryMeter = ofThisProcess): () => void {
  // The first look always collects: the start leaves twenty megabytes of garbage, and an idle process would keep them.
  let limit = 0
  let least = 0
  let notBefore = Number.NEGATIVE_INFINITY
  let notLaterThan = Number.NEGATIVE_INFINITY
  return () => {
    const resident = meter.resident()
    least = Math.min(least, resident)
    if (resident < limit) return
    const began = meter.now()
    if (began < notBefore || (resident < least + worthwhile && began < notLaterThan)) return
    const inUse = meter.collect()
    const ended = meter.now()
    least = meter.resident()
    notBefore = ended + Math.min((ended - began) / mostShare, longestRestMs)
    notLaterThan = ended + longestWaitMs
    // Not by what is resident: the allocator gives memory back later than it is free.
    limit = Math.max(unnoticed, beside + 1.5 * inUse)
  }
}

const lookEveryMs = 50

/** From the end of the start until the returned function is called. */
export function keepSmall(): () => void {
  const timer = setInterval(makeCollecting(), lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}
